import Checks
import Core
import Foundation
import FoundationXML
import Pixels
import RenderModel
import Testing

@testable import Reports

@Suite("Builds of playables in the HTML page")
struct PlayablePageTests {
  private let map = """
    {"states": [{"number": 1, "name": "default", "state": "default", "orientation": "portrait"},
                {"number": 2, "name": "end", "state": "default", "orientation": "portrait",
                 "screenshot": "screenshots/end.png"},
                {"number": 3, "name": "hidden", "state": "hidden", "orientation": "portrait",
                 "screenshot": "screenshots/hidden.png"}],
     "paths": [{"from": 1, "to": 1, "kind": "rotate", "action": "rotate and back",
                "screenshot": "screenshots/turned.png"}],
     "anomalies": []}
    """

  private func page(_ report: CheckReport = Sample.playables, exploration: String? = nil) async throws -> String {
    let folder = try SampleFolder(report, exploration: exploration)
    if exploration != nil {
      for creative in report.creatives {
        let screenshots = "\(folder.path)/\(creative.folder)/screenshots"
        try PNGEncoder.write(Bitmap(width: 255, height: 117, fill: .white), to: screenshots + "/turned.png")
        try PNGEncoder.write(Bitmap(width: 117, height: 255, fill: .white), to: screenshots + "/end.png")
      }
    }
    return await HTMLReport.text(folder.source)
  }

  @Test("the matrix is first, with a row for each build and an answer in words for each network")
  func matrix() async throws {
    let text = try await page()
    let table = try #require(text.range(of: "<section class=\"playables\" aria-labelledby=\"playables\">"))
    let wall = try #require(text.range(of: "<section class=\"wall"))
    #expect(table.upperBound < wall.lowerBound)
    #expect(text.contains("<caption>Answers of the networks to each build."))
    #expect(text.contains("<th scope=\"col\" class=\"profile\"><span>Meta</span></th>"))
    #expect(
      text.contains(
        "<tr><th scope=\"row\">game</th>"
          + "<td class=\"no\"><a href=\"#b1-n1\"><span aria-hidden=\"true\">✗ </span>no</a></td>"
          + "<td class=\"unasked\"><a href=\"#b1-n2\">not asked (yes)</a></td>"
          + "<td class=\"untried\"><a href=\"#b1-n3\"><span aria-hidden=\"true\">? </span>not tried</a></td></tr>"))
    #expect(
      text.contains(
        "<tr><th scope=\"row\">other</th><td class=\"unknown\">no answer</td>"
          + "<td class=\"unasked\"><a href=\"#b2-n1\">not asked (yes)</a></td>"
          + "<td class=\"yes\"><a href=\"#b2-n2\"><span aria-hidden=\"true\">✓ </span>yes</a></td></tr>"))
  }

  @Test("an answer has its reasons with the checks' ids and remedies, and those who are asked without a yes are open")
  func reasons() async throws {
    let text = try await page()
    #expect(text.contains("The build has to be accepted by meta, unity (named in its path)."))
    #expect(text.contains("<details class=\"answer no\" id=\"b1-n1\" open=\"open\">"))
    #expect(
      text.contains(
        "<li><code>console-error</code>: oh<p class=\"remedy\"><b>Remedy: </b>Do away with console-error.</p></li>"))
    #expect(text.contains("<li><code>alt-missing</code>: nothing was tapped; use --explore or --scenario</li>"))
    #expect(text.contains("<details class=\"answer yes\" id=\"b2-n2\"><summary>"))
    #expect(text.contains("All findings: <a href=\"#c1\">game/meta</a>"))
  }

  @Test("all links of the section lead to something in the page")
  func links() async throws {
    let text = try await page(exploration: map)
    let start = try #require(text.range(of: "<section class=\"playables\"")).lowerBound
    let end = try #require(text.range(of: "<form class=\"filters")).lowerBound
    let targets = text[start..<end].matches(of: /href="#([^"]+)"/).map { String($0.1) }
    #expect(targets.contains("c1-p1") && targets.contains("c1-s2"))
    for target in targets { #expect(text.contains("id=\"\(target)\""), "\(target)") }
  }

  @Test("an answer has the pictures of its render, and the means for those that weren't made")
  func pictures() async throws {
    let text = try await page(exploration: map)
    for title in ["first frame, portrait", "landscape", "last state"] {
      #expect(text.contains("alt=\"game for Meta, \(title)\""), "\(title)")
      #expect(text.contains("<figcaption>\(title)</figcaption>"))
    }
    #expect(
      text.contains(
        "<li>film: not tried (no film was made; use --film, or galley film game.html --container meta "
          + "--output film.mp4)</li>"))
    #expect(!text.contains("<li>landscape: not tried"))
    let plain = try await page()
    #expect(plain.contains("<li>landscape: not tried (the build wasn&#39;t explored; use --explore)</li>"))
    #expect(plain.contains("<li>last state: not tried (the build wasn&#39;t explored; use --explore)</li>"))
  }

  @Test("networks with the same host share the pictures, which are in the page once")
  func shared() async throws {
    let text = try await page()
    #expect(text.contains("The pictures are those of <a href=\"#b1-n2\">IAB</a>, which has the same host."))
    #expect(text.contains("alt=\"game for IAB, first frame, portrait\""))
    #expect(!text.contains("alt=\"game for Unity Ads"))
  }

  @Test("a film of the render is in the page with all its frames, folded")
  func film() async throws {
    var report = Sample.playables
    report.creatives[0].record.filmstrip = RenderRecord.Filmstrip(
      sheet: "sheet.png", animation: "film.png", interval: 1, frames: 2)
    let folder = try SampleFolder(report)
    let frames = [Color(red: 1, green: 2, blue: 3), .white].map { Bitmap(width: 39, height: 85, fill: $0) }
    try PNGAnimation.write(frames, delay: 1_000, to: "\(folder.path)/game/meta/film.png")
    let file = try Data(contentsOf: URL(filePath: "\(folder.path)/game/meta/film.png"))
    let text = await HTMLReport.text(folder.source)
    #expect(text.contains("<details class=\"more\"><summary>Film, 2 frames</summary>"))
    #expect(
      text.contains(
        "src=\"data:image/png;base64,\(file.base64EncodedString())\" width=\"39\" height=\"85\" "
          + "alt=\"game for Meta, film\""))
  }

  @Test("the recording of the way through a game is in the page, if it isn't too large")
  func way() async throws {
    var report = Sample.playables
    report.creatives[0].film = "film.webp"
    let folder = try SampleFolder(report)
    let path = "\(folder.path)/game/meta/film.webp"
    let header = Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0]
    let animation = header + [2, 0, 0, 0, 38, 0, 0, 84, 1, 0]
    try Data(animation).write(to: URL(filePath: path))
    let text = await HTMLReport.text(folder.source)
    #expect(text.contains("<summary>Film of the way through the game</summary>"))
    #expect(
      text.contains(
        "src=\"data:image/webp;base64,\(Data(animation).base64EncodedString())\" width=\"39\" height=\"341\" "
          + "alt=\"game for Meta, film\""))
    let missing = /<li>film: not tried/
    #expect(try await text.matches(of: missing).count == page().matches(of: missing).count - 1)
    try Data(animation + [UInt8](repeating: 0, count: 8 << 20)).write(to: URL(filePath: path))
    #expect(await HTMLReport.text(folder.source).contains("The film is missing or too large: see film.webp."))
  }

  @Test("a build's name is never markup")
  func hostile() async throws {
    var report = Sample.playables
    report.creatives[0].build = Sample.hostile
    let text = try await page(report)
    #expect(text.matches(of: /<script/).count == 1)
    #expect(!text.unicodeScalars.contains("\u{202E}"))
  }

  @Test("a report without builds has no section for them")
  func none() async throws {
    #expect(try await !page(Sample.full).contains("<section class=\"playables\""))
  }
}

@Suite("Pictures of a playable")
struct PlayableStillsTests {
  private func stills(_ states: String, paths: String = "") throws -> PlayableStills {
    let map = try JSONDecoder().decode(
      StateMap.self, from: Data(#"{"states": [\#(states)], "paths": [\#(paths)], "anomalies": []}"#.utf8))
    return PlayableStills(Sample.creative("game").record, map)
  }

  private let start = #"{"number": 1, "name": "a", "state": "default", "orientation": "portrait"}"#

  private func state(_ number: Int, _ state: String, _ orientation: String) -> String {
    #"{"number": \#(number), "name": "s", "state": "\#(state)", "orientation": "\#(orientation)", "#
      + #""screenshot": "states/\#(number).png"}"#
  }

  @Test("the last state is the last one that was found in the first orientation while the ad was on the screen")
  func last() throws {
    let found = try stills(
      [start, state(2, "default", "portrait"), state(3, "default", "landscape"), state(4, "hidden", "portrait")]
        .joined(separator: ","))
    #expect(found.stills.map(\.title) == ["first frame, portrait", "landscape", "last state"])
    #expect(found.stills.map(\.file) == ["screenshots/001-default.png", "states/3.png", "states/2.png"])
    #expect(found.stills.map(\.anchor) == ["p1", "s3", "s2"])
    #expect(found.missing == [])
  }

  @Test("a device that was turned back shows the other orientation, which is no picture of the list")
  func turned() throws {
    let found = try stills(
      start, paths: #"{"from": 1, "to": 1, "kind": "rotate", "action": "rotate", "screenshot": "states/r.png"}"#)
    #expect(found.stills.map(\.file) == ["screenshots/001-default.png", "states/r.png"])
    #expect(found.stills.map(\.anchor) == ["p1", nil])
    #expect(found.missing == [.last])
  }

  @Test("an ad that only closed has no last state")
  func closed() throws {
    let found = try stills([start, state(2, "hidden", "portrait")].joined(separator: ","))
    #expect(found.missing == [.landscape, .last])
    #expect(PlayableStills.means(.last, isExplored: true).hasSuffix("raise --explore-actions"))
  }

  @Test("a render without screenshots lacks all of them")
  func empty() {
    var record = Sample.creative("game").record
    record.screenshots = []
    #expect(PlayableStills(record, nil).missing == PlayableStills.Moment.allCases)
  }
}

@Suite("Builds of playables in a build server's formats")
struct PlayableFormatTests {
  private func document() throws -> XMLDocument {
    try XMLDocument(xmlString: JUnitReport.text(Sample.source(Sample.playables)))
  }

  @Test("JUnit has a case for each build and network that was asked: failed for no, skipped for not tried")
  func junit() throws {
    let document = try document()
    let cases = try document.nodes(forXPath: "//testsuite[@name='game: networks']/testcase")
    #expect(try document.nodes(forXPath: "//testsuite[contains(@name,': networks')]").count == 2)
    let names = cases.compactMap { ($0 as? XMLElement)?.attribute(forName: "name")?.stringValue }
    #expect(names == ["meta: accepted by Meta", "unity: accepted by Unity Ads"])
    let game = "//testsuite[@name='game: networks']/testcase"
    let failure = try #require(try document.nodes(forXPath: "\(game)[1]/failure").first as? XMLElement)
    #expect(failure.attribute(forName: "message")?.stringValue == "console-error: oh")
    #expect(failure.stringValue?.contains("Remedy: Do away with console-error.") == true)
    let skipped = try #require(try document.nodes(forXPath: "\(game)[2]/skipped").first as? XMLElement)
    #expect(
      skipped.attribute(forName: "message")?.stringValue
        == "not tried: alt-missing (nothing was tapped; use --explore or --scenario)")
    let other = "//testsuite[@name='other: networks']/testcase"
    #expect(try document.nodes(forXPath: other).count == 1)
    #expect(try document.nodes(forXPath: other + "/*").isEmpty)
  }

  @Test("JUnit's totals count the builds' cases")
  func totals() throws {
    let document = try document()
    let root = try #require(document.rootElement())
    for (attribute, path) in [("tests", "//testcase"), ("failures", "//failure"), ("skipped", "//skipped")] {
      let count = try document.nodes(forXPath: path).count
      #expect(root.attribute(forName: attribute)?.stringValue == "\(count)")
    }
    #expect(try document.nodes(forXPath: "//failure").count == 2)
  }

  @Test("CTRF has the same cases")
  func ctrf() throws {
    let text = try CTRFReport.text(Sample.source(Sample.playables))
    let results = try #require(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))["results"])
    let tests = try #require(results["tests"]?.array).filter { $0["suite"]?[0] == "game" }
    #expect(tests.map { $0["name"]?.string } == ["game: accepted by Meta", "game: accepted by Unity Ads"])
    #expect(tests.map { $0["status"]?.string } == ["failed", "skipped"])
    #expect(results["summary"]?["suites"] == 5)
  }

  @Test("SARIF has all answers as properties of the run, and notes only for networks that were asked")
  func sarif() throws {
    var report = Sample.playables
    report.creatives[2].acceptance[1].notTried = [CreativeReport.NotTried(check: "alt-missing", needs: [.touch])]
    let text = try SARIFReport.text(Sample.source(report))
    let run = try #require(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))["runs"]?[0])
    let answers = try #require(run["properties"]?["playables"]?.array)
    #expect(answers.count == 5)
    #expect(
      answers[0]
        == [
          "build": "game", "network": "meta", "answer": "refused", "asked": "name", "reasons": "console-error: oh",
        ])
    #expect(answers[1] == ["build": "game", "network": "iab", "answer": "accepted"])
    #expect(run["results"]?[0]?["properties"]?["build"] == "game")
    let notes = try #require(run["invocations"]?[0]?["toolExecutionNotifications"]?.array)
    #expect(notes.count == 1)
    #expect(notes[0]["message"]?["text"]?.string?.hasPrefix("game/spec: not tried for unity: alt-missing") == true)
  }

  @Test("the summary has a row for each build, and the reasons of networks that were asked")
  func summary() {
    let text = StepSummary.text(Sample.source(Sample.playables))
    #expect(text.contains("| creative | Meta | IAB | Unity Ads |\n"))
    #expect(text.contains("| game | ❌ no | not asked (yes) | ❔ not tried |\n"))
    #expect(text.contains("| other | – | not asked (yes) | ✅ yes |\n"))
    #expect(text.contains("- ❌ game, Meta&#58; no&#58; console-error&#58; oh *Do away with console-error.*\n"))
    let reason = "alt-missing &#40;nothing was tapped; use --explore or --scenario&#41;"
    #expect(text.contains("- ❔ game, Unity Ads&#58; not tried&#58; \(reason)\n"))
  }

  @Test("answers of networks that needn't accept a build count for no total")
  func counts() {
    var report = Sample.playables
    report.creatives[2].acceptance[1].notTried = [CreativeReport.NotTried(check: "alt-missing", needs: [.touch])]
    #expect(VerdictCounts(report).notTried == 1)
    #expect(report.creatives.map { $0.rows(.accepted).count } == [0, 0, 1])
  }
}
