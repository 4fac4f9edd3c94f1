import Testing
import WebKitRuntime

@testable import Rendering

@Suite("The command gate", .engine)
struct CommandGateTests {
  @WebKitActor private final class Log {
    var entries: [Int] = []
  }

  @Test("lets a command through at once while nothing holds it")
  @WebKitActor func open() {
    let (gate, log) = (CommandGate(), Log())
    gate.pass { log.entries.append(1) }
    #expect(log.entries == [1])
    #expect(gate.isOpen)
  }

  @Test("keeps commands in order until the last hold is released")
  @WebKitActor func order() {
    let (gate, log) = (CommandGate(), Log())
    gate.hold()
    gate.hold()
    for number in 1...3 { gate.pass { log.entries.append(number) } }
    gate.release()
    #expect(log.entries.isEmpty)
    #expect(!gate.isOpen)
    gate.release()
    #expect(log.entries == [1, 2, 3])
    #expect(gate.isOpen)
  }

  @Test("stops again when a command that waited closes it")
  @WebKitActor func reentry() {
    let (gate, log) = (CommandGate(), Log())
    gate.hold()
    gate.pass {
      log.entries.append(1)
      gate.hold()
    }
    gate.pass { log.entries.append(2) }
    gate.release()
    #expect(log.entries == [1])
    gate.release()
    #expect(log.entries == [1, 2])
  }

  @Test("lets no newcomer overtake what waits")
  @WebKitActor func noOvertaking() {
    let (gate, log) = (CommandGate(), Log())
    gate.hold()
    gate.pass {
      log.entries.append(1)
      gate.pass { log.entries.append(3) }
    }
    gate.pass { log.entries.append(2) }
    gate.release()
    #expect(log.entries == [1, 2, 3])
  }

  @Test("drops what a page calls beyond a thousand commands")
  @WebKitActor func capacity() {
    let (gate, log) = (CommandGate(), Log())
    gate.hold()
    for number in 1...1_200 { gate.pass { log.entries.append(number) } }
    gate.release()
    #expect(log.entries == Array(1...1_000))
  }
}
