internal import Foundation
internal import Jobs
internal import ServiceStore

/// Where the files of one request lie until they are taken over; made when the first comes.
struct UploadFolder: Sendable {
  let path: String

  init(_ data: DataFolder) { path = data.newScratch() }

  /// A file of this name, to be written.
  func spool(_ name: String) throws(Fault) -> FileSpool {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .engine("data-failed", "can't make the folder \(path): \(error.localizedDescription)")
    }
    return try FileSpool("\(path)/\(name)")
  }

  /// Removes it with all that nobody has taken over.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
