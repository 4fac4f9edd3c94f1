import AdManager
import Core
@testable import Rendering
import RenderModel
import Testing
import WebKitRuntime

@Suite("The page log", .engine, .timeLimit(.minutes(1)))
struct PageLogTests {
  private let folder: TemporaryFolder
  private let recorder: Recorder
  private let log: PageLog
  private let host = Host()

  /// What the log asks whether it may speak.
  @WebKitActor private final class Host {
    var rests = false
    var heard: [String] = []
  }

  @WebKitActor init() throws {
    folder = try TemporaryFolder()
    recorder = Recorder(writer: try EventWriter(path: folder.path + "/events.ndjson"))
    log = PageLog(recorder: recorder)
    log.hostRests = { [host] in host.rests }
  }

  @WebKitActor private func said(
    _ text: String, at time: Double = 0, then consequence: (() -> Void)? = nil
  ) -> PageEvent {
    PageEvent(
      page: .creative, source: .page, name: "console", detail: ["text": .string(text)], time: time,
      consequence: consequence)
  }

  @WebKitActor private func thrown(line: Double, _ message: String = "") -> PageEvent {
    PageEvent(
      page: .creative, source: .page, name: "exception",
      detail: ["file": "creative://ad/index.html", "line": .number(line), "column": 1, "message": .string(message)],
      time: 0, consequence: nil)
  }

  @WebKitActor private var texts: [String] {
    recorder.events.compactMap { $0.detail["text"]?.string ?? $0.detail["line"]?.number.map { "line \($0.plain)" } }
  }

  @Test("tells what a page does by itself at once while the host rests")
  @WebKitActor func atOnce() {
    host.rests = true
    log.add(said("a"))
    #expect(texts == ["a"])
    #expect(log.isEmpty)
  }

  @Test("keeps it while the host is busy, and tells it in order with its own time once the host rests")
  @WebKitActor func later() async {
    log.add(said("a", at: 3))
    log.add(said("b", at: 4))
    recorder.record(.host, "screenshot")
    #expect(texts.isEmpty)
    host.rests = true
    recorder.wakeWaiters()
    _ = await recorder.wait { [log] in log.isEmpty }
    #expect(recorder.events.map(\.name) == ["screenshot", "console", "console"])
    #expect(recorder.events.dropFirst().map(\.t) == [3, 4])
  }

  @Test("acts on each when it is told, and keeps the rest when that sets the host to work")
  @WebKitActor func consequences() async {
    let (host, recorder, log) = (host, recorder, log)
    log.add(
      said("a") {
        host.heard.append("a")
        host.rests = false
      })
    log.add(said("b") { host.heard.append("b") })
    #expect(host.heard.isEmpty)
    host.rests = true
    recorder.wakeWaiters()
    _ = await recorder.wait { host.heard == ["a"] && !host.rests }
    #expect(texts == ["a"])
    host.rests = true
    recorder.wakeWaiters()
    _ = await recorder.wait { log.isEmpty }
    #expect(host.heard == ["a", "b"])
  }

  @Test("tells what answers the host at once, ahead of what waits")
  @WebKitActor func answers() {
    log.add(said("own"))
    log.addAnswer(said("answer"))
    #expect(texts == ["answer"])
  }

  @Test("tells a loading document's events at once, and errors that follow each other by their place")
  @WebKitActor func loading() {
    for event in [said("a"), thrown(line: 9), thrown(line: 2), said("b"), thrown(line: 5), thrown(line: 4)] {
      log.addLoading(event)
    }
    #expect(texts == ["a", "line 2", "line 9", "b"])
    log.endLoad()
    #expect(texts == ["a", "line 2", "line 9", "b", "line 4", "line 5"])
  }

  @Test("puts errors that waited next to each other in the order of their places too")
  @WebKitActor func waitingErrors() async {
    for event in [thrown(line: 7), thrown(line: 3), said("between"), thrown(line: 1)] { log.add(event) }
    host.rests = true
    recorder.wakeWaiters()
    _ = await recorder.wait { [log] in log.isEmpty }
    #expect(texts == ["line 3", "line 7", "between", "line 1"])
  }

  @Test("loses nothing when the render is over, and acts on none of it")
  @WebKitActor func closing() {
    let host = host
    log.addLoading(thrown(line: 1))
    log.add(said("late") { host.heard.append("late") })
    log.close()
    #expect(texts == ["line 1", "late"])
    #expect(host.heard.isEmpty)
    #expect(log.isEmpty)
  }
}

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
