package import Core
internal import Foundation
internal import Recordings
package import RenderModel
internal import Workers

/// Recordings as files: unpacked before renders, packed after them.
package enum RecordingFiles {
  /// Returns the plan for replaying a recording.
  ///
  /// A file is unpacked, and the folder of an unpacked recording is used as it is. Any other folder has a recording for
  /// each creative.
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

  /// Indicates if the program that records and replays is installed beside this one.
  package static var recorderIsThere: Bool { Executables.beside("galley-recorder") != nil }

  /// Unpacks a recording and returns its folder.
  package static func unpacked(_ path: String) throws(Fault) -> String {
    let folder = try ScratchFolder.make()
    try RecordingFile.unpack(path, into: folder)
    return folder
  }

  /// Returns a job that is recorded or replayed with conditions that make it send the same requests; others unchanged.
  ///
  /// Seed and date are those of the recording, or 1 and `now` if there are none; `now` is in seconds since 1970.
  package static func prepared(_ job: RenderJob, answeredFrom folder: String? = nil, now: Double) -> RenderJob {
    guard job.options.traffic != nil else { return job }
    var job = job
    if let folder { job.options.traffic?.folder = folder }
    let isReplayed = job.options.traffic?.folder != nil
    let recorded = job.options.traffic?.folder.flatMap { try? RecordingFolder.open($0).conditions }
    job.options.assume(seed: recorded?.seed, date: recorded?.date)
    job.options.assume(
      UserSettings(
        locale: recorded?.locale.flatMap { LanguageTag($0) }, timeZone: recorded?.timeZone.flatMap { TimeZoneName($0) },
        colorScheme: recorded?.colorScheme.flatMap(ColorScheme.init), reducedMotion: recorded?.reducedMotion))
    if !isReplayed { job.options.assume(seed: 1, date: now.rounded()) }
    return job
  }

  /// Writes the recording of a job's render to a file and removes its folder; does nothing if there is no recording.
  package static func keep(_ job: RenderJob, in path: String) throws(Fault) {
    let folder = ResultFolder(job.output).recording
    guard FileManager.default.fileExists(atPath: folder) else { return }
    let recording = try RecordingFolder.open(folder)
    let (options, settings) = (job.options, job.options.settings)
    try recording.write(
      RecordedConditions(
        seed: options.seed, date: options.date, locale: settings.locale?.text, timeZone: settings.timeZone?.text,
        colorScheme: settings.colorScheme?.rawValue, reducedMotion: settings.reducedMotion))
    try noteInitiators(of: job, in: recording)
    try RecordingFile.pack(folder, to: path, title: job.creative.name)
    try? FileManager.default.removeItem(atPath: folder)
  }
}

extension RecordingFiles {
  /// Adds the initiators of requests, which are known from measurements but not from the network traffic.
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
  /// Returns the jobs with their recordings, if there are any; called before jobs are submitted to a pool.
  func prepared(_ jobs: [RenderJob]) -> [RenderJob] { recordings.map { jobs.map($0.prepared) } ?? jobs }
}

extension RecordingPlan {
  /// Packs the recordings of an exploration's trials one after the other; returns the error message, nil on success.
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

  /// Returns the job with its recording, if there is one, and with conditions that make it send the same requests.
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

  /// Packs the recording of a job's render; returns the error message, nil on success.
  func keep(_ job: RenderJob, ofSeveral isSeveral: Bool) -> String? {
    guard let record else { return nil }
    do {
      try RecordingFiles.keep(job, in: isSeveral ? Self.file(record, for: job.creative.name) : Self.named(record))
      return nil
    } catch {
      return error.message
    }
  }

  /// Returns the files to which the recordings of these jobs are written.
  package func files(for jobs: [RenderJob]) -> [String] {
    guard let record else { return [] }
    return jobs.count > 1 ? jobs.map { Self.file(record, for: $0.creative.name) } : [Self.named(record)]
  }

  private static func named(_ record: String) -> String {
    RecordingFile.format(of: record) == nil ? "\(record).zip" : record
  }

  /// Returns the file of one creative in the folder for several.
  private static func file(_ record: String, for name: String) -> String {
    let format = RecordingFile.format(of: record)
    let folder = format.map { String(record.dropLast($0.rawValue.count + 1)) } ?? record
    return "\(folder)/\(name).\((format ?? .zip).rawValue)"
  }
}
