import Core
import Foundation
import Testing

extension ServerTier {
  /// Creative with texts that terminals and build servers would execute, through each command and each output.
  @Suite("Hostile texts", .timeLimit(.minutes(10)))
  struct HostileTextTests {
    private let program: Program

    init() throws {
      program = try Program()
      try program.file("ads/ad/index.html", Self.page("#06c"))
      try program.file("ads/ad/scenario.yaml", ExpandingAd.scenario)
      try program.file("ads/fails/index.html", "<!doctype html><p>ad</p>")
      try program.file("ads/fails/scenario.yaml", "- tap: '#nothere \(Self.yaml)'")
      for name in ["::error::name\n##vso[x]\u{1B}[2J", "\u{202E}::add-mask::x"] { try program.file("ads/\(name).html") }
      try program.file("ads/empty\n::error::e\u{1B}[2J.html", "")
    }

    private static let text =
      "x\\n::stop-commands::t\\n##vso[task.setvariable variable=A]b\\n##teamcity[buildStop]\\u001b[2J\\u001b]0;t\\u0007"
      + "\\u009b31m\\u202edessap all\\u2028::error::y\\u0085z"
    private static let yaml = "::error::y ##vso[x] \u{202E}"

    /// Returns a page that emits the text in every way that reaches an output: dialogs, console, exceptions, names,
    /// calls, requests, elements.
    private static func page(_ color: String) -> String {
      """
      <!doctype html><meta name="ad.size" content="width=300,height=100"><script src="mraid.js"></script>
      <style>html, body { margin: 0; height: 100%; background: \(color) }</style>
      <body onclick="mraid.expand()"><script>
      const text = "\(text)", lines = text.replaceAll("::", "\\n::")
      document.title = lines
      for (const say of [alert, confirm, prompt]) say(lines)
      console.log(lines); console.error(lines)
      setTimeout(() => { throw new Error(lines) })
      setTimeout(() => { throw lines })
      Promise.reject(lines)
      new Image().src = "/missing/" + encodeURIComponent(lines)
      new Image().src = "/" + lines + ".png"
      const button = document.createElement("button")
      button.id = lines; button.className = lines; button.textContent = lines
      button.setAttribute("aria-label", lines)
      button.onclick = event => { event.stopPropagation(); mraid.open("https://shop.example/?" + lines); alert(lines) }
      button.style = "position: absolute; top: 0; left: 0; width: 20px; height: 20px; overflow: hidden"
      document.body.append(button)
      mraid.addEventListener("ready", () => {
        mraid.open(lines); mraid.storePicture(lines); mraid.createCalendarEvent({description: lines, start: lines})
        mraid.setOrientationProperties({forceOrientation: lines}); mraid.setResizeProperties({width: lines})
        mraid.supports(lines); mraid.nothing; window.mraid[lines]
      })
      mraid.addEventListener("stateChange", state => {
        document.body.style.background = state === "expanded" ? "#fff" : "\(color)"
      })
      </script>
      """
    }

    /// Returns the harm in an output; nil for one that is only text.
    private func harm(_ output: String) -> String? {
      for line in output.split(separator: "\n") {
        let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
        if let scalar = line.unicodeScalars.first(where: \.isUnprintable) { return scalar.debugDescription }
        if text.hasPrefix("::") { return "a command: \(text.prefix(80))" }
        if text.firstMatch(of: /##[A-Za-z]*\[/) != nil { return "a service message: \(text.prefix(80))" }
      }
      return nil
    }

    /// Runs a command and checks both of its streams.
    @discardableResult private func run(_ arguments: String) async throws -> Program.Outcome {
      let outcome = try await program.shell("CI= exec \"$GALLEY\" \(arguments)")
      #expect(harm(outcome.output) == nil, "output of \(arguments)")
      #expect(harm(outcome.errors) == nil, "errors of \(arguments)")
      #expect(outcome.code != 130 && outcome.code < 128, "\(arguments)")
      return outcome
    }

    @Test("rendering, exploring and containers tell them as text", .timeLimit(.minutes(5)))
    func renders() async throws {
      for form in ["", "--json", "--quiet"] { try await run("render -r ads --out out \(form)") }
      let explored = try await run("render ads/ad --explore --explore-actions 4 --out explored")
      #expect(explored.output.contains("states"))
      try await run("compare-containers ads/ad --container applovin --out containers")
      try await run("compare-containers ads/ad --container applovin --out containers --json")
      try await run("render 'nowhere\n::error::x\u{1B}[2J' '--no\n::error::such'")
      try await run("'::error::x\n##vso[x]'")
    }

    @Test("checks and reports tell them as text", .timeLimit(.minutes(5)))
    func checks() async throws {
      let checked = try await run("check -r ads --profile all --out checked")
      #expect(checked.output.contains("stop-commands"), "the sample is told at all")
      try await run("check ads/ad --json --shard 1/1 --out checked-2")
      try await run("report checked --junit j.xml --sarif s.sarif --ctrf c.json --har h.har --html r.html")
      try await run("merge-reports checked-2 --out merged")
    }

    @Test("baselines and comparisons tell them as text", .timeLimit(.minutes(5)))
    func baselines() async throws {
      try await run("baseline record -r ads")
      try program.file("ads/ad/index.html", Self.page("#c00") + "<script>console.log(lines + 2)</script>")
      for form in ["", "--json"] { try await run("baseline verify -r ads \(form)") }
      try await run("render ads/ad --out first")
      try await run("render ads/fails --out second/x")
      for form in ["", "--json"] { try await run("diff galley-verified/ad first/ad \(form)") }
      try await run("baseline list ads")
      try await run("baseline approve --all")
      try await run("baseline approve '\n::error::x'")
      try await run("baseline prune -n ads")
    }

    @Test("a suite of somebody's and a server tell them as text", .timeLimit(.minutes(5)))
    func suites() async throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      let phone = root.deletingLastPathComponent().appending(path: "Creatives/conformance/devices/phone.json")
      try program.file("suite/devices/phone.json", String(contentsOf: phone, encoding: .utf8))
      try program.file(
        "suite/wrong.html",
        """
        <!doctype html><meta name="galley.section" content="3"><meta name="galley.rule" content="##vso[x] &#27;[2J">
        <meta name="galley.plan" content="1"><script>console.log("1..1\\nnot ok 1 - \(Self.text)")</script>
        """)
      try await run("conformance --suite suite")
      let server = try program.start("exec \"$GALLEY\" serve --port 0 --data data --jobs 1 --json --verbose")
      var address: String?
      for await line in server.lines {
        let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        address = document?["address"]
        break
      }
      let base = try #require(address)
      _ = try await program.shell("curl -s '\(base)/v1/renders/%0A::error::x%1B%5B2J%E2%80%AE##vso[x]' >/dev/null")
      server.signal(SIGTERM)
      let outcome = await server.outcome()
      #expect(harm(outcome.errors) == nil)
    }
  }
}
