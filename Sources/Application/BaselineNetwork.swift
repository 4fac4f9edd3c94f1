internal import Comparison
package import Core
internal import Foundation
internal import Recordings
internal import RenderModel
package import Workers

/// Recordings of the network, made with baselines and replayed in verifications.
///
/// A verification then shows only the changes of the creative. Each recording is stored in the folder of its baselines.
package enum BaselineNetwork {
  /// Renders each creative with the network and stores the recording in its baseline's folder.
  ///
  /// - Returns: false if a signal ended the run; then nothing is stored.
  package static func record(
    _ plan: BatchPlan, _ places: [Int: BaselineLocation], _ settings: PoolSettings,
    onProgress: (PoolProgress) -> Void
  ) async throws(Fault) -> Bool {
    let scratch = try ScratchFolder.make()
    let jobs = plan.jobs.map { job in
      var job = job
      job.output = "\(scratch)/\(job.id)"
      job.options.traffic = TrafficOptions(
        .record, profile: job.options.traffic?.profile, faults: job.options.traffic?.faults ?? [])
      return job
    }
    var settings = settings
    settings.recordings = RecordingPlan(record: scratch)
    let (records, interrupted) = await PoolRun(settings: settings).render(jobs, progress: onProgress)
    guard !interrupted else { return false }
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
    return true
  }

  /// Returns the plan in which each job replays its baseline's recording, if there is one.
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
  /// Path of the network's recording, which may not exist.
  var recording: String { "\(store.path)/network/\(key.text).zip" }
}
