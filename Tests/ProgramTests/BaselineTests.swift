import Core
import Foundation
import Testing

extension ProgramTier {
  @Suite("Baselines", .timeLimit(.minutes(5)))
  struct BaselineTests {
    private let program: Program
    private static let empty = "<!doctype html><meta name=\"ad.size\" content=\"width=300,height=100\">"

    init() throws {
      program = try Program()
      try ad("#06c")
    }

    private func ad(_ color: String, _ more: String = "") throws {
      try program.file(
        "ads/ad/index.html",
        """
        <!doctype html><meta name="ad.size" content="width=300,height=100">
        <style>body{margin:0;background:\(color)}</style><body>\(more)
        """)
    }

    /// Runs `galley baseline` with the test's value of `CI`, independent of the environment of the tests.
    private func baseline(_ arguments: String, ci: String = "") async throws -> Program.Outcome {
      try await program.shell("CI='\(ci)' exec \"$GALLEY\" baseline \(arguments)")
    }

    private func document(_ outcome: Program.Outcome) throws -> JSONValue {
      try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8))
    }

    private func schema(_ name: String) throws -> JSONValue {
      let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      let file = tests.deletingLastPathComponent().appending(path: "Schemas/\(name).schema.json")
      return try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
    }

    /// Names and contents of all that was recorded.
    private func recorded() throws -> [String: Data] {
      let store = program.folder + "/ads/galley-baselines"
      let names = FileManager.default.subpaths(atPath: store) ?? []
      return Dictionary(
        uniqueKeysWithValues: names.compactMap { name in
          FileManager.default.contents(atPath: "\(store)/\(name)").map { (name, $0) }
        })
    }

    @Test("a creative is recorded, found unchanged, found changed, and approved without rendering again")
    func goesRound() async throws {
      #expect(try await baseline("verify ads/ad").code == 5)
      #expect(try recorded().isEmpty)
      #expect(try await baseline("record ads/ad").code == 0)
      let first = try recorded()
      let same = try document(await baseline("verify --json ads/ad"))
      #expect(same["creatives"]?[0]?["verdict"] == "unchanged")
      #expect(same["creatives"]?[0]?["renders"] == 1)

      try ad("#c00", "<script>console.log('new')</script>")
      let changed = try await baseline("verify --json ads/ad")
      #expect(changed.code == 1)
      let creative = try #require(document(changed)["creatives"]?[0])
      #expect(creative["verdict"] == "changed" && creative["renders"] == 2)
      let verdicts = creative["parts"]?.array?.map { "\($0["name"]?.string ?? "") \($0["verdict"]?.string ?? "")" }
      #expect(
        verdicts == [
          "001-default changed", "001-default-ad changed", "events changed", "states unchanged", "files changed",
        ])
      #expect(program.has("galley-verified/ad/screenshots/001-default.png"))
      #expect(program.has("galley-verified/ad/differences/001-default.beside.png"))
      #expect(try recorded() == first, "verifying writes no baseline")

      try FileManager.default.removeItem(atPath: program.folder + "/ads/ad/index.html")
      #expect(try await baseline("approve ad:events").code == 0)
      #expect(try await baseline("approve 'a*:001-default'").code == 0)
      #expect(try await baseline("approve nothing").code == 2)
      #expect(try await baseline("approve --all").code == 0)
      try ad("#c00", "<script>console.log('new')</script>")
      #expect(try await baseline("verify ads/ad").code == 0)
    }

    @Test("an ad with two equal pictures keeps them all, whatever else changes and is approved, on each of two days")
    func equalPictures() async throws {
      try program.file("ads/ad/scenario.yaml", ExpandingAd.scenario)
      try program.file("ads/ad/index.html", ExpandingAd.page("#06c"))
      #expect(try await baseline("record ads/ad").code == 0)
      let before = try screenshots(document(await baseline("list ads --json")))
      #expect(before.contains("002-expanded") && before.contains("003-open"))
      for color in ["#c00", "#0a0"] {
        try program.file("ads/ad/index.html", ExpandingAd.page(color))
        #expect(try await baseline("verify ads/ad").code == 1)
        #expect(try await baseline("approve --all").code == 0)
        #expect(try screenshots(document(await baseline("list ads --json"))) == before)
        #expect(try await baseline("verify ads/ad").code == 0)
      }
    }

    private func screenshots(_ list: JSONValue) -> [String] {
      list["baselines"]?[0]?["screenshots"]?.array?.compactMap(\.string) ?? []
    }

    @Test("in CI nothing is recorded, approved or removed unless it is meant")
    func continuousIntegration() async throws {
      for command in ["record ads/ad", "approve --all", "prune"] {
        let outcome = try await baseline(command, ci: "true")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("baseline-in-ci"))
      }
      #expect(try recorded().isEmpty)
      #expect(try await baseline("record ads/ad --in-ci", ci: "true").code == 0)
      #expect(try await baseline("verify ads/ad", ci: "true").code == 0)
    }

    @Test("a baseline of another machine is refused, saying what is other, unless asked to compare all the same")
    func fingerprints() async throws {
      #expect(try await baseline("record ads/ad").code == 0)
      try program.file(
        "fonts.conf", "<?xml version=\"1.0\"?><fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir></fontconfig>")
      let other = try await program.shell(
        "CI= FONTCONFIG_FILE=\"$PWD/fonts.conf\" exec \"$GALLEY\" baseline verify ads/ad --json")
      #expect(other.code == 5)
      let creative = try #require(document(other)["creatives"]?[0])
      #expect(creative["verdict"] == "refused")
      let lines = creative["differences"]?.array?.compactMap(\.string) ?? []
      #expect(lines.contains { $0.hasPrefix("fonts gone: ") })
      let across = try await program.shell(
        "CI= FONTCONFIG_FILE=\"$PWD/fonts.conf\" exec \"$GALLEY\" baseline verify ads/ad --json --across-fingerprints")
      #expect(across.code == 0, "an ad without text looks the same with any font")
      #expect(try await baseline("verify ads/ad --device pixel-8").code == 5, "another device has another baseline")
    }

    @Test("what never looks the same twice is marked, and may differ from then on")
    func flaky() async throws {
      // One random colour is now and then too near another to count as a change; 64 bars of black and white aren't.
      try ad(
        "#fff",
        """
        <script>
        // Chance begins where the baseline says; the machine's time is each render's own.
        let chance = Date.now() * 2654435761
        const next = () => (chance = (chance * 48271) % 2147483647) / 2147483647
        const bars = Array.from({length: 64}, (_, i) => `${next() < 0.5 ? "#000" : "#fff"} 0 ${i * 5 + 5}px`)
        document.body.style.cssText = `height: 100vh; background: linear-gradient(90deg, ${bars})`
        </script>
        """)
      let recorded = try document(await baseline("record ads/ad --json --clock real"))
      let parts = recorded["creatives"]?[0]?["parts"]?.array ?? []
      #expect(parts.first { $0["name"] == "001-default" }?["verdict"] == "flaky")
      #expect(parts.first { $0["name"] == "events" }?["verdict"] == "new")
      let verified = try await baseline("verify ads/ad --json --clock real")
      #expect(verified.code == 0)
      #expect(try document(verified)["creatives"]?[0]?["verdict"] == "unchanged")
    }

    /// The manifest of the ad, as text.
    private func manifest(_ change: ((String) -> String)? = nil) throws -> String {
      let path = program.folder + "/ads/galley-baselines/manifests/ad/iphone-15.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      if let change { try change(text).write(toFile: path, atomically: true, encoding: .utf8) }
      return text
    }

    @Test("chance and the date are a baseline's, so that cache busters change nothing")
    func conditions() async throws {
      let buster = """
        <h1></h1><script>
        const [day, chance] = [new Date().toISOString().slice(0, 10), Math.random()]
        document.querySelector("h1").textContent = day
        new Image().src = `a.png?ord=${Date.now()}&cb=${chance}`
        </script>
        """
      try ad("#fff", buster)
      let recorded = try document(await baseline("record ads/ad --json --date 2026-03-04T05:06:07Z"))
      #expect(recorded["creatives"]?[0]?["parts"]?.array?.allSatisfy { $0["verdict"] == "new" } == true, "\(recorded)")
      #expect(try manifest().contains("\"date\" : 1772600767") && manifest().contains("\"seed\" : 1"))
      // On another day.
      #expect(try await baseline("verify ads/ad").code == 0)
      #expect(try await baseline("verify ads/ad --date 2026-03-05T05:06:07Z").code == 1)
      #expect(try await baseline("verify ads/ad --seed 2").code == 1)
      // A part that was taken over alone leaves the others what they began from.
      #expect(try await baseline("approve ad:events").code == 0)
      #expect(try await baseline("verify ads/ad --seed 2").code == 0)
      #expect(try manifest().contains("\"seed\" : 1"))
      #expect(try await baseline("verify ads/ad").code == 1)
      #expect(try await baseline("verify ads/ad --seed 2 --date 2026-03-05T05:06:07Z").code == 1)
      #expect(try await baseline("approve ad").code == 0)
      #expect(try await baseline("verify ads/ad").code == 0)
      #expect(try manifest().contains("\"seed\" : 2"))
      // One of before says neither, and what isn't the same each time stays so until it is recorded anew.
      _ = try manifest { $0.replacing(/\ *"(seed|date)" : \d+,\n/, with: "") }
      #expect(try await baseline("verify ads/ad").code == 1)
      #expect(try await baseline("record ads/ad --overwrite").code == 0)
      #expect(try manifest().contains("\"seed\" : 1"))
      #expect(try await baseline("verify ads/ad").code == 0)
    }

    @Test("recording leaves a baseline that differs, unless told otherwise")
    func overwriting() async throws {
      #expect(try await baseline("record ads/ad --baselines kept").code == 0)
      try ad("#c00")
      let outcome = try await baseline("record ads/ad --baselines kept --json")
      #expect(outcome.code == 1)
      #expect(try document(outcome)["creatives"]?[0]?["action"] == "kept")
      #expect(try await baseline("record ads/ad --baselines kept --overwrite").code == 0)
      #expect(try await baseline("verify ads/ad --baselines kept").code == 0)
      #expect(program.has("kept/manifests/ads/ad"))
    }

    @Test("a page shows each change beside its baseline, and names what is new, flaky or gone")
    func page() async throws {
      try ad("#06c", "<script>console.log('before')</script>")
      for name in ["plain", "old"] { try program.file("ads/\(name)/index.html", Self.empty) }
      #expect(try await baseline("record -r ads").code == 0)
      #expect(try await baseline("verify -r ads --strict --html page.html").code == 0)
      #expect(try !text("page.html").contains("<img "))

      try ad("#c00", "<script>console.log('after')</script>")
      try FileManager.default.moveItem(atPath: program.folder + "/ads/old", toPath: program.folder + "/ads/fresh")
      #expect(try await baseline("verify -r ads --html page.html").code == 5)
      let page = try text("page.html")
      #expect(page.contains("1 changed, 1 new, 1 unchanged"))
      #expect(page.components(separatedBy: "<figcaption>baseline</figcaption><img ").count == 3, "screen and ad")
      #expect(page.components(separatedBy: "<figcaption>differences</figcaption><img ").count == 3)
      #expect(page.contains("<h2>New creatives: 1</h2>"))
      #expect(page.contains("<h2>Baselines without a creative: 1</h2>"))
      #expect(page.contains("<article class=\"logged\">") && page.contains("before") && page.contains("after"))
    }

    private func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(program.folder)/\(name)", encoding: .utf8)
    }

    @Test("a creative gone from a folder is told, and fails only when that is strict")
    func missingCreatives() async throws {
      try program.file("ads/more ads/old/index.html", Self.empty)
      #expect(try await baseline("record -r ads").code == 0)
      try FileManager.default.removeItem(atPath: program.folder + "/ads/more ads/old")
      let found = try await baseline("verify -r ads --json")
      #expect(found.code == 0)
      let gone = try document(found)["missingCreatives"]?.array ?? []
      #expect(gone.map { $0["source"] } == ["old"])
      let schema = try schema("baselines")["properties"]?["missingCreatives"]?["items"]
      #expect(Set(gone.first?.object?.keys.map(JSONValue.string) ?? []) == Set(schema?["required"]?.array ?? []))
      #expect(try await baseline("verify -r ads").output.contains("missing-creative  old@"))
      #expect(try await baseline("verify -r ads --strict").code == 1)
      #expect(try await baseline("verify ads/ad --strict").code == 0, "one creative is no folder")
    }

    @Test("pruning removes what no creative and no baseline needs, and nothing else")
    func pruning() async throws {
      #expect(try await baseline("record ads/ad").code == 0)
      let first = try recorded()
      #expect(try await baseline("prune ads").code == 0)
      #expect(try recorded() == first)
      try ad("#c00")
      #expect(try await baseline("record ads/ad --overwrite").code == 0)
      let grown = try recorded()
      #expect(grown.count > first.count)
      #expect(try await baseline("prune ads -n").code == 0)
      #expect(try recorded() == grown)
      #expect(try await baseline("prune ads").code == 0)
      #expect(try recorded().count == first.count)
      #expect(try await baseline("verify ads/ad").code == 0)
      try FileManager.default.removeItem(atPath: program.folder + "/ads/ad")
      #expect(try await baseline("prune ads").code == 0)
      #expect(try recorded().keys.filter { $0.hasSuffix(".png") || $0.hasSuffix(".json") }.isEmpty)
    }
  }
}
