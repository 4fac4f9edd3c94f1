import Core
import Glibc
import Testing

@Suite("What the system says of processes")
struct ProcFSTests {
  @Test("a program's name may hold spaces and brackets")
  func names() {
    let line = "42 (Web (Content) 1) R 1 42 42 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 9 0 123 456 789"
    #expect(ProcFS.ticks(line) == 300)
    #expect(ProcFS.ticks("42 (cut) R 1") == nil)
    #expect(ProcFS.ticks("") == nil)
  }

  @Test("this process has used some, and one that isn't there none")
  func processes() {
    #expect((ProcFS.processorSeconds(of: getpid()) ?? -1) >= 0)
    #expect(ProcFS.processorSeconds(of: 0x7FFF_FFF0) == nil)
  }

  @Test("this one's memory is told, and none of one that isn't there")
  func memory() throws {
    let own = try #require(ProcFS.mebibytes(of: getpid()))
    #expect((10...100_000).contains(own))
    #expect(ProcFS.mebibytes(of: -1) == nil)
  }

  @Test("this one is listed as this user's, with its name and its open files")
  func own() {
    #expect(ProcFS.ids.contains(getpid()))
    #expect(ProcFS.isOwn(getpid()))
    #expect(!ProcFS.name(of: getpid()).isEmpty)
    #expect(ProcFS.openFiles(of: getpid()) > 2)
    #expect(ProcFS.descendants(of: -1).isEmpty)
  }
}
