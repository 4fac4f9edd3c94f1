package import Core
internal import FoundationEssentials

extension RecordingFile {
  /// Reads a recording into an empty folder: a file, or a folder as renders leave it, which stays as it is.
  @discardableResult
  package static func copy(_ path: String, into folder: String) throws(Fault) -> RecordingFolder {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .request("recording-missing", "there is no recording \(path)")
    }
    guard isFolder else { return try unpack(path, into: folder) }
    let copy = try RecordingFolder.create(folder)
    try RecordingEdit.add(try RecordingFolder.open(path), to: copy)
    return copy
  }
}
