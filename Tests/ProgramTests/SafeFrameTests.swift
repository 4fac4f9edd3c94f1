import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// The container of web pages.
  @Suite(.timeLimit(.minutes(2))) struct SafeFrameTests {
    private let program: Program

    init() throws { program = try Program() }

    @Test func aLeaderboardOpensDownwardsAndClosesItself() async throws {
      let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Creatives/safeframe/expand").path()
      let outcome = try await program.shell(
        "exec \"$GALLEY\" render '\(sample)' --container safeframe --device desktop --json --out out")
      let result = try #require(try outcome.document().results.first)
      #expect(result.outcome == .completed, "\(outcome.output)")
      let log = try String(contentsOfFile: "\(program.folder)/out/expand/events.ndjson", encoding: .utf8)
      for name in ["sfRegister", "sfExpand", "sfCollapse"] { #expect(log.contains("\"name\":\"\(name)\"")) }
      #expect(log.contains("expanded: 728x300, 100 % in view") && log.contains("collapsed: 728x90"))
    }

    @Test func inAnotherContainerThereIsNone() async throws {
      try program.file("ad.html", "<!doctype html><script>console.log(typeof $sf, typeof mraid)</script>ad")
      _ = try await program.render("ad.html")
      #expect(
        try String(contentsOfFile: "\(program.folder)/out/ad/events.ndjson", encoding: .utf8).contains(
          "undefined object"))
    }
  }
}
