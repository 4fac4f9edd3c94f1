import Checks
import Foundation
import Testing

@testable import Application

/// Reading a policy from wherever a call names it.
@Suite struct PolicyFileTests {
  /// A call looks for options in it first, and for rules after that.
  @Test func aPipeIsReadOnceAndLookedAtTwice() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("profile: [iab, unity]\n".utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    for _ in 0..<2 {
      #expect(try PolicyFile(named: path, creatives: []).policy.profiles == ["iab", "unity"])
    }
  }
}
