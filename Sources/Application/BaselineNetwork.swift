internal import Comparison
package import Core
internal import Foundation
internal import Recordings
internal import RenderModel
package import Workers

/// What the network said when baselines were recorded: kept beside each, and answering when it is verified, so that a
/// verification says what the creative changed and nothing else.
package enum BaselineNetwork {
  /// Asks the network once for each creative and keeps what it says in its baseline's folder.
  package static func record(
    _ plan: BatchPlan, _ places: [Int: BaselineLocation], _ settings: PoolSettings,
    onProgress: (PoolProgress) -> Void
  ) async throws(Fault) {
    let scratch = try ScratchFolder.make()
    let jobs = plan.jobs.map { job in
      var job = job
      job.output = "\(scratch)/\(job.id)"
      job.options.traffic = TrafficOptions(.record, profile: job.options.traffic?.profile, faults: job.options.traffic?.faults ?? [])
      return job
    }
    var settings = settings
    settings.recordings = RecordingPlan(record: scratch)
    let (records, _) = await PoolRun(settings: settings).render(jobs, progress: onProgress)
    for job in jobs {
      guard records[job.id] != nil, let place = places[job.id] else { continue }
      let kept = ["\(scratch)/\(job.creative.name).zip", "\(scratch).zip"].first(where: FileManager.default.fileExists)
      guard let kept else { continue }
      do {
        let target = place.recording
        let parent = URL(filePath: target).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        if FileManager.default.fileExists(atPath: target) { try FileManager.default.removeItem(atPath: target) }
        try FileManager.default.moveItem(atPath: kept, toPath: target)
      } catch {
        throw .writing(place.recording, error)
      }
    }
  }

  /// The plan with each job answered from its baseline's recording, where it has one.
  package static func replaying(_ plan: BatchPlan, _ places: [Int: BaselineLocation]) throws(Fault) -> BatchPlan {
    var plan = plan
    for (index, item) in plan.items.enumerated() {
      guard case .render(var job) = item.work, let place = places[job.id] else { continue }
      let file = place.recording
      guard FileManager.default.fileExists(atPath: file) else { continue }
      let traffic = job.options.traffic
      guard traffic == nil || traffic?.mode == .live else { continue }
      job.options.traffic = TrafficOptions(
        .replay, folder: try RecordingFiles.unpacked(file), profile: traffic?.profile, faults: traffic?.faults ?? [])
      plan.items[index] = BatchPlan.Item(
        name: item.name, work: .render(job), position: item.position, hasFolder: item.hasFolder)
    }
    return plan
  }
}

extension BaselineLocation {
  /// Where what the network said is kept, if it is.
  var recording: String { "\(store.path)/network/\(key.text).zip" }
}
