import AdManager
import Core
import Device
import Engine
import RenderModel
import Testing

@testable import Hosting
@testable import Rendering

@Suite("The turns of pages", .engine, .timeLimit(.minutes(1)))
struct PageTurnsTests {
  private let folder: TemporaryFolder
  private let recorder: Recorder
  private let turns: PageEventDispatcher
  private let host = Host()

  /// State of the host that decides if the log may report events.
  @EngineActor private final class Host {
    var rests = false
    var heard: [String] = []
  }

  @EngineActor init() throws {
    folder = try TemporaryFolder()
    recorder = Recorder(
      writer: try EventWriter(path: folder.path + "/events.ndjson"), clock: RenderClock())
    turns = PageEventDispatcher(recorder: recorder)
    turns.hostRests = { [host] in host.rests }
  }

  @EngineActor private func said(
    _ text: String, at time: Double = 0, then action: (() -> Void)? = nil
  ) -> PageEvent<PageReport> {
    let line = PageReport.Line(source: .page, name: "console", detail: ["text": .string(text)], time: time)
    return PageEvent(page: .creative, kind: .other, content: PageReport(line, action: action))
  }

  @EngineActor private func thrown(line: Double) -> PageEvent<PageReport> {
    let detail: JSONValue = ["file": "creative://ad/index.html", "line": .number(line), "column": 1, "message": ""]
    let line = PageReport.Line(source: .page, name: "exception", detail: detail, time: 0)
    return PageEvent(page: .creative, kind: .uncaught(SourcePlace(of: detail)), content: PageReport(line))
  }

  @EngineActor private func add(_ event: PageEvent<PageReport>) { turns.add(event, of: PageCircumstances()) }

  @EngineActor private var texts: [String] {
    recorder.events.compactMap { $0.detail["text"]?.string ?? $0.detail["line"]?.number.map { "line \($0.plain)" } }
  }

  @Test("tells what a page does by itself at once while the host rests")
  @EngineActor func atOnce() {
    host.rests = true
    add(said("a"))
    #expect(texts == ["a"])
    #expect(turns.isEmpty)
  }

  @Test("keeps it while the host is busy, and tells it in order with its own time once the host rests")
  @EngineActor func later() async {
    add(said("a", at: 3))
    add(said("b", at: 4))
    recorder.record(.host, "screenshot")
    #expect(texts.isEmpty)
    host.rests = true
    recorder.wakeWaiters()
    _ = await recorder.wait { [turns] in turns.isEmpty }
    #expect(recorder.events.map(\.name) == ["screenshot", "console", "console"])
    #expect(recorder.events.dropFirst().map(\.t) == [3, 4])
  }

  @Test("acts on each when it is told, and keeps the rest when that sets the host to work")
  @EngineActor func consequences() async {
    let (host, recorder, turns) = (host, recorder, turns)
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
    _ = await recorder.wait { turns.isEmpty }
    #expect(host.heard == ["a", "b"])
  }

  @Test("loses nothing when the render is over, and acts on none of it")
  @EngineActor func closing() {
    let host = host
    turns.add(thrown(line: 1), of: PageCircumstances(loadPhase: .loading))
    add(said("late") { host.heard.append("late") })
    turns.close()
    #expect(texts == ["line 1", "late"])
    #expect(host.heard.isEmpty)
    #expect(turns.isEmpty)
  }

  @Test("acts on what a page calls in its turn, once no transition and no picture is under way")
  @EngineActor func held() {
    let host = host
    host.rests = true
    turns.hold()
    turns.hold()
    let answer = PageCircumstances(isAnswering: true)
    for text in ["a", "b"] { turns.add(said(text) { host.heard.append(text) }, of: answer) }
    #expect(texts == ["a", "b"])
    turns.release()
    #expect(host.heard.isEmpty)
    #expect(!turns.areOpen)
    turns.release()
    #expect(host.heard == ["a", "b"])
    #expect(turns.areOpen)
  }

  @Test("stops again when what waited begins a transition")
  @EngineActor func reentry() {
    let (host, turns) = (host, turns)
    turns.hold()
    turns.pass {
      host.heard.append("a")
      turns.hold()
    }
    turns.pass { host.heard.append("b") }
    turns.release()
    #expect(host.heard == ["a"])
    turns.release()
    #expect(host.heard == ["a", "b"])
  }

  @Test("lets no newcomer overtake what waits")
  @EngineActor func noOvertaking() {
    let (host, turns) = (host, turns)
    turns.hold()
    turns.pass {
      host.heard.append("a")
      turns.pass { host.heard.append("c") }
    }
    turns.pass { host.heard.append("b") }
    turns.release()
    #expect(host.heard == ["a", "b", "c"])
  }
}
