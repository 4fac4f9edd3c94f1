internal import Core
internal import Files
internal import Glibc

/// Files a piece at a time, so that none of any size is in memory.
package enum FilePieces {
  /// Bytes that are read at once.
  static let size = 1 << 16

  /// Hands on a regular file's bytes.
  package static func read(_ path: String, _ handOn: (UnsafeRawBufferPointer) throws -> Void) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw Fault.request("recording-broken", "\(path) can't be read: \(SystemError(errno))") }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw Fault.request("recording-broken", "\(path) can't be read: it is no regular file")
    }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    defer { room.deallocate() }
    while true {
      let count = Glibc.read(file, room.baseAddress, size)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Fault.request("recording-broken", "\(path) can't be read: \(SystemError(errno))") }
      guard count > 0 else { return }
      try handOn(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]))
    }
  }
}

/// A file that is open from some place on, read a piece at a time.
package final class FilePart {
  private let file: Int32

  /// Nil where there is no such file.
  package init?(_ path: String, from offset: Int) {
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0, lseek(file, off_t(offset), SEEK_SET) >= 0 else { return nil }
  }

  deinit { if file >= 0 { close(file) } }

  /// The next bytes, at most so many; nil at its end, or where it can't be read.
  package func read(_ most: Int) -> [UInt8]? {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, most)) { room, filled in
      repeat { count = Glibc.read(file, room.baseAddress, room.count) } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    return count > 0 ? bytes : nil
  }
}
