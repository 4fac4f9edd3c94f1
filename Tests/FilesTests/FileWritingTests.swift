import Foundation
import Testing

@testable import Files

@Suite("Writing all bytes")
struct FileWritingTests {
  @Test("goes on after a part and after an interruption")
  func parts() throws {
    var written: [UInt8] = []
    var calls = 0
    try FileWriting.writeAll(Array("in several parts".utf8)) { bytes in
      calls += 1
      if calls.isMultiple(of: 2) {
        errno = EINTR
        return -1
      }
      let part = bytes.prefix(5)
      written += part
      return part.count
    }
    #expect(String(decoding: written, as: UTF8.self) == "in several parts")
  }

  @Test("fails where nothing is written, and doesn't try for ever")
  func nothing() {
    #expect(throws: SystemError(EIO)) { try FileWriting.writeAll([1, 2, 3]) { _ in 0 } }
  }

  @Test("tells the system's reason")
  func reason() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let error = try #require(throws: SystemError.self) { try FileWriting.writeAll("x".utf8, to: full) }
    #expect(error == SystemError(ENOSPC))
    #expect("\(error)" == "no space left on device")
  }
}
