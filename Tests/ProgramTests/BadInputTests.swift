import Core
import Foundation
import RenderModel
import Testing

extension ProgramTier {
  /// Faulty creatives of every kind, in one call beside a correct one.
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
        "nowhere.html": "file-missing", "empty.html": "creative-empty", "folder": "index-missing",
        "broken.zip": "zip-broken",
        "climbing.zip": "zip-path-unsafe", "absolute.zip": "zip-path-unsafe", "bomb.zip": "zip-bomb",
        "large.html": "html-too-large", "torn.html": "scenario-invalid",
        "ftp://a.example/": "url-scheme-refused",
      ]
      let outcome = try await program.render(
        "--json good.html latin.html " + refused.keys.sorted().joined(separator: " "))
      let document = try outcome.document()
      #expect(document.endings == refused.merging(["good.html": "completed", "latin.html": "completed"]) { $1 })
      let latin = document.results.first { $0.creative.path == "latin.html" }
      #expect(latin?.warnings.contains { $0.contains("isn't UTF-8 at byte 6") } == true)
      #expect(document.results.allSatisfy { $0.outcome == .completed || $0.message?.contains("\n") == false })
      let requests = document.results.filter { $0.origin == .request }.map(\.creative.path)
      #expect(Set(requests) == ["nowhere.html", "torn.html", "ftp://a.example/"])
      #expect(outcome.code == 2)
      for name in ["good", "broken", "climbing", "absolute", "bomb", "latin", "large", "torn"] {
        #expect(program.has("out/\(name)/result.json"))
      }
      #expect(!program.has("evil.txt") && !program.has("out/evil.txt"))
    }

    @Test func refusesReportsThatCantBeWrittenBeforeAnythingIsRendered() async throws {
      try program.file("file", "")
      for call in [
        "check good.html --junit .", "check good.html --html file/x.html", "baseline verify good.html --html .",
        "check good.html --trace .", "compare-containers good.html --html .",
      ] {
        let outcome = try await program.shell("exec \"$GALLEY\" \(call) --out out")
        #expect(outcome.code == 2, "\(call): \(outcome.errors)")
        #expect(outcome.errors.contains("[output-"), "\(call): \(outcome.errors)")
        #expect(!program.has("out/good/result.json"), "\(call)")
      }
    }

    @Test func aPictureThatIsNoneIsNamed() async throws {
      try program.file("a.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0]))
      try program.file("b.png", Data("nothing".utf8))
      let outcome = try await program.shell("exec \"$GALLEY\" diff a.jpg b.png")
      #expect(outcome.code == 2 && outcome.errors.contains("a.jpg: it is a JPEG"), "\(outcome.errors)")
    }

    @Test func tellsEachEndWhereNoTerminalIs() async throws {
      try program.file("second.html")
      let outcome = try await program.shell("exec \"$GALLEY\" check --json good.html second.html --out out")
      let lines = outcome.errors.split(separator: "\n").filter { $0.contains(" of 2)") }
      #expect(lines.count == 2 && lines.last?.contains("(2 of 2)") == true, "\(outcome.errors)")
      let quiet = try await program.shell("exec \"$GALLEY\" check --quiet good.html second.html --out out")
      #expect(!quiet.errors.contains(" of 2)"), "\(quiet.errors)")
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
          "good.html": "completed", "closes.html": "completed", "alerts.html": "dialogs-endless",
          "leaves.html": "navigation-loop", "loop.html": "deadline-exceeded", "hog.html": "memory-exceeded",
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

extension ProgramTier {
  /// Standard input and output in the ways a shell can hand them over.
  @Suite(.timeLimit(.minutes(1))) struct StreamTests {
    private let program: Program

    init() throws {
      program = try Program()
      try program.file("good.html")
    }

    @Test func rendersAFragmentOrAZipFromStandardInput() async throws {
      let fragment = try await program.shell("echo '<b>ad</b>' | \"$GALLEY\" render --json --out out -")
      #expect(try fragment.document().results.map(\.creative.kind) == ["fragment"])
      try program.file("ad.zip", StoredZip.of(["index.html"]))
      let zip = try await program.shell("\"$GALLEY\" render --json --out out - < ad.zip")
      #expect(try zip.document().results.map(\.creative.kind) == ["zip"])
    }

    @Test(arguments: [
      ("< /dev/null", "creative-empty", 1), ("<&-", "stdin-unreadable", 2), ("< .", "stdin-unreadable", 2),
    ])
    func refusesBrokenInputAndRendersTheRest(redirection: String, code: String, exit: Int32) async throws {
      let outcome = try await program.shell("\"$GALLEY\" render --json --out out - good.html \(redirection)")
      #expect(try outcome.document().endings == ["-": code, "good.html": "completed"])
      #expect(outcome.code == exit)
    }

    @Test func readsStandardInputOnce() async throws {
      let outcome = try await program.shell("echo '<b>ad</b>' | \"$GALLEY\" render --json --out out - -")
      #expect(try outcome.document().results.map { $0.code ?? "fine" } == ["fine", "stdin-reused"])
      #expect(outcome.code == 2)
    }

    @Test func leavesNoSpooledInputBehind() async throws {
      let running = try program.start("mkdir spool; yes | TMPDIR=$PWD/spool exec \"$GALLEY\" render --out out -")
      _ = await running.outcome()
      #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder + "/spool") == [])
    }

    @Test func failsWhenItsOutputCantBeWritten() async throws {
      let full = try await program.render("--json good.html > /dev/full")
      #expect(full.code == 3)
      #expect(full.errors.contains("[output-failed]"))
      #expect(try await program.render("good.html >&-").code == 0)
      #expect(try await program.render("good.html <&- >&- 2>&-").code == 0)
    }
  }
}

extension ServerTier {
  /// Effects of creatives that fill memory and disk on a server: a verdict, a log of bounded size, and its own memory.
  @Suite(.timeLimit(.minutes(3))) struct BoundTests {
    private let program: Program

    init() throws { program = try Program() }

    /// Pages that use all the memory they get, each in another process.
    private static let family = [
      "calls": """
      <script src="mraid.js"></script><script>
      setInterval(() => { for (let i = 0; i < 20; i++) mraid.open('x'.repeat(1e6)) }, 1)</script>x
      """,
      "console": """
      <script>setInterval(() => { for (let i = 0; i < 50; i++) {
        console.log('x'.repeat(1e6)); Promise.reject('y'.repeat(1e6)) } }, 1)</script>x
      """,
      "requests": """
      <script>const address = '/no?' + 'x'.repeat(1e6);
      setInterval(() => { for (let i = 0; i < 20; i++) fetch(address + i).catch(() => {}) }, 4)</script>x
      """,
      "storage": """
      <script>indexedDB.open('hoard').onupgradeneeded = ({ target }) => {
        const base = target.result; base.createObjectStore('all', { autoIncrement: true });
        target.transaction.oncomplete = () => { const put = () => {
          const turn = base.transaction('all', 'readwrite');
          turn.objectStore('all').add(new Uint8Array(2e7).fill(7));
          turn.oncomplete = put; turn.onabort = () => setTimeout(put, 20) }; put() } }</script>x
      """,
      "blobs": """
      <script>const kept = []; setInterval(() => { for (let i = 0; i < 4; i++)
        kept.push(new Blob([new Uint8Array(5e6).fill(i + 1)])) }, 10)</script>x
      """,
    ]

    /// Returns the peak memory of a process so far, in mebibytes.
    private func peak(of process: Int32) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) / 1024
    }

    @Test(arguments: BoundTests.family.keys.sorted())
    func aServerStaysSmallWhateverACreativeTakes(name: String) async throws {
      let server = try await RunningServer(program, "--max-memory 512")
      let markup = try #require(Self.family[name])
      let render: [String: Any] = [
        "markup": markup, "timeout": 10, "idleTime": 6, "measureTime": 6, "memory": 512, "checks": true,
      ]
      let hostile = try await server.render(render)
      #expect(hostile.json["status"] != nil)
      // Its own doing, or nothing that is wrong; never Galley's.
      let error = hostile.json["error"] as? [String: Any]
      #expect(error?["origin"] as? String != "engine", "\(hostile.text)")
      let logs = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask { try await server.send("GET", "/v1/renders/\(hostile.id)/events").body.count }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(Set(logs).count == 1)
      #expect((logs.first ?? .max) <= 4 << 20)
      #expect(try peak(of: server.program.id) < 200)
      #expect(try await server.render(["markup": "<p>plain"]).renderStatus == "completed")
    }

    @Test func aCreativeThatFillsTheNetworkProcessIsToldSo() async throws {
      try program.file("hoard.html", try #require(Self.family["blobs"]))
      let outcome = try await program.render("hoard.html --json --memory 256 --timeout 20 --idle-time 15")
      let result = try #require(try outcome.document().results.first)
      #expect(result.code == "memory-exceeded")
      #expect(result.origin == .creative)
      #expect(outcome.code == 1)
    }

    @Test func aScreenOfTooManyPixelsIsRefused() async throws {
      let server = try await RunningServer(program, "--max-screen 10")
      let large = try await server.send("POST", "/v1/renders", ["markup": "x", "screen": "4096x2700"])
      #expect(large.status == 422)
      #expect(large.text.contains("12 megapixels; the maximum is 10"))
      let described = ["width": 2000, "height": 2000, "scale": 2]
      #expect(try await server.send("POST", "/v1/renders", ["markup": "x", "device": described]).status == 422)
      #expect(try await server.render(["markup": "x", "screen": "390x844@3"]).renderStatus == "completed")
    }
  }
}
