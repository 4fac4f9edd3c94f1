import Core
import Foundation
import RenderModel
import Testing

extension CheckTier {
  /// Playables in the hosts of their networks, as a user renders them.
  @Suite(.timeLimit(.minutes(2))) struct PlayableTests {
    private let program: Program

    private static let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Creatives/playable").path()

    init() throws { program = try Program() }

    private func inspected(_ arguments: String) async throws -> [JSONValue] {
      let outcome = try await program.shell("exec \"$GALLEY\" inspect --json \(arguments)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      return try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8))["creatives"]?.array ?? []
    }

    @Test(arguments: ["real", "virtual"])
    func aGameIsStartedPlayedAndClosed(clock: String) async throws {
      let outcome = try await program.shell(
        "exec \"$GALLEY\" render '\(Self.samples)/mintegral' --container mintegral --clock \(clock) --json --out out")
      let result = try #require(try outcome.document().results.first)
      #expect(result.outcome == .completed, "\(outcome.output)")
      #expect(result.placement?.kind == .interstitial)
      let text = try String(contentsOfFile: "\(program.folder)/out/mintegral/events.ndjson", encoding: .utf8)
      let events = try text.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
      let calls = events.filter { $0.source == .playable }.map { "\($0.name) \($0.detail["call"]?.string ?? "")" }
      #expect(
        calls == [
          "called gameReady", "sent gameStart", "called gameEnd", "storeOpened install", "sent gameClose",
        ])
    }

    /// Build of the sample game, and the answers of networks to it.
    struct Build: Sendable, CustomTestStringConvertible {
      let network: String
      var container: String?
      /// Indicates if the network has a profile.
      var hasProfile = true
      /// Rules of its network that a render on the virtual clock doesn't try.
      var notTried: [String] = []
      /// Checks by which other networks refuse the build.
      let others: [String: [String]]

      var testDescription: String { network }
      var profiles: [String] { (hasProfile ? [network] : []) + others.keys.sorted() }
    }

    private static let builds = [
      Build(
        network: "meta",
        others: [
          "mintegral": ["store-call", "playable-lifecycle"], "vungle": ["store-call", "playable-lifecycle"],
          "pangle": ["store-call", "package-shape"], "unity": ["store-call"],
        ]),
      Build(network: "mintegral", others: ["meta": ["store-call", "package-shape"], "smadex": ["store-call"]]),
      Build(
        network: "tiktok", others: ["pangle": ["external-request"], "snapchat": ["store-call", "package-config"]]),
      Build(network: "pangle", others: ["app-campaigns": ["store-call"], "tiktok": []]),
      Build(network: "vungle", others: ["meta": ["store-call"], "tapjoy": ["store-call"]]),
      Build(network: "app-campaigns", others: ["inmobi": ["store-call"], "nucleo": ["store-call"]]),
      Build(network: "tapjoy", others: ["vungle": ["store-call", "playable-lifecycle"]]),
      Build(network: "smadex", others: ["mytarget": ["store-call", "package-shape"]]),
      Build(network: "nucleo", others: ["ironsource": ["store-call"]]),
      Build(network: "dapi", hasProfile: false, others: ["ironsource": ["store-call", "refused-code"]]),
      Build(network: "unity", others: ["applovin": [], "ironsource": [], "meta": ["store-call"]]),
      Build(network: "applovin", others: ["unity": [], "inmobi": ["package-shape"]]),
      Build(
        network: "ironsource", notTried: ["load-time"],
        others: ["pangle": ["store-call", "package-shape", "refused-code"]]),
      Build(network: "moloco", container: "spec", others: ["chartboost": []]),
    ]

    @Test("a network accepts its build of the game, and others refuse it by their rules", arguments: builds)
    func acceptance(build: Build) async throws {
      let words = "--network none --container \(build.container ?? build.network)"
      let outcome = try await program.shell(
        """
        '\(Self.samples)/build' --out builds \(build.network) &&
        exec "$GALLEY" check builds/* --explore --json --out out \(words) --profile \(build.profiles.joined(separator: ","))
        """)
      let report = try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8))["creatives"]?[0]
      let rows = try #require(report?["acceptance"]?.array, "\(outcome.errors)")
      #expect(rows.compactMap { $0["profile"]?.string } == build.profiles)
      for row in rows {
        let profile = try #require(row["profile"]?.string)
        guard let expected = build.others[profile] else {
          #expect(row["verdict"] == (build.notTried.isEmpty ? "accepted" : "notTried"), "\(row)")
          #expect((row["notTried"]?.array ?? []).compactMap { $0["check"]?.string } == build.notTried)
          continue
        }
        #expect(row["refusedBy"]?.array?.compactMap(\.string) == expected, "\(profile)")
      }
      let own = report?["findings"]?.array?.filter { $0["profiles"]?.array?.contains(.string(build.network)) == true }
      #expect(own == [], "warnings of the network's own rules")
    }

    @Test("a build that never requests its network's script is refused for that alone")
    func withoutScript() async throws {
      let outcome = try await program.shell(
        """
        '\(Self.samples)/build' --out builds --wrong app-campaigns &&
        exec "$GALLEY" check builds/app-campaigns-without-script.zip --explore --json --out out --network none \
          --container app-campaigns --profile app-campaigns
        """)
      let report = try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8))["creatives"]?[0]
      #expect(report?["acceptance"]?[0]?["refusedBy"] == ["missing-network-script"], "\(outcome.errors)")
    }

    @Test func inspectingABuildNamesItsNetworks() async throws {
      let entries = try await inspected("'\(Self.samples)/vungle' '\(Self.samples)/tiktok'")
      let vungle: JSONValue = [
        ["container": "vungle", "calls": ["parent.postMessage('complete')", "parent.postMessage('download')"]]
      ]
      let tiktok: JSONValue = [
        ["container": "tiktok", "calls": ["playableSDK.openAppStore"]]
      ]
      #expect(entries.map { $0["networks"] } == [vungle, tiktok])
    }

    @Test func inspectingAnotherAdNamesNone() async throws {
      try program.file("ad.html", "<!doctype html><script>mraid.open('https://a.example/')</script>")
      let entries = try await inspected("ad.html")
      #expect(entries.count == 1 && entries[0]["networks"] == nil)
    }

    @Test func comparedContainersAreThoseOfMRAIDUnlessOthersAreNamed() async throws {
      try program.file("ad.html")
      let outcome = try await program.shell(
        "exec \"$GALLEY\" compare-containers ad.html --out out --json --container meta")
      let runs = try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8))["creatives"]?[0]?["runs"]
      #expect(runs?.array?.map { $0["container"]?.string } == ["spec", "meta"])
      let all = try await program.shell("exec \"$GALLEY\" compare-containers ad.html --out all --json")
      let names = try JSONDecoder().decode(JSONValue.self, from: Data(all.output.utf8))["creatives"]?[0]?["runs"]?
        .array?.compactMap { $0["container"]?.string }
      #expect(names?.contains("safeframe") == true && names?.contains("meta") == false)
    }
  }
}
