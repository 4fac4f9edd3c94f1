internal import Core
internal import Foundation
internal import Glibc

/// Folder for the files of one request until they are moved to their places; created with the first file.
struct UploadFolder: Sendable {
  let path: String

  init(_ data: DataFolder) { path = data.newScratch() }

  /// Creates a file with this name for writing.
  func spool(_ name: String) throws(Fault) -> FileSpool {
    do {
      try PrivateFolder.make(path)
    } catch {
      throw .engine("data-failed", "can't make the folder \(path): \(error)")
    }
    return try FileSpool("\(path)/\(name)")
  }

  /// Removes the folder with all files still in it.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// A file that is written and hashed as its bytes arrive; closed with the object.
final class FileSpool {
  private let path: String
  private let file: Int32
  private let hash = SHA256()
  private var size = 0
  private var beginning: [UInt8] = []

  /// Creates a file, which must not exist yet.
  init(_ path: String) throws(Fault) {
    self.path = path
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DurableFile.fault("write", path) }
  }

  deinit { close(file) }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(Fault) {
    if beginning.count < 4 { beginning += bytes.prefix(4 - beginning.count) }
    hash.update(bytes)
    size += bytes.count
    try DurableFile.write(all: bytes, to: file, at: path)
  }

  /// Ends the writing and returns the description of the file.
  func finish() -> SpooledFile {
    SpooledFile(path: path, size: size, hash: hash.finish().hex, beginning: beginning)
  }
}

/// A complete file of a request on the disk.
package struct SpooledFile: Hashable, Sendable {
  package let path: String
  /// Size in bytes.
  package let size: Int
  /// SHA-256 in lower-case hexadecimal digits.
  package let hash: String
  /// Its first bytes, at most four, by which a zip is recognised.
  package let beginning: [UInt8]

  package init(path: String, size: Int, hash: String, beginning: [UInt8]) {
    (self.path, self.size, self.hash, self.beginning) = (path, size, hash, beginning)
  }
}
