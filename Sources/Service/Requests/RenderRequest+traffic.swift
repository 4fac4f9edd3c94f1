internal import Core
internal import FoundationEssentials
internal import Recordings
internal import RenderModel

extension RenderRequest {
  /// What becomes of requests that a recording doesn't have.
  package enum Missing: String, CaseIterable, Hashable, Sendable, Codable {
    case refuse, live
  }

  /// Reads what is to become of the creative's requests; `isAnswered` when a recording comes along.
  mutating func readTraffic(_ reader: inout FieldReader, isAnswered: Bool) {
    record = reader.flag("record").flatMap { $0 ? true : nil }
    replay = reader.text("replay", longest: 40)
    replayMissing = reader.word("replayMissing", of: Missing.self)
    networkProfile = reader.text("networkProfile")
    faults = reader.texts("faults", most: 20)
    do throws(Fault) {
      if let networkProfile { _ = try NetworkProfile(parsing: networkProfile) }
    } catch {
      reader.fail("networkProfile", error)
    }
    do throws(Fault) {
      for fault in faults ?? [] { _ = try NetworkFault(parsing: fault) }
    } catch {
      reader.fail("faults", error)
    }
    if isAnswered, replay != nil { reader.noteProblem("replay", "excludes a recording") }
    if record == true, explore != nil { reader.noteProblem("record", "goes with one render: not with explore") }
    if record == true, isAnswered || replay != nil { reader.noteProblem("record", "excludes a recording that answers") }
    if replayMissing != nil, !isAnswered, replay == nil {
      reader.noteProblem("replayMissing", "goes with a recording that answers")
    }
  }

  /// What a worker takes of it; nil where requests are left to the network.
  var traffic: TrafficOptions? {
    let mode: TrafficOptions.Mode =
      record == true ? .record : recording == nil ? .live : replayMissing == .live ? .replayOrLive : .replay
    guard mode != .live || networkProfile != nil || faults?.isEmpty == false else { return nil }
    return TrafficOptions(mode, profile: networkProfile, faults: faults ?? [])
  }
}

/// A recording that is to answer a render's requests, as it came with the request.
package enum AnsweringRecording: Hashable, Sendable {
  case file(SpooledFile)
  /// Another render's, by its id.
  case render(String)
}

/// The same once it is unpacked, in the request's folder.
struct TakenRecording: Hashable, Sendable {
  /// As it came.
  let file: SpooledFile
  /// What is in it.
  let folder: String
  /// Anybody may send one.
  static let bounds = RecordingBounds(bytes: 1 << 30, heads: 32 << 20)

  /// Unpacks a file; one that can't be is its sender's fault.
  init(_ file: SpooledFile, in uploads: UploadFolder) throws(Fault) {
    let isZip = file.beginning.starts(with: [0x50, 0x4B])
    let named = "\(uploads.path)/recording.\(isZip ? "zip" : "har")"
    try DurableFile.move(file.path, to: named)
    self.file = SpooledFile(path: named, size: file.size, hash: file.hash, beginning: file.beginning)
    folder = "\(uploads.path)/\(RenderFolder.recordingName)"
    do throws(Fault) {
      try RecordingFile.unpack(named, into: folder, within: Self.bounds)
    } catch {
      // A path of this server's is nobody's business.
      throw Fault(error.origin, error.code, error.message.replacing(named, with: "the recording"))
    }
  }

  /// Puts it into a render's folder.
  func move(to render: RenderFolder) throws(Fault) {
    try DurableFile.move(folder, to: render.recording)
    try DurableFile.move(file.path, to: "\(render.path)/\(file.path.split(separator: "/").last ?? "")")
  }
}
