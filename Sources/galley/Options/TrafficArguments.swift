internal import Application
internal import ArgumentParser
internal import Core
internal import Recordings
internal import RenderModel

/// Options for creatives' requests: recording, replaying, slowing them down and making them fail.
struct TrafficArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Record all requests and responses in a .zip or .har; several creatives: a folder with one file each.",
      valueName: "file"))
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Replay all responses from a recording (.zip or .har) or a folder with one per creative, without network access.",
      valueName: "file"))
  var replay: String?

  @Option(help: "Requests that the recording doesn't contain: refuse them, or send them to the network.")
  var replayMissing = Missing.refuse

  @Option(
    help: ArgumentHelp(
      "Network speed: 3g, 4g, slow-wifi, offline-after:2s, or latency=300ms,down=1.6mbit,loss=1%.",
      valueName: "profile"))
  var networkProfile: String?

  @Option(
    help: ArgumentHelp(
      "A network fault; repeatable: 'host=cdn.* status=503 at=first', 'host=* dns', reset or stall.",
      valueName: "rule"))
  var fault: [String] = []

  enum Missing: String, CaseIterable, ExpressibleByArgument {
    case refuse, live
  }

  func validate() throws {
    if record != nil, replay != nil { throw ValidationError("--record and --replay can't be combined") }
    if replay == nil, replayMissing == .live { throw ValidationError("--replay-missing requires --replay") }
    if let record, RecordingFile.format(of: record) == nil, record.split(separator: "/").last?.contains(".") == true {
      throw ValidationError("--record writes a .zip or a .har, not '\(record)'")
    }
    do {
      _ = try networkProfile.map { text throws(Fault) in try NetworkProfile(parsing: text) }
      for rule in fault { _ = try NetworkFault(parsing: rule) }
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// Options for the render; nil if all requests go to the network unchanged.
  var options: TrafficOptions? {
    let mode: TrafficOptions.Mode =
      record != nil ? .record : replay == nil ? .live : replayMissing == .live ? .replayOrLive : .replay
    guard mode != .live || networkProfile != nil || !fault.isEmpty else { return nil }
    return TrafficOptions(mode, profile: networkProfile, faults: fault)
  }

  /// Returns the plan with the files of the recordings, and unpacks recordings that are replayed; nil for neither.
  func plan() throws(Fault) -> RecordingPlan? {
    if let record { return RecordingPlan(record: record) }
    return try replay.map { path throws(Fault) in try RecordingFiles.plan(replay: path) }
  }
}
