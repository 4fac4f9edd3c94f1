internal import Application
internal import ArgumentParser
internal import Core
internal import RenderModel
internal import Recordings

/// What becomes of creatives' requests: kept, answered from what was kept, slowed down, made to fail.
struct TrafficArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep every request and response in a .zip or .har; with several creatives in a folder of that name, one file each.",
      valueName: "file"))
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Answer every request from a recording, .zip or .har, or from a folder with one for each creative; nobody is spoken to.",
      valueName: "file"))
  var replay: String?

  @Option(help: "What becomes of requests that the recording doesn't have: refused, or sent to the network.")
  var replayMissing = Missing.refuse

  @Option(
    help: ArgumentHelp(
      "How fast the network is: 3g, 4g, slow-wifi, offline-after:2s, or latency=300ms,down=1.6mbit,loss=1%.",
      valueName: "profile"))
  var networkProfile: String?

  @Option(
    help: ArgumentHelp(
      "What goes wrong, each with its own --fault: 'host=cdn.* status=503 at=first', 'host=* dns', reset or stall.",
      valueName: "rule"))
  var fault: [String] = []

  enum Missing: String, CaseIterable, ExpressibleByArgument {
    case refuse, live
  }

  func validate() throws {
    if record != nil, replay != nil { throw ValidationError("--record and --replay don't go together") }
    if replay == nil, replayMissing == .live { throw ValidationError("--replay-missing goes with --replay") }
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

  /// Nil where requests are left to the network.
  var options: TrafficOptions? {
    let mode: TrafficOptions.Mode =
      record != nil ? .record : replay == nil ? .live : replayMissing == .live ? .replayOrLive : .replay
    guard mode != .live || networkProfile != nil || !fault.isEmpty else { return nil }
    return TrafficOptions(mode, profile: networkProfile, faults: fault)
  }

  /// Where the files are; a recording is unpacked.
  func plan() throws(Fault) -> RecordingPlan? {
    if let record { return RecordingPlan(record: record) }
    return try replay.map { path throws(Fault) in try RecordingFiles.plan(replay: path) }
  }
}
