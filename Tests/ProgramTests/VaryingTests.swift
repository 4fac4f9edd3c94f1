import Foundation
import Testing

extension ProgramTier {
  /// Creatives under several conditions: what a person allows, networks, hosts that aren't there.
  @Suite(.timeLimit(.minutes(4))) struct VaryingTests {
    private let program: Program

    init() throws { program = try Program() }

    private func json(_ call: String) async throws -> [String: Any] {
      let outcome = try await program.shell("exec \"$GALLEY\" \(call) --json")
      return try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test func tellsWhomAnAdAsksWithEachAnswer() async throws {
      try program.file(
        "ad.html",
        """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><p>ad</p>
        <img src="https://ad.doubleclick.net/p?gdpr=${GDPR}&c=${GDPR_CONSENT_755}">
        <script>
        localStorage.setItem("uid", "1");
        const ask = (yes) => { if (yes) new Image().src = "https://b.scorecardresearch.com/b"; };
        if (typeof __tcfapi === "function") __tcfapi("getTCData", 2, (data) => ask(data.purpose.consents[1])); else ask(true);
        </script>
        """)
      let document = try await json("compare-consent ad.html --out consent")
      let creative = try #require((document["creatives"] as? [[String: Any]])?.first)
      let runs = try #require(creative["runs"] as? [[String: Any]])
      let domains = runs.map {
        ($0["parties"] as? [[String: Any]] ?? []).compactMap { $0["domain"] as? String }.sorted()
      }
      let both = ["doubleclick.net", "scorecardresearch.com"]
      #expect(runs.map { $0["consent"] as? String } == ["untold", "granted", "refused", "undecided"])
      #expect(domains == [both, both, ["doubleclick.net"], ["doubleclick.net"]])
      #expect(runs.map { $0["asks"] as? [String] } == [[], ["tcf"], ["tcf"], ["tcf"]])
      #expect(runs.allSatisfy { $0["stores"] as? [String] == ["localStorage uid"] })
      #expect(creative["askedAllTheSame"] as? [String] == ["doubleclick.net"])
      let checked = try await program.shell("exec \"$GALLEY\" check ad.html --consent refused --out checked")
      #expect(checked.code == 1)
      #expect(
        checked.output.contains(
          "ad.doubleclick.net (Google, advertising) receives a request although consent is refused: the ad queried tcf")
      )
      #expect(checked.output.contains("localStorage uid is stored on the device although consent is refused"))
      let untold = try await program.shell("exec \"$GALLEY\" check ad.html --out untold")
      #expect(!untold.output.contains("tracks-without-consent"))
    }

    /// Two hosts on this machine: the page's own, and one that has its library.
    private func server(_ after: String) throws -> LoopbackServer {
      let library = "window.lib = { draw(place) { place.textContent = 'Spring sale, half price until Sunday'; } };"
      return try LoopbackServer { path, _ in
        switch path {
        case "/lib.js": .init(type: "text/javascript", body: library)
        case "/ad": .init(body: Self.page.replacing("AFTER", with: after))
        default: nil
        }
      }
    }

    private static let page = """
      <!doctype html><meta name="ad.size" content="width=300,height=250">
      <body style="margin:0;background:#fff"><div id="text" style="font:40px sans-serif"></div>
      <script>const add = document.createElement("script"); add.src = `http://localhost:${location.port}/lib.js`;
      add.onload = () => lib.draw(document.getElementById("text")); AFTER; document.body.append(add);</script>
      """

    @Test func tellsHowAnAdLoadsAndWhatIsLeftOfItWithoutAHost() async throws {
      let server = try server("")
      let call = "\(server.address)/ad --replay ad.zip --size 300x250"
      _ = try await program.shell("exec \"$GALLEY\" render \(server.address)/ad --out recorded --record ad.zip")
      let documents = [
        try await json("compare-networks \(call) --profile latency=300ms --profile 3g --out one"),
        try await json("compare-networks \(call) --profile latency=300ms --profile 3g --out two"),
      ]
      let creatives = documents.compactMap { ($0["creatives"] as? [[String: Any]])?.first }
      let loads = creatives.map { creative in
        (creative["runs"] as? [[String: Any]] ?? []).compactMap { ($0["load"] as? [String: Double])?["windowLoad"] }
      }
      #expect(loads.count == 2 && loads[0] == loads[1] && loads[0].count == 3)
      // A connection and a request, twice: two hosts.
      #expect(loads[0][1] >= 1_200 && loads[0][1] < 1_300, "\(loads)")
      let outages = try #require(creatives[0]["outages"] as? [[String: Any]])
      #expect(outages.map { $0["host"] as? String } == ["localhost"])
      #expect(outages[0]["content"] as? Double == 0 && outages[0]["usualContent"] as? Double ?? 0 > 0.02)
      let checked = try await program.shell("exec \"$GALLEY\" check \(call) --without-hosts 3 --out checked")
      #expect(checked.output.contains("blank-without-cdn: without localhost the ad shows nothing"))
      #expect(!program.has("checked/127.0.0.1-\(server.address.split(separator: ":").last ?? "")-ad/without-localhost"))
    }

    @Test func anAdThatHelpsItselfIsLeftAlone() async throws {
      let server = try server(
        "add.onerror = () => { document.getElementById('text').textContent = 'Spring sale, half price'; }")
      let checked = try await program.shell(
        "exec \"$GALLEY\" check \(server.address)/ad --size 300x250 --without-hosts 3 --out checked")
      #expect(
        !checked.output.contains("blank-without-cdn") && !checked.output.contains("no-fallback"), "\(checked.output)")
    }

    @Test(arguments: [
      ("compare-consent ad.html --consent refused", "leave out --consent"),
      ("compare-networks ad.html --profile 9g", "'9g' isn't a network"),
      ("compare-networks ad.html --record a.zip", "use galley render --record"),
      ("check ad.html --without-hosts 99", "must be from 0 to 20"),
    ])
    func aCallThatIsWrongIsToldBeforeAnythingIsRendered(_ call: String, _ words: String) async throws {
      try program.file("ad.html")
      let outcome = try await program.shell("exec \"$GALLEY\" \(call)")
      #expect(outcome.code == 2 && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}
