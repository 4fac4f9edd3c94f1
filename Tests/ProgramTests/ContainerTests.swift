import Core
import Foundation
import MRAID
internal import RenderModel
import Testing

extension ProgramTier {
  @Suite("Containers", .timeLimit(.minutes(3)))
  struct ContainerTests {
    private let program: Program

    /// Shows its offer only when `exposureChange` comes, and asks for a resize without `allowOffscreen`.
    init() throws {
      program = try Program()
      try program.file(
        "ad/index.html",
        """
        <!doctype html><meta name="ad.size" content="width=300,height=100"><script src="mraid.js"></script>
        <style>body{margin:0;background:#fff} .seen{background:#06c}</style><body><script>
        mraid.addEventListener("exposureChange", (seen) => { if (seen > 0) document.body.className = "seen"; });
        mraid.addEventListener("viewableChange", () => {
          mraid.setResizeProperties({ width: 300, height: 200, offsetX: 0, offsetY: 0 });
          mraid.resize();
        });
        </script>
        """)
    }

    private func json(_ text: String) throws -> JSONValue {
      try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    @Test("a creative that depends on what a container doesn't do is told to differ there, and nothing fails")
    func compares() async throws {
      let containers = "--container gma --container prebid-ios --container applovin"
      let outcome = try await program.shell("exec \"$GALLEY\" compare-containers ad --out out --json \(containers)")
      #expect(outcome.code == 0)
      let runs = try #require(json(outcome.output)["creatives"]?[0]?["runs"]?.array)
      #expect(runs.map { $0["container"]?.string } == ["spec", "gma", "prebid-ios", "applovin"])
      let resized: JSONValue = ["default", "resized"]
      #expect(runs.map { $0["states"] } == [resized, resized, ["default"], resized])
      let verdicts = runs.map { $0["comparison"]?["verdict"]?.string }
      #expect(verdicts == [nil, "same", "different", "different"])
      let lost = try #require(runs[3]["comparison"]?["events"]?["findings"]?.array)
      #expect(lost.contains { $0["change"] == "lost" && $0["name"] == "exposureChange" })
      let screenshots = try #require(runs[3]["comparison"]?["screenshots"]?.array)
      #expect(screenshots.contains { $0["verdict"] == "different" })
      for name in ["spec", "gma", "prebid-ios", "applovin"] { #expect(program.has("out/ad/\(name)/result.json")) }
    }

    @Test("a render in a container says so, and one in the standard's doesn't")
    func recordsTheContainer() async throws {
      let other = try await program.render("--json --container prebid-ios ad")
      #expect(try other.document().results.map(\.container) == ["prebid-ios"])
      #expect(try other.document().results.map(\.states) == [[.default]])
      let standard = try await program.render("--json --container spec ad")
      #expect(try standard.document().results.map(\.container) == [nil])
      #expect(try standard.document().results.map(\.states) == [[.default, .resized]])
    }

    @Test("a banner in a container that only fills the screen is an interstitial, with a warning")
    func warnsOfAnotherPlacement() async throws {
      let warning = "unity has no banner: the ad was shown as an interstitial"
      let unity = try #require(await program.render("--json --container unity ad").document().results.first)
      #expect(unity.placement?.kind == .interstitial && unity.warnings.contains(warning))
      let asked = try await program.render("--json --container unity --placement interstitial ad")
      #expect(try asked.document().results.allSatisfy { !$0.warnings.contains(warning) })
    }

    @Test("a container of one's own is read from a file")
    func ownContainer() async throws {
      try program.file(
        "mine.json",
        """
        {"name": "mine", "title": "Mine", "differences": [{"what": "refusedMethods", "value": ["resize"],
        "note": "no resize", "source": "https://example.com/sdk", "date": "2026-01-31"}]}
        """)
      let outcome = try await program.render("--json --container mine.json ad")
      #expect(try outcome.document().results.map(\.container) == ["mine"])
      #expect(try outcome.document().results.map(\.states) == [[.default]])
    }
  }
}
