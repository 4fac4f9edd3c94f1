import Foundation
import Jobs
import Testing

extension ProgramTier {
  /// What can be wrong with creatives, all of it in one call beside a creative that is right.
  @Suite(.timeLimit(.minutes(2))) struct BadInputTests {
    private let program: Program

    init() throws {
      program = try Program()
      try program.file("good.html")
    }

    @Test func refusesEachAndRendersTheRest() async throws {
      try program.file("empty.html", "")
      try program.file("folder/readme.txt", "no creative")
      try program.file("broken.zip", Data("PK\u{3}\u{4}garbage".utf8))
      try program.file("climbing.zip", StoredZip.of(["index.html", "../evil.txt"]))
      try program.file("absolute.zip", StoredZip.of(["index.html", "/etc/evil.txt"]))
      try program.file("bomb.zip", StoredZip.of(["index.html"], declared: 3_000_000_000))
      try program.file("latin.html", Data("<p>caf".utf8) + [0xE9])
      try program.file("large.html", Data(count: 50_000_000))
      try program.file("torn.html")
      try program.file("torn.scenario.yaml", "- frobnicate\n")
      let refused = [
        "nowhere.html": "no-such-file", "empty.html": "empty", "folder": "no-index", "broken.zip": "zip-broken",
        "climbing.zip": "zip-unsafe-path", "absolute.zip": "zip-unsafe-path", "bomb.zip": "zip-bomb",
        "latin.html": "invalid-utf8", "large.html": "html-too-large", "torn.html": "scenario-invalid",
        "ftp://a.example/": "url-scheme",
      ]
      let outcome = try await program.render("--json good.html " + refused.keys.sorted().joined(separator: " "))
      let document = try outcome.document()
      #expect(document.endings == refused.merging(["good.html": "completed"]) { $1 })
      #expect(document.results.allSatisfy { $0.outcome == .completed || $0.message?.contains("\n") == false })
      let requests = document.results.filter { $0.fault == .request }.map(\.creative.path)
      #expect(Set(requests) == ["nowhere.html", "torn.html", "ftp://a.example/"])
      #expect(outcome.code == 2)
      for name in ["good", "broken", "climbing", "absolute", "bomb", "latin", "large", "torn"] {
        #expect(program.has("out/\(name)/result.json"))
      }
      #expect(!program.has("evil.txt") && !program.has("out/evil.txt"))
    }

    @Test(arguments: ["process", "session"]) func outlivesHostilePages(isolation: String) async throws {
      let pages = [
        "alerts": "<script>while (true) alert(1)</script>",
        "leaves": "<p>again<script>location.replace(location.pathname)</script>",
        "loop": "<script>while (true);</script>",
        "later": "<p>ad<script>addEventListener('load', () => setTimeout(() => { while (true); }, 300))</script>",
        "hog": "<script>const all = []; while (true) all.push(new Uint8Array(1 << 24).fill(1))</script>",
        "closes": "<p>ad<script>window.close()</script>",
      ]
      for (name, page) in pages { try program.file(name + ".html", "<!doctype html>" + page) }
      let names = ["good", "alerts", "leaves", "loop", "closes", "later", "hog"]
      let creatives = (names.map { $0 + ".html" } + ["good.html"]).joined(separator: " ")
      let outcome = try await program.render(
        "--json --jobs 2 --timeout 6 --memory 400 --isolation \(isolation) \(creatives)")
      var endings = try outcome.document().endings
      // Its picture is taken before the loop begins, or else the loop is what ends it.
      #expect(["completed", "deadline-exceeded"].contains(endings.removeValue(forKey: "later.html")))
      #expect(
        endings == [
          "good.html": "completed", "closes.html": "completed", "alerts.html": "endless-dialogs",
          "leaves.html": "navigation-loop", "loop.html": "deadline-exceeded", "hog.html": "memory-limit",
        ])
      #expect(outcome.code == 4)
      for name in names + ["good-2"] { #expect(program.has("out/\(name)/result.json")) }
    }

    @Test(arguments: [
      ("--device iphone99", "there is no device 'iphone99'"), ("--scenario torn.yaml", "torn.yaml:1: "),
      ("--scenario nowhere.yaml", "can't read the scenario nowhere.yaml"),
      ("--out good.html", "can't write to good.html"),
    ])
    func refusesAWrongCallInOneLine(arguments: String, says: String) async throws {
      try program.file("torn.yaml", "- frobnicate\n")
      let outcome = try await program.shell("exec \"$GALLEY\" render good.html \(arguments)")
      #expect(outcome.code == 2)
      #expect(outcome.output == "")
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(outcome.errors.contains(says))
    }
  }
}
