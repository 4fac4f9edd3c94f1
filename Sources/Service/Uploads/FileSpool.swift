internal import Digests
internal import Foundation
internal import Glibc
internal import Jobs
internal import ServiceStore

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
    guard file >= 0 else { throw Durable.fault("write", path) }
  }

  deinit { close(file) }

  /// Writes some more.
  func write(_ bytes: [UInt8]) throws(Fault) {
    if beginning.count < 4 { beginning += bytes.prefix(4 - beginning.count) }
    hash.update(bytes)
    size += bytes.count
    try Durable.write(all: bytes, to: file, at: path)
  }

  /// What it has become; nothing is written after that.
  func finish() -> SpooledFile {
    SpooledFile(path: path, size: size, hash: hash.finish().hex, beginning: beginning)
  }
}
