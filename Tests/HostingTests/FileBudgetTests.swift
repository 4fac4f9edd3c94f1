import Hosting
import RenderModel
import Testing

@Suite("Bodies that are read for their digests")
struct FileBudgetTests {
  private let budget = FileBudget()

  @Test("are those of each file once, up to 32 MiB")
  func files() {
    #expect(budget.takes("a.js", bytes: 32 << 20))
    #expect(!budget.takes("a.js", bytes: 1))
    #expect(!budget.takes("b.js", bytes: (32 << 20) + 1))
    #expect(budget.takes("b.js", bytes: 0) && budget.takes("c.js", bytes: -1))
  }

  @Test("have 256 MiB in all")
  func sum() {
    let taken = (0..<20).filter { budget.takes("\($0).bin", bytes: 30 << 20) }
    #expect(taken == Array(0..<8))
    #expect(budget.takes("small.js", bytes: 16 << 20))
    #expect(!budget.takes("other.js", bytes: 1) && !budget.takes("unstated.js", bytes: -1))
  }

  @Test("count as long as they turn out to be")
  func unstated() {
    #expect(budget.takes("a.js", bytes: -1))
    #expect(!budget.keeps(200 << 20, stated: -1))
    #expect(budget.takes("b.js", bytes: 1 << 20))
    #expect(budget.keeps(32 << 20, stated: 1 << 20))
    #expect(!budget.takes("c.js", bytes: 25 << 20) && budget.takes("c.js", bytes: 24 << 20))
  }

  @Test("are of no more files than a result lists")
  func number() {
    let taken = (0...DeliveredFiles.mostFiles).filter { budget.takes("\($0)", bytes: 1) }
    #expect(taken.count == DeliveredFiles.mostFiles)
  }
}
