internal import Core
internal import Foundation
internal import Glibc

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

/// A file that is written as its bytes come, and hashed on the way; closed with it.
final class FileSpool {
  private let path: String
  private let file: Int32
  private let hash = SHA256()
  private var size = 0
  private var beginning: [UInt8] = []

  /// Makes a file of which there is none yet.
  init(_ path: String) throws(Fault) {
    self.path = path
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DurableFile.fault("write", path) }
  }

  deinit { close(file) }

  /// Writes some more.
  func write(_ bytes: [UInt8]) throws(Fault) {
    if beginning.count < 4 { beginning += bytes.prefix(4 - beginning.count) }
    hash.update(bytes)
    size += bytes.count
    try DurableFile.write(all: bytes, to: file, at: path)
  }

  /// What it has become; nothing is written after that.
  func finish() -> SpooledFile {
    SpooledFile(path: path, size: size, hash: hash.finish().hex, beginning: beginning)
  }
}

/// A file of a request's that lies on the disk by the time anybody looks at it.
package struct SpooledFile: Hashable, Sendable {
  package let path: String
  /// In bytes.
  package let size: Int
  /// SHA-256 in lower-case hex.
  package let hash: String
  /// Its first bytes, four at most, which tell a zip.
  package let beginning: [UInt8]

  package init(path: String, size: Int, hash: String, beginning: [UInt8]) {
    (self.path, self.size, self.hash, self.beginning) = (path, size, hash, beginning)
  }
}
