package import Core
internal import Foundation
internal import Recordings
package import RenderModel
internal import Workers

/// Recordings as files: unpacked before renders, packed after them.
package enum RecordingFiles {
  /// Where answers come from: a file is unpacked, a recording's folder is taken as it is, and any other has one for each
  /// creative.
  package static func plan(replay path: String) throws(Fault) -> RecordingPlan {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .request("recording-missing", "there is no recording \(path)")
    }
    guard isFolder.boolValue else { return RecordingPlan(replay: try unpacked(path)) }
    let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
    return FileManager.default.fileExists(atPath: "\(absolute)/exchanges.ndjson")
      ? RecordingPlan(replay: absolute) : RecordingPlan(replayEach: absolute)
  }

  /// Whether the program that records and replays stands beside this one.
  package static var recorderIsThere: Bool { Executables.beside("galley-recorder") != nil }

  /// A folder with what a recording has.
  package static func unpacked(_ path: String) throws(Fault) -> String {
    let folder = try ScratchFolder.make()
    try RecordingFile.unpack(path, into: folder)
    return folder
  }

  /// A job whose requests are kept or answered, with what makes it ask for the same again; any other as it is.
  ///
  /// What chance and the date begin with is as it was recorded, or 1 and `now` where nobody says; `now` is in seconds
  /// since 1970.
  package static func prepared(_ job: RenderJob, answeredFrom folder: String? = nil, now: Double) -> RenderJob {
    guard job.options.traffic != nil else { return job }
    var job = job
    if let folder { job.options.traffic?.folder = folder }
    let isReplayed = job.options.traffic?.folder != nil
    let recorded = job.options.traffic?.folder.flatMap { try? RecordingFolder.open($0).conditions }
    job.options.assume(seed: recorded?.seed, date: recorded?.date)
    if !isReplayed { job.options.assume(seed: 1, date: now.rounded()) }
    return job
  }

  /// Writes what a job's render kept to a file, and takes away the folder that it was kept in; nothing where it kept
  /// nothing.
  package static func keep(_ job: RenderJob, in path: String) throws(Fault) {
    let folder = ResultFolder(job.output).recording
    guard FileManager.default.fileExists(atPath: folder) else { return }
    let recording = try RecordingFolder.open(folder)
    try recording.write(RecordedConditions(seed: job.options.seed, date: job.options.date))
    try noteInitiators(of: job, in: recording)
    try RecordingFile.pack(folder, to: path, title: job.creative.name)
    try? FileManager.default.removeItem(atPath: folder)
  }
}

extension RecordingFiles {
  /// Adds what of the page asked for what, which the way to the network doesn't show and measuring does.
  private static func noteInitiators(of job: RenderJob, in recording: RecordingFolder) throws(Fault) {
    guard let measured = ResultFolder(job.output).readMeasurements()?.resources else { return }
    let known = measured.flatMap { resource in
      (resource.redirects + [resource.url]).map { ($0, resource.initiator) }
    }
    let initiators = Dictionary(known) { first, second in first ?? second }.compactMapValues(\.self)
    guard !initiators.isEmpty else { return }
    try recording.replace(
      try recording.exchanges().map { exchange in
        var exchange = exchange
        exchange.initiator = initiators[exchange.url]
        return exchange
      })
  }
}

extension PoolSettings {
  /// Jobs with their recordings, where they have any: whoever hands jobs to a pool prepares them first.
  func prepared(_ jobs: [RenderJob]) -> [RenderJob] { recordings.map { jobs.map($0.prepared) } ?? jobs }
}

extension RecordingPlan {
  /// Packs what all trials of an exploration kept, one behind the other; what went wrong with it, if anything.
  func keep(trialsOf exploration: ExplorationJob, ofSeveral isSeveral: Bool) -> String? {
    guard record != nil else { return nil }
    let kept = exploration.outputs.compactMap { try? RecordingFolder.open(ResultFolder($0).recording) }
    guard let first = kept.first else { return nil }
    do {
      try RecordingEdit.add(Array(kept.dropFirst()), to: first)
    } catch {
      return error.message
    }
    return keep(exploration.job, ofSeveral: isSeveral)
  }

  /// The job with its recording, where it has one, and with what makes it ask for the same again.
  func prepared(_ job: RenderJob) -> RenderJob {
    guard job.options.traffic != nil else { return job }
    return RecordingFiles.prepared(withRecording(job), now: Date().timeIntervalSince1970)
  }

  private func withRecording(_ job: RenderJob) -> RenderJob {
    var job = job
    if let replay { job.options.traffic?.folder = replay }
    guard let replayEach else { return job }
    let names = RecordingFile.Format.allCases.map { "\(replayEach)/\(job.creative.name).\($0.rawValue)" }
    let found = names.first { FileManager.default.fileExists(atPath: $0) } ?? names[0]
    do {
      job.options.traffic?.folder = try RecordingFiles.unpacked(found)
    } catch {
      // The recorder says that there is none, and the render fails by that.
      job.options.traffic?.folder = found
      job.warnings.append(error.message)
    }
    return job
  }

  /// Packs what a job's render kept; what went wrong with it, if anything.
  func keep(_ job: RenderJob, ofSeveral isSeveral: Bool) -> String? {
    guard let record else { return nil }
    do {
      try RecordingFiles.keep(job, in: isSeveral ? Self.file(record, for: job.creative.name) : Self.named(record))
      return nil
    } catch {
      return error.message
    }
  }

  private static func named(_ record: String) -> String {
    RecordingFile.format(of: record) == nil ? "\(record).zip" : record
  }

  /// One creative's file in the folder for several.
  private static func file(_ record: String, for name: String) -> String {
    let format = RecordingFile.format(of: record)
    let folder = format.map { String(record.dropLast($0.rawValue.count + 1)) } ?? record
    return "\(folder)/\(name).\((format ?? .zip).rawValue)"
  }
}
