import Checks
import Foundation
import Testing

@testable import Application

/// Reading of a policy from every place that a call may name.
@Suite struct PolicyFileTests {
  /// Reads a policy from a pipe once for both uses: a call takes options from it first, and then rules.
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
