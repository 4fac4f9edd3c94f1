import AdManager
@testable import Rendering
import Testing
import WebKitRuntime

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

@Suite("The line of a feed's loads", .engine)
struct LoadLineTests {
  /// What has begun to load, and how each is ended.
  @WebKitActor private final class Loads {
    var begun: [Int] = []
    var ends: [() -> Void] = []

    func add(_ number: Int, to line: AdLoadQueue) {
      line.add { done in
        self.begun.append(number)
        self.ends.append(done)
      }
    }
  }

  @Test("begins one when the one before has ended")
  @WebKitActor func order() {
    let (line, loads) = (AdLoadQueue(), Loads())
    for number in 1...3 { loads.add(number, to: line) }
    #expect(loads.begun == [1])
    loads.ends[0]()
    #expect(loads.begun == [1, 2])
    loads.ends[1]()
    loads.ends[2]()
    #expect(loads.begun == [1, 2, 3])
    #expect(line.isEmpty)
  }

  @Test("hears an end once, however often it is told")
  @WebKitActor func once() {
    let (line, loads) = (AdLoadQueue(), Loads())
    for number in 1...3 { loads.add(number, to: line) }
    loads.ends[0]()
    loads.ends[0]()
    #expect(loads.begun == [1, 2])
  }

  @Test("begins none while it is held, and goes on where it was")
  @WebKitActor func held() {
    let (line, loads) = (AdLoadQueue(), Loads())
    line.hold()
    loads.add(1, to: line)
    #expect(loads.begun.isEmpty)
    #expect(!line.isEmpty)
    line.release()
    #expect(loads.begun == [1])
  }
}
