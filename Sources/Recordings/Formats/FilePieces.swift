internal import Core
internal import Files
internal import Foundation

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
      let count = Foundation.read(file, room.baseAddress, size)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Fault.request("recording-broken", "\(path) can't be read: \(SystemError(errno))") }
      guard count > 0 else { return }
      try handOn(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]))
    }
  }
}
