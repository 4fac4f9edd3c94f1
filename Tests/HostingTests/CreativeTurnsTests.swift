import AdManager
import Testing

@testable import Hosting

@Suite("The turns of a feed's creatives")
struct CreativeTurnsTests {
  private let first = AdUnit(identifier: "feed-ads", index: 0)
  private let second = AdUnit(identifier: "feed-ads", index: 1)

  @Test("go round, whichever place asks")
  func round() {
    var turns = CreativeTurns()
    let places = [first, second, first, second].map { turns.next(for: $0, isFirstTry: true, of: 3) }
    #expect(places == [0, 1, 2, 0])
  }

  @Test("give another try the same creative, though others had their turn meanwhile")
  func again() {
    var turns = CreativeTurns()
    #expect(turns.next(for: first, isFirstTry: true, of: 3) == 0)
    #expect(turns.next(for: second, isFirstTry: true, of: 3) == 1)
    #expect(turns.next(for: first, isFirstTry: false, of: 3) == 0)
    #expect(turns.next(for: first, isFirstTry: true, of: 3) == 2)
  }

  @Test("go on with the next creative when the feed is put together anew, also for another try")
  func anew() {
    var turns = CreativeTurns()
    #expect(turns.next(for: first, isFirstTry: true, of: 2) == 0)
    turns.forgetUnits()
    #expect(turns.next(for: first, isFirstTry: false, of: 2) == 1)
    #expect(turns.next(for: first, isFirstTry: true, of: 2) == 0)
  }
}
