package import Core
internal import FoundationEssentials

extension RecordingFile {
  /// Copies a recording into an empty folder, from a file or from a folder of a render; the source isn't changed.
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
