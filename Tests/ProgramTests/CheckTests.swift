import Core
import Foundation
import Testing

extension CheckTier {
  @Suite("Checks", .timeLimit(.minutes(10)))
  struct CheckTests {
    private let program: Program

    init() throws { program = try Program() }

    /// The Creatives folder of this checkout.
    private static let creatives = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Creatives").path()

    /// `family/check` of the creatives that need no exploring; the others are tested where they are measured.
    static let cases: [String] = [
      "mraid", "behaviour", "security", "measurement", "robustness", "layout/blank-render", "expectation",
    ]
    .flatMap { family -> [String] in
      guard !family.contains("/") else { return [family] }
      let names = try? FileManager.default.contentsOfDirectory(atPath: "\(creatives)/checks/\(family)")
      return (names ?? []).filter { !$0.hasPrefix(".") }.sorted().map { "\(family)/\($0)" }
    }

    /// Returns the path of an example that trips a check or nearly does: a page, or the folder of an ad server's
    /// response.
    private static func path(_ example: String, _ kind: String) -> String {
      let path = "\(creatives)/checks/\(example)/\(kind)"
      return FileManager.default.fileExists(atPath: path) ? path : path + ".html"
    }

    private func json(_ text: String) throws -> JSONValue {
      try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    /// Returns the ids of the checks that found something, by the creative's path in the call.
    private func found(_ report: JSONValue) throws -> [String: Set<String>] {
      let creatives = try #require(report["creatives"]?.array)
      return Dictionary(
        creatives.map { creative in
          let ids = creative["findings"]?.array?.compactMap { $0["check"]?.string } ?? []
          return (creative["record"]?["creative"]?["path"]?.string ?? "", Set(ids))
        }, uniquingKeysWith: { first, _ in first })
    }

    @Test("each creative that trips a check trips it, and the one beside it doesn't")
    func creatives() async throws {
      #expect(Self.cases.count == 58)
      let files = Self.cases.flatMap { [Self.path($0, "trips"), Self.path($0, "passes")] }
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check --json --idle-time 0.3 --measure-time 0.3 --out out \(files.joined(separator: " "))")
      let found = try found(json(outcome.output))
      for example in Self.cases {
        let check = try #require(example.split(separator: "/").last.map(String.init))
        let (trips, passes) = (Self.path(example, "trips"), Self.path(example, "passes"))
        #expect(found[trips]?.contains(check) == true, "\(example): \(found[trips] ?? [])")
        #expect(found[passes]?.contains(check) == false, "\(example): \(found[passes] ?? [])")
      }
      #expect(outcome.code == 1)
    }

    @Test("a creative that opens its page unasked fails, whoever it says has tapped it")
    func forgedTap() async throws {
      let folder = "\(Self.creatives)/hostile/forged-tap"
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check --json --idle-time 0.3 --measure-time 0.3 --out out \(folder)")
      let found = try found(json(outcome.output)).values.first ?? []
      #expect(found.isSuperset(of: ["open-without-gesture", "exception"]), "\(found)")
      #expect(outcome.code == 1)
    }

    @Test("flashes are counted picture by picture, in a time in which no picture comes late")
    func flashes() async throws {
      try program.file(
        "strict.json",
        """
        {"id": "strict", "title": "Strict", "rules": [{"check": "flash-count", "limit": 3, "note": "3 flashes",
         "source": {"title": "ours", "url": "https://strict.example/", "date": "2026-01-01"}}]}
        """)
      let files = ["flashing", "flash-count"].flatMap { name in
        ["trips", "passes"].map { "\(Self.creatives)/checks/motion/\(name)/\($0).html" }
      }
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check --json --clock virtual --idle-time 3 --measure-time 3 --profile strict.json --out out "
          + files.joined(separator: " "))
      let found = try found(json(outcome.output))
      #expect(found[files[0]]?.contains("flashing") == true)
      #expect(found[files[1]]?.contains("flashing") == false)
      #expect(found[files[2]]?.contains("flash-count") == true)
      #expect(found[files[3]]?.contains("flash-count") == false)
    }

    @Test("a good banner and a good MRAID ad pass clean, and the report says what was judged")
    func clean() async throws {
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check --json --out out \(Self.creatives)/banner/static \(Self.creatives)/mraid/portable")
      #expect(outcome.code == 0, "\(outcome.output)")
      let report = try json(outcome.output)
      #expect(try found(report).values.allSatisfy(\.isEmpty))
      let passed = try #require(report["creatives"]?[1]?["passedChecks"]?.array)
      #expect(passed.count >= 30)
      let kept = try String(contentsOfFile: program.folder + "/out/report.json", encoding: .utf8)
      #expect(try json(kept) == report)
    }

    @Test("what exploring finds is judged")
    func explored() async throws {
      let expected = ["dead-tap": "dead-tap", "no-way-out": "no-way-out", "covered-close": "covered-close"]
      let files = expected.keys.sorted().map { "\(Self.creatives)/explore/\($0)" }
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check --explore --idle-time 0.3 --measure-time 0.3 --json --out out \(files.joined(separator: " "))"
      )
      let found = try found(json(outcome.output))
      for (creative, check) in expected {
        #expect(found["\(Self.creatives)/explore/\(creative)"]?.contains(check) == true, "\(creative): \(found)")
      }
    }

    @Test("what is asked for behind an explored tap is judged, and a way out that wasn't reached isn't called missing")
    func behindTaps() async throws {
      try program.file(
        "more/index.html",
        """
        <!doctype html><html lang=en><meta name="ad.size" content="width=300,height=250"><title>More</title>
        <body style="margin:0;background:#cde"><h1>More</h1><button id=more>More</button><script>
        let taps = 0;
        document.getElementById("more").onclick = () => {
          document.body.insertAdjacentHTML("beforeend", "<img alt='' src=gone.png>");
          taps += 1;
          if (taps > 99) window.open("https://a.example/");
        };
        </script>
        """)
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check --explore --idle-time 0.3 --measure-time 0.3 --profile iab --json --out out more")
      let report = try json(outcome.output)
      let found = try found(report).values.first ?? []
      #expect(found.isSuperset(of: ["missing-file", "clickthrough-not-reached"]), "\(found)")
      #expect(!found.contains("no-clickthrough"), "\(found)")
    }

    @Test("what the first look found is tried as it was found, though it comes long after the load")
    func lateOverlay() async throws {
      try program.file(
        "late/index.html",
        """
        <!doctype html><html lang=en><meta name="ad.size" content="width=300,height=250"><title>Late</title>
        <style>#lid{position:absolute;inset:0;pointer-events:none} .on #lid{pointer-events:auto;cursor:pointer}</style>
        <body style="margin:0;background:#cde"><h1>Late</h1><div id=lid role=button aria-label=Go></div><script>
        setTimeout(() => { document.body.className = "on"; }, 900);
        document.getElementById("lid").onclick = () => window.open("https://a.example/");
        </script>
        """)
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check --explore --idle-time 1.5 --measure-time 1.5 --json --out out late")
      let found = try found(json(outcome.output)).values.first ?? []
      #expect(!found.contains("no-clickthrough") && !found.contains("dead-tap"), "\(found)")
    }

    @Test("a network doesn't accept an ad that nobody tapped, and with --strict the check fails")
    func notTried() async throws {
      try program.file(
        "ad.html",
        """
        <!doctype html><html lang=en><meta charset=utf-8><title>Ad</title><script src=mraid.js></script>
        <body style="margin:0;background:#cde"><button onclick="mraid.open('https://a.example/')">Go</button>
        """)
      let call = "exec \"$GALLEY\" check --idle-time 0.1 --measure-time 0.1 --profile ironsource,iab ad.html --out"
      let plain = try await program.shell("\(call) plain")
      #expect(plain.code == 0)
      #expect(
        plain.output.contains(
          "  ironsource: not tried: click-without-open, store-call, locked-orientation (nothing was tapped; use --explore "
            + "or --scenario)"))
      #expect(plain.output.contains("networks: 1 not tried"))
      let strict = try await program.shell("\(call) strict --strict")
      #expect(strict.code == 1)
      #expect(
        strict.output.contains("click-without-open: not tried: nothing was tapped; use --explore or --scenario"))
      try program.file("tap.yaml", "- tap: \"button\"\n")
      let tried = try await program.shell("\(call) tried --strict --scenario tap.yaml")
      #expect(tried.output.contains("custom-close-button: not tried: the ad wasn't explored; use --explore"))
      #expect(!tried.output.contains("click-without-open"))
    }

    @Test("the policy beside the creatives chooses devices and networks, and overlooks what was agreed")
    func policy() async throws {
      try program.file("ads/bad.html", "<!doctype html><html lang=en><title>Ad</title><p>Moss<script>moss()</script>")
      try program.file(
        "galley.yaml",
        """
        profile: [iab, dv360]
        devices: [iphone-15, pixel-8]
        suppress:
          - {check: exception, creative: bad/pixel-8, reason: known, expires: 2999-12-31}
        """)
      let outcome = try await program.shell(
        "exec \"$GALLEY\" check --idle-time 0.1 --measure-time 0.1 --json --out out ads/bad.html")
      let report = try json(outcome.output)
      let creatives = try #require(report["creatives"]?.array)
      #expect(creatives.map { $0["name"]?.string } == ["bad/iphone-15", "bad/pixel-8"])
      #expect(creatives.map { $0["acceptance"]?.array?.count } == [2, 2])
      #expect(creatives[0]["findings"]?.array?.contains { $0["check"] == "exception" } == true)
      #expect(creatives[1]["suppressed"]?[0]?["reason"] == "known")
      #expect(creatives[1]["findings"]?.array?.contains { $0["check"] == "exception" } == false)
      #expect(program.has("out/bad/pixel-8/result.json") && program.has("out/report.json"))
      #expect(outcome.code == 1)
    }

    @Test(
      "a wrong call is refused before anything is rendered, with what was probably meant",
      arguments: [
        ("--profile unitty ad.html", "did you mean unity?"),
        (
          "--clock real --idle-time 30 --measure-time 30 --timeout 30 ad.html",
          "--idle-time must be shorter than --timeout with --clock real"
        ),
        ("--policy none.yaml ad.html", "can't read the policy none.yaml"),
        ("--policy wrong.yaml ad.html", "wrong.yaml:1: there is no check 'exceptions'; did you mean exception?"),
      ])
    func refused(arguments: String, says: String) async throws {
      try program.file("ad.html")
      try program.file("wrong.yaml", "severity: {exceptions: off}")
      let outcome = try await program.shell("exec \"$GALLEY\" check --out out \(arguments)")
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains(says), "\(outcome.errors)")
      #expect(!program.has("out"))
    }

    /// Scenarios that end before the ad acts, or grant all consent.
    @Test(
      "a scenario that a creative brings along hides nothing",
      arguments: ["- wait: {seconds: 0.01}\n", "consent: granted\nsteps:\n  - tap: {x: 5, y: 5}\n"])
    func ownScenario(scenario: String) async throws {
      let page = """
        <!doctype html><html lang=en><title>ad</title><meta name="ad.size" content="width=320,height=50">
        <script src="mraid.js"></script><p>ad<script>setTimeout(() => mraid.open("https://a.example/"), 1500)</script>
        """
      try program.file("plain/index.html", page)
      try program.file("armed/index.html", page)
      try program.file("armed/scenario.yaml", scenario)
      let outcome = try await program.shell("exec \"$GALLEY\" check --json --out out plain armed --network none")
      let report = try json(outcome.output)
      let opened = try found(report).mapValues { !$0.isDisjoint(with: ["open-without-gesture", "late-behaviour"]) }
      #expect(opened == ["plain": true, "armed": true], "\(outcome.output)")
      #expect(report["creatives"]?.array?.map { $0["status"]?.string } == ["failed", "failed"])
      #expect(outcome.code == 1)
      // What was rendered for the verdict alone isn't among the results.
      let results = try await program.shell("find out -name result.json | sort")
      #expect(results.output == "out/armed/result.json\nout/plain/result.json\n")
    }

    @Test("what can't be opened, isn't there, or isn't done in time ends with the code of its kind")
    func codes() async throws {
      try program.file("empty.html", "")
      try program.file("busy.html", "<p>ad<script>for (;;) {}</script>")
      #expect(try await program.shell("exec \"$GALLEY\" check --out a empty.html").code == 1)
      #expect(try await program.shell("exec \"$GALLEY\" check --out b none.html").code == 2)
      #expect(try await program.shell("exec \"$GALLEY\" check --timeout 2 --out c busy.html").code == 4)
    }

    @Test("the checks are listed for people and machines, and one is explained")
    func listing() async throws {
      let all = try await program.shell("exec \"$GALLEY\" checks --json")
      let listed = try #require(json(all.output).array)
      #expect(listed.count >= 40)
      #expect(listed.allSatisfy { $0["source"]?["url"]?.string != nil && $0["remedy"]?.string != nil })
      let one = try await program.shell("exec \"$GALLEY\" checks initial-weight")
      #expect(one.output.contains("IAB New Ad Portfolio") && one.output.contains("rich-media: first load"))
      let none = try await program.shell("exec \"$GALLEY\" checks initial-weigt")
      #expect(none.code == 2 && none.errors.contains("did you mean initial-weight?"))
    }
  }
}
