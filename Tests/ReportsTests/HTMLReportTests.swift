import Checks
import Core
import Foundation
import FoundationXML
internal import Pixels
internal import RenderModel
import Testing

@testable import Reports

@Suite("The HTML page")
struct HTMLReportTests {
  private func page(_ report: CheckReport = Sample.full, exploration: String? = nil) async throws -> String {
    let folder = try SampleFolder(report, events: Sample.events, exploration: exploration)
    return await HTMLReport.text(folder.source)
  }

  private func count(_ needle: String, in text: String) -> Int { text.components(separatedBy: needle).count - 1 }

  @Test("the verdict comes first")
  func verdict() async throws {
    let text = try await page()
    let verdict = try #require(text.range(of: "1 failed, 1 timed out of 4 creatives</h1>"))
    let creative = try #require(text.range(of: "<h2>"))
    #expect(verdict.upperBound < creative.lowerBound)
    #expect(try await page(Sample.report([Sample.creative("fine")])).contains("The creative passes</h1>"))
  }

  @Test("no text of a creative's becomes markup, not even a quote with an accent")
  func hostile() async throws {
    var report = Sample.full
    report.creatives[1].name = "early\"\u{301} autofocus onfocus='x'><i>"
    report.creatives[1].record.message = Sample.hostile
    report.rules[0].title = "<b>title</b>"
    let text = try await page(report)
    #expect(count("<script", in: text) == 1)
    #expect(!text.contains("<b>title"))
    #expect(!text.contains("<i>"))
    #expect(text.contains("early&quot;\u{301} autofocus"))
    #expect(!text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{1B}" })
  }

  @Test("its policy lets nothing run or load but its own style and script")
  func policy() async throws {
    let text = try await page()
    #expect(text.contains("default-src 'none'; img-src data:"))
    for (tag, directive) in [("style", "style-src"), ("script", "script-src")] {
      let start = try #require(text.range(of: "<\(tag)>")).upperBound
      let end = try #require(text.range(of: "</\(tag)>")).lowerBound
      let hash = Data(SHA256.of(String(text[start..<end])).bytes).base64EncodedString()
      #expect(text.contains("\(directive) 'sha256-\(hash)'"))
    }
    #expect(!text.contains(" style="))
    #expect(!text.contains("innerHTML"))
    for address in ["src=\"http", "href=\"http://", "url(http", "@import", "<link"] { #expect(!text.contains(address)) }
  }

  @Test("pictures travel in the page, at the size they are shown")
  func screenshots() async throws {
    let text = try await page(Sample.report([Sample.creative("fine")]))
    // Two on the filmstrip, two of the graph's states; a wall of one creative would tell nothing.
    #expect(count("data:image/png;base64,", in: text) == 4)
    #expect(text.contains("width=\"39\" height=\"85\""))
  }

  @Test("a network whose rules weren't all tried has a sign of its own, with the means to try them")
  func notTried() async throws {
    let text = try await page(Sample.report([Sample.untried("fine"), Sample.creative("other")]))
    let why = "console-error (nothing was tapped; use --explore or --scenario)"
    #expect(text.contains("<td class=\"untried\" title=\"\(why)\">"))
    #expect(text.contains("not tried: \(why)</span>"))
    #expect(text.contains("<span class=\"untried\">? not tried</span>"))
    #expect(text.contains("<h1>All 2 creatives pass what was tried</h1>"))
    #expect(text.contains("1 check not tried"))
  }

  @Test("the wall has a card for each creative, with its picture, verdict and who refuses it")
  func wall() async throws {
    let text = try await page()
    #expect(count("<li class=\"card ", in: text) == 4)
    #expect(text.contains("<li class=\"card failed\" data-creative=\"c1\" data-place=\"0\" data-name=\"early\""))
    #expect(text.contains("data-checks=\"mraid-premature-call console-error\" data-refused=\"unity\""))
    #expect(text.contains("data-folder=\"Creatives\""))
    // The reason is on the mark itself, for who points at it and for who hears it.
    let why = "Calls MRAID before it is ready"
    #expect(text.contains("<li class=\"no\" title=\"\(why)\">"))
    #expect(text.contains(", refused: \(why)</span>"))
    let card = try #require(text.range(of: "<li class=\"card "))
    let details = try #require(text.range(of: "<details class=\"creative\""))
    #expect(card.upperBound < details.lowerBound, "pictures come first")
  }

  @Test("the ad alone travels beside the whole screen where there is one")
  func alone() async throws {
    let folder = try SampleFolder(Sample.report([Sample.creative("one"), Sample.creative("two")]))
    try PNGEncoder.write(
      Bitmap(width: 96, height: 15, fill: Color(red: 1, green: 2, blue: 3)),
      to: folder.path + "/one/screenshots/001-default-ad.png")
    let text = await HTMLReport.text(folder.source)
    #expect(count("class=\"thumb has-ad\"", in: text) == 1)
    #expect(count("class=\"thumb\"", in: text) == 1)
    #expect(text.contains("alt=\"one, 001-default, only the ad\" loading=\"lazy\" decoding=\"async\" hidden="))
  }

  @Test("equal pictures are shown once, and what points to one finds it")
  func folded() async throws {
    let folder = try SampleFolder(
      Sample.report([
        Sample.creative(
          "fine", status: .failed, findings: [Sample.finding("console-error", .warning, screenshot: "002-expanded")])
      ]), events: Sample.events)
    let shots = folder.path + "/fine/screenshots"
    try FileManager.default.removeItem(atPath: shots + "/002-expanded.png")
    try FileManager.default.copyItem(atPath: shots + "/001-default.png", toPath: shots + "/002-expanded.png")
    let text = await HTMLReport.text(folder.source)
    #expect(text.contains("identical: 002-expanded · 1.10 s"))
    #expect(!text.contains("id=\"c1-p2\""))
    #expect(text.contains("class=\"moment\" href=\"#c1-p1\""))
    #expect(!text.contains("data-picture=\"c1-p2\""))
  }

  @Test("what exploring found stands on the filmstrip and in the graph")
  func explored() async throws {
    let map = """
      {"states": [{"number": 1, "name": "default", "screenshot": "screenshots/001-default.png"},
                  {"number": 2, "name": "<browser>", "screenshot": "screenshots/002-expanded.png"}],
       "paths": [{"from": 1, "to": 2, "action": "tap a[href='x']"}],
       "anomalies": [{"code": "dead-tap", "message": "tap #b did nothing", "count": 3}]}
      """
    let text = try await page(Sample.report([Sample.creative("fine")]), exploration: map)
    #expect(text.contains("id=\"c1-s2\""))
    #expect(!text.contains("id=\"c1-s1\""))
    #expect(text.contains("2 &lt;browser&gt;</text>"))
    #expect(text.contains("tap #b did nothing (3 times)"))
    #expect(count("data:image/png;base64,", in: text) == 5)
  }

  @Test("the load is told by every boundary, and the headroom in percent")
  func load() async throws {
    let folder = try SampleFolder(
      Sample.report([Sample.creative("fine")]), events: Sample.events, measurements: Sample.measurements)
    let text = await HTMLReport.text(folder.source)
    #expect(text.contains("<td>DOMContentLoaded + 1 s</td><td class=\"number\">1.09 s</td>"))
    #expect(text.contains("99.9 %"))
    #expect(text.contains("https://ads.example/a.js"))
  }

  @Test("what a check finds again and again is folded, and advised on once")
  func repeats() async throws {
    let findings = (1...8).map { Sample.finding("console-error", .warning, "no. \($0)") }
    let text = try await page(Sample.report([Sample.creative("loud", findings: findings)]))
    #expect(count("<article class=\"finding warning\"", in: text) == 8)
    #expect(count("Do away with console-error.", in: text) == 1)
    #expect(text.contains("<summary>5 more of: Logs errors</summary>"))
  }

  @Test("a finding has its remedy, source, picture and event")
  func finding() async throws {
    let text = try await page()
    #expect(text.contains("Do away with mraid-premature-call."))
    #expect(
      text.contains(
        "href=\"https://example.com/standard#mraid-premature-call\" rel=\"noopener noreferrer\">A standard</a>, 2018-04"
      ))
    #expect(text.contains("class=\"moment\" href=\"#c1-p2\""))
    #expect(text.contains("href=\"#c1-e2\">event 2</a>"))
    #expect(text.contains("id=\"c1-e2\" class=\"found\""))
    #expect(text.contains("data-check=\"mraid-premature-call\" id=\"c1-f1\""))
    #expect(text.contains("href=\"#c1-f1\" aria-label=\"Link to this finding\""))
  }

  @Test("a step that failed has its line, duration, picture, calls, and ids that are there")
  func steps() async throws {
    var creative = Sample.creative("stepped", status: .failed)
    creative.record.steps = [
      RenderRecord.Step(line: 2, text: "tap: \"#buy\"", start: 300, end: 420),
      RenderRecord.Step(
        line: 3, text: "tap: \"#bye<b>\"", start: 900, end: 960, failure: "nothing in the ad matches #bye<b>",
        candidates: ["#buy", "#x<i>"]),
    ]
    let folder = try SampleFolder(Sample.report([creative]), events: Sample.events)
    let text = await HTMLReport.text(folder.source)
    #expect(text.contains("<li class=\"step\" data-start=\"300\" data-end=\"420\">"))
    #expect(text.contains(" line 2 · at 0.30 s · 0.12 s "))
    #expect(text.contains("<li class=\"step bad\" data-start=\"900\" data-end=\"960\">"))
    #expect(text.contains("Existing ids: <code>#buy</code> <code>#x&lt;i&gt;</code>"))
    #expect(text.contains("<summary>1 events during the step</summary>") == false)
    #expect(text.contains("<summary>1 event during the step</summary>"))
    #expect(text.contains("<a href=\"#c1-e4\">0.95 s</a> page console"))
    #expect(text.contains("<a href=\"#c1-p2\">002-expanded</a>"))
  }

  @Test("the axis has a lane for each kind, and the pictures' instants")
  func axis() async throws {
    let folder = try SampleFolder(Sample.report([Sample.creative("fine")]), events: Sample.events)
    let text = await HTMLReport.text(folder.source)
    #expect(text.contains("data-end=\"1100\" data-moments=\"400 c1-p1;1100 c1-p2\""))
    for lane in ["states", "app", "requests", "console"] { #expect(text.contains("class=\"lane of-\(lane)\"")) }
    for lane in ["steps", "modals", "calls", "processor"] { #expect(!text.contains("class=\"lane of-\(lane)\"")) }
  }

  @Test("a source that is no web address is no link")
  func sources() async throws {
    var report = Sample.full
    report.rules[0].source.url = "javascript:alert(1)"
    #expect(try await !page(report).contains("javascript:"))
  }

  @Test("the matrix has a cell for each network that judged")
  func matrix() async throws {
    let text = try await page()
    #expect(count("<td class=\"yes\"", in: text) == 1)
    #expect(count("<td class=\"no\"", in: text) == 1)
    #expect(count("<td class=\"unknown\"", in: text) == 6)
  }

  @Test("a missing picture costs its place only")
  func missing() async throws {
    let folder = try SampleFolder(Sample.report([Sample.creative("fine")]), events: Sample.events)
    try FileManager.default.removeItem(atPath: folder.path + "/fine/screenshots/001-default.png")
    let text = await HTMLReport.text(folder.source)
    #expect(text.contains("The screenshot can&#39;t be read."))
    #expect(text.contains("002-expanded"))
  }

  @Test("elements are closed in the order they were opened")
  func wellFormed() async throws {
    var text = try await page()
    let script =
      try #require(text.range(of: "<script>")).lowerBound..<(try #require(text.range(of: "</script>")).upperBound)
    text.removeSubrange(script)
    for tag in ["meta", "img", "input", "br"] {
      text = text.replacing(try Regex("<\(tag)( [^>]*)?>")) { "\($0.0.dropLast())/>" }
    }
    text = text.replacing("<!doctype html>", with: "")
    #expect(throws: Never.self) { try XMLDocument(xmlString: text) }
  }
}

@Suite("The state graph")
struct StateGraphTests {
  private let map = """
    {"states": [{"number": 1, "name": "default"}, {"number": 2, "name": "expanded"}, {"number": 3, "name": "browser"}],
     "paths": [{"from": 1, "to": 2, "action": "tap #ad"}, {"from": 1, "to": 2, "action": "tap #more"},
              {"from": 1, "to": 1, "action": "tap #dead"}, {"from": 2, "to": 3, "action": "tap #buy"},
              {"from": 3, "to": 2, "action": "close"}, {"from": 2, "action": "rotate", "failure": "crashed"}],
     "anomalies": [], "coverage": {"percent": 80}}
    """

  private func graph() throws -> GraphModel {
    GraphModel(try JSONDecoder().decode(StateMap.self, from: Data(map.utf8)))
  }

  @Test("ways between the same states are one, and those that stay aren't drawn")
  func links() throws {
    let links = try graph().links
    #expect(links.map(\.actions) == [["tap #ad", "tap #more"], ["tap #buy"], ["close"], ["rotate"]])
    #expect(links.map(\.to) == [2, 3, 2, nil])
  }

  @Test("a state stands in the column of the fewest ways it takes")
  func columns() throws {
    let layout = GraphLayout(try graph())
    #expect(layout.boxes.map(\.column) == [0, 1, 2])
    #expect(layout.boxes.map(\.row) == [0, 0, 0])
  }

  @Test("boxes never overlap, and all lie on the drawing")
  func apart() throws {
    var graph = try graph()
    graph.states += (4...9).map { GraphModel.State(number: $0, name: "s\($0)", picture: nil) }
    graph.links += (4...9).map { GraphModel.Link(from: 1, to: $0, actions: ["tap"]) }
    let layout = GraphLayout(graph)
    #expect(Set(layout.boxes.map { [$0.column, $0.row] }).count == 9)
    for box in layout.boxes {
      #expect(box.x + GraphLayout.width <= layout.size.width)
      #expect(box.y + GraphLayout.height <= layout.size.height)
    }
  }

  @Test("without an exploration the render's own states are drawn")
  func record() {
    let graph = GraphModel(Sample.creative("fine").record)
    #expect(graph.states.map(\.name) == ["default", "expanded"])
    #expect(graph.states.map(\.picture) == ["screenshots/001-default.png", "screenshots/002-expanded.png"])
    #expect(graph.links.map(\.actions) == [["expand"]])
  }

  @Test("a state that has several screenshots shows the one with most to see")
  func fullest() {
    var record = Sample.creative("fine").record
    var end = record.screenshots[0]
    (end.name, end.path) = ("003-end", "screenshots/003-end.png")
    record.screenshots.append(end)
    func picture(_ first: Double?, _ last: Double?) -> String? {
      record.screenshots[0].contentShare = first
      record.screenshots[2].contentShare = last
      return GraphModel(record).states.first?.picture
    }
    #expect(picture(0, 0.4) == "screenshots/003-end.png")
    #expect(picture(0.5, 0.4) == "screenshots/001-default.png")
    #expect(picture(0.4, 0.4) == "screenshots/001-default.png")
    #expect(picture(nil, nil) == "screenshots/001-default.png")
  }
}
