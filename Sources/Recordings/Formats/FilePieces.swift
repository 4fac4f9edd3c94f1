internal import Core
internal import Files
internal import Glibc

/// Reads files one piece at a time, so that large files are never whole in memory.
package enum FilePieces {
  /// Number of bytes that are read at once.
  static let size = 1 << 16

  /// Passes on the bytes of a regular file, piece by piece.
  package static func read(_ path: String, _ handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw Fault.request("recording-broken", "can't read \(path): \(SystemError(errno))") }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw Fault.request("recording-broken", "can't read \(path): it isn't a regular file")
    }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    defer { room.deallocate() }
    while true {
      let count = Glibc.read(file, room.baseAddress, size)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Fault.request("recording-broken", "can't read \(path): \(SystemError(errno))") }
      guard count > 0 else { return }
      try handOn(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]))
    }
  }
}

/// A file opened at an offset, read one piece at a time.
package final class FilePart {
  private let file: Int32

  /// Opens the file at an offset; nil if there is no such file.
  package init?(_ path: String, from offset: Int) {
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0, lseek(file, off_t(offset), SEEK_SET) >= 0 else { return nil }
  }

  deinit { if file >= 0 { close(file) } }

  /// Returns the next bytes, at most `most`; nil at the end or if the file can't be read.
  package func read(_ most: Int) -> [UInt8]? {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, most)) { room, filled in
      repeat { count = Glibc.read(file, room.baseAddress, room.count) } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    return count > 0 ? bytes : nil
  }
}
