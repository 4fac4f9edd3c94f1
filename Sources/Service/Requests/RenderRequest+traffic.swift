internal import Core
internal import FoundationEssentials
internal import Recordings
internal import RenderModel
internal import Scheduling

extension RenderRequest {
  /// Reads the members about the creative's requests.
  ///
  /// - Parameter isAnswered: true if the request carries a recording.
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
    if record == true, explore != nil { reader.noteProblem("record", "excludes explore") }
    if record == true, isAnswered || replay != nil { reader.noteProblem("record", "excludes replay and recording") }
    if replayMissing != nil, !isAnswered, replay == nil {
      reader.noteProblem("replayMissing", "requires replay or recording")
    }
  }
}

/// A recording that answers a render's requests.
package enum AnsweringRecording: Hashable, Sendable {
  case file(SpooledFile)
  /// The recording of another render, by its id.
  case render(String)
}

/// The recording after unpacking, in the request's folder.
struct TakenRecording: Hashable, Sendable {
  /// The recording's file as it arrived.
  let file: SpooledFile
  /// The folder with its unpacked contents.
  let folder: String

  /// Unpacks a file. The sender is at fault if that fails.
  init(_ file: SpooledFile, in uploads: UploadFolder) throws(Fault) {
    let isZip = file.beginning.starts(with: [0x50, 0x4B])
    let named = "\(uploads.path)/recording.\(isZip ? "zip" : "har")"
    try DurableFile.move(file.path, to: named)
    self.file = SpooledFile(path: named, size: file.size, hash: file.hash, beginning: file.beginning)
    folder = "\(uploads.path)/\(RenderFolder.recordingName)"
    do throws(Fault) {
      try RecordingFile.unpack(named, into: folder, within: RenderFolder.recordingBounds)
    } catch {
      // A path of this server's is nobody's business.
      throw Fault(error.origin, error.code, error.message.replacing(named, with: "the recording"))
    }
  }

  /// Moves the recording into a render's folder.
  func move(to render: RenderFolder) throws(Fault) {
    try DurableFile.move(folder, to: render.recording)
    try DurableFile.move(file.path, to: "\(render.path)/\(file.path.split(separator: "/").last ?? "")")
  }
}
