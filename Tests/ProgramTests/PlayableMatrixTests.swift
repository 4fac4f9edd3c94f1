import Core
import Foundation
import Testing

extension CheckTier {
  /// Builds of a playable in the hosts of several networks, as a studio checks them.
  @Suite(.timeLimit(.minutes(5))) struct PlayableMatrixTests {
    private let program: Program

    init() throws { program = try Program() }

    private static func game(_ call: String) -> String {
      "<!doctype html><body style='margin:0'><button id=b style='width:100vw;height:100vh'>Install</button>"
        + "<script>b.onclick = () => { \(call) }</script>"
    }

    private func check(_ words: String, actions: Int = 2) async throws -> (code: Int32, report: JSONValue) {
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check \(words) --playables --explore-actions \(actions) --json --out out")
      return (outcome.code, try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8)))
    }

    private func text(_ file: String) throws -> String {
      try String(contentsOfFile: "\(program.folder)/\(file)", encoding: .utf8)
    }

    /// Returns the verdict and the reason for asking, by the result's name and the network.
    private func cells(_ report: JSONValue) -> [String: [String?]] {
      var cells: [String: [String?]] = [:]
      for creative in report["creatives"]?.array ?? [] {
        for row in creative["acceptance"]?.array ?? [] {
          let place = "\(creative["name"]?.string ?? "") \(row["profile"]?.string ?? "")"
          cells[place] = [creative["build"]?.string, row["verdict"]?.string, row["asked"]?.string]
        }
      }
      return cells
    }

    @Test func eachBuildIsJudgedByEachNetworkInItsHost() async throws {
      try program.file("game-meta.html", Self.game("FbPlayableAd.onCTAClick()"))
      try program.file("game.html", Self.game("ExitApi.exit()"))
      let (_, report) = try await check("game-meta.html game.html --profile meta,app-campaigns,moloco,liftoff")
      let cells = cells(report)
      #expect(cells.count == 8)
      #expect(cells["game-meta/meta meta"]?[0] == "game-meta")
      #expect(cells["game-meta/meta meta"]?[2] == "name")
      #expect(cells["game-meta/app-campaigns app-campaigns"] == ["game-meta", "refused", nil])
      #expect(cells["game/app-campaigns app-campaigns"]?[2] == "code")
      #expect(cells["game/meta meta"] == ["game", "refused", nil])
      #expect(cells["game/spec moloco"] != nil && cells["game/spec liftoff"] != nil)
    }

    @Test func theNetworkThatABuildIsNamedAfterFailsIt() async throws {
      try program.file("meta.html", Self.game("ExitApi.exit()"))
      let (code, report) = try await check("meta.html --profile meta,app-campaigns")
      #expect(code == 1)
      #expect(cells(report)["meta/meta meta"] == ["meta", "refused", "name"])
    }

    @Test func theReportsShowTheAnswersWithReasonsAndPictures() async throws {
      let start = "<button id=b style='width:100vw;height:50vh' onclick='end()'>Play</button>"
      let end = "document.body.innerHTML = '<h1>The end</h1><button onclick=\"ExitApi.exit()\">Install</button>'"
      try program.file(
        "meta.html",
        "<!doctype html><html lang=en><title>Game</title><body style='margin:0'>\(start)"
          + "<script>function end() { \(end) }</script>")
      let (code, _) = try await check(
        "meta.html --profile meta,app-campaigns --html report.html --junit report.xml --sarif report.sarif",
        actions: 6)
      #expect(code == 1)
      let page = try text("report.html")
      #expect(page.contains("<th scope=\"row\">meta</th><td class=\"no\"><a href=\"#b1-n1\">"))
      #expect(page.contains("<td class=\"unasked\"><a href=\"#b1-n2\">not asked (no)</a>"))
      #expect(page.contains("<code>store-call</code>: "))
      #expect(page.contains("<b>Remedy: </b>"))
      for title in ["first frame, portrait", "landscape", "last state"] {
        #expect(page.contains("alt=\"meta for Meta, playable, \(title)\""), "\(title)")
      }
      #expect(page.contains("use --film, or galley film meta.html --container meta --output film.mp4"))
      let cases = try text("report.xml")
      #expect(cases.contains("<testsuite name=\"meta: networks\" tests=\"1\" failures=\"1\""))
      #expect(cases.contains("name=\"meta: accepted by Meta, playable"))
      let log = try JSONDecoder().decode(JSONValue.self, from: Data(try text("report.sarif").utf8))
      let answers = try #require(log["runs"]?[0]?["properties"]?["playables"]?.array)
      #expect(answers.map { $0["network"]?.string } == ["meta", "app-campaigns"])
      #expect(answers.map { $0["asked"]?.string } == ["name", nil])
    }

    @Test func theWayToTheStoreIsRecordedForTheNetworksThatAreAsked() async throws {
      try program.file("meta.html", Self.game("FbPlayableAd.onCTAClick()"))
      let (code, report) = try await check(
        "meta.html --profile meta,app-campaigns --film --html report.html --quiet")
      #expect(code == 0)
      let films = (report["creatives"]?.array ?? []).map { $0["film"]?.string }
      #expect(films == ["film.webp", nil])
      let bytes = try Data(contentsOf: URL(filePath: "\(program.folder)/out/meta/meta/film.webp"))
      // An animation has a chunk for its loops, and one for each frame.
      #expect(bytes.range(of: Data("ANIM".utf8)) != nil && bytes.range(of: Data("ANMF".utf8)) != nil)
      #expect(try text("report.html").contains("data:image/webp;base64,\(bytes.base64EncodedString().prefix(400))"))
      // What a run before left isn't shown as the next one's.
      let again = try await check("meta.html --profile meta,app-campaigns --quiet").report
      #expect(again["creatives"]?[0]?["film"] == nil)
      #expect(!FileManager.default.fileExists(atPath: "\(program.folder)/out/meta/meta/film.webp"))
    }
  }
}
