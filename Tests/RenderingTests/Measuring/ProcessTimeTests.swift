import Glibc
import Testing

@testable import Rendering

@Suite("What a process used of the processor")
struct ProcessTimeTests {
  @Test("a program's name may hold spaces and brackets")
  func names() {
    let line = "42 (Web (Content) 1) R 1 42 42 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 9 0 123 456 789"
    #expect(ProcessTime.ticks(line) == 300)
    #expect(ProcessTime.ticks("42 (cut) R 1") == nil)
    #expect(ProcessTime.ticks("") == nil)
  }

  @Test("this process has used some, and one that isn't there none")
  func processes() {
    #expect((ProcessTime.seconds(of: getpid()) ?? -1) >= 0)
    #expect(ProcessTime.seconds(of: 0x7FFF_FFF0) == nil)
  }
}
