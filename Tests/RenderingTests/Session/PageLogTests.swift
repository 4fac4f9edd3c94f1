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
  ) -> PageEvent<PageReport> {
    let report = PageReport(
      source: .page, name: "console", detail: ["text": .string(text)], time: time, consequence: consequence)
    return PageEvent(page: .creative, kind: .other, content: report)
  }

  @WebKitActor private func thrown(line: Double) -> PageEvent<PageReport> {
    let detail: JSONValue = ["file": "creative://ad/index.html", "line": .number(line), "column": 1, "message": ""]
    let report = PageReport(source: .page, name: "exception", detail: detail, time: 0, consequence: nil)
    return PageEvent(page: .creative, kind: .uncaught(SourcePlace(of: detail)), content: report)
  }

  @WebKitActor private func add(_ event: PageEvent<PageReport>) { log.add(event, of: PageCircumstances()) }

  @WebKitActor private var texts: [String] {
    recorder.events.compactMap { $0.detail["text"]?.string ?? $0.detail["line"]?.number.map { "line \($0.plain)" } }
  }

  @Test("tells what a page does by itself at once while the host rests")
  @WebKitActor func atOnce() {
    host.rests = true
    add(said("a"))
    #expect(texts == ["a"])
    #expect(log.isEmpty)
  }

  @Test("keeps it while the host is busy, and tells it in order with its own time once the host rests")
  @WebKitActor func later() async {
    add(said("a", at: 3))
    add(said("b", at: 4))
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
    add(
      said("a") {
        host.heard.append("a")
        host.rests = false
      })
    add(said("b") { host.heard.append("b") })
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

  @Test("loses nothing when the render is over, and acts on none of it")
  @WebKitActor func closing() {
    let host = host
    log.add(thrown(line: 1), of: PageCircumstances(loadPhase: .loading))
    add(said("late") { host.heard.append("late") })
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
