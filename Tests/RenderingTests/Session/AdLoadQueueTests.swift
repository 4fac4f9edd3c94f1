import Engine
import Testing

@testable import Hosting

@Suite("The line of a feed's loads", .engine)
struct LoadLineTests {
  /// Loads that have begun, and the actions that end them.
  @EngineActor private final class Loads {
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
  @EngineActor func order() {
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
  @EngineActor func once() {
    let (line, loads) = (AdLoadQueue(), Loads())
    for number in 1...3 { loads.add(number, to: line) }
    loads.ends[0]()
    loads.ends[0]()
    #expect(loads.begun == [1, 2])
  }

  @Test("begins none while it is held, and goes on where it was")
  @EngineActor func held() {
    let (line, loads) = (AdLoadQueue(), Loads())
    line.hold()
    loads.add(1, to: line)
    #expect(loads.begun.isEmpty)
    #expect(!line.isEmpty)
    line.release()
    #expect(loads.begun == [1])
  }
}
