import Core
import RenderModel
import Testing

@testable import Checks

@Suite("Playables in the hosts of several networks")
struct PlayableMatrixTests {
  private static func profile(_ id: String, container: String? = nil, rules: [Profile.Rule] = []) -> Profile {
    Profile(id: id, title: id, group: .playables, container: container, rules: rules)
  }

  private static let chosen = [
    profile("meta", container: "meta"), profile("app-campaigns", container: "app-campaigns"), profile("unity"),
    profile("applovin"),
  ]

  @Test(
    "a build's name decides which networks have to accept it, before its code",
    arguments: [
      (["meta.html", "build"], ["meta"]), (["index.html", "unity"], ["unity"]),
      (["game_App-Campaigns_v2.zip", "meta"], ["app-campaigns"]), (["meta-unity.zip"], ["meta", "unity"]),
      (["tiktok.html"], []),
    ])
  func names(names: [String], expected: [String]) {
    let asked = PlayableAsk(names: names, containers: ["meta"], usesMRAID: true).asked(among: Self.chosen)
    #expect(asked.keys.sorted() == expected)
    #expect(asked.values.allSatisfy { $0 == .name })
  }

  @Test("a build whose name is part of a word names no network")
  func partOfWord() {
    let asked = PlayableAsk(names: ["metal.html", "communityx"], containers: ["meta"]).asked(among: Self.chosen)
    #expect(asked == ["meta": .code])
  }

  @Test("the longer of two names that share words is meant")
  func longer() {
    let both = [Self.profile("ironsource"), Self.profile("ironsource-exchange")]
    #expect(
      PlayableAsk(names: ["ironsource-exchange.html"]).asked(among: both) == ["ironsource-exchange": .name])
  }

  @Test("without a name the code decides; MRAID is for networks without an interface of their own")
  func code() {
    let names = ["game.html", "out"]
    #expect(
      PlayableAsk(names: names, containers: ["app-campaigns"]).asked(among: Self.chosen) == ["app-campaigns": .code])
    #expect(
      PlayableAsk(names: names, usesMRAID: true).asked(among: Self.chosen) == ["unity": .code, "applovin": .code])
  }

  @Test("a build that names no chosen network and calls none has to be accepted by all that were chosen")
  func choice() {
    let asked = PlayableAsk(names: ["game.html"], containers: ["tiktok"]).asked(among: Self.chosen)
    #expect(asked.count == 4 && asked.values.allSatisfy { $0 == .choice })
  }

  private static let source = Citation(title: "s", url: "https://s.example/")

  private static let failing = Check(
    "bad", family: .robustness, severity: .error, title: "t", why: "w.", remedy: "r.", source: source,
    needs: []
  ) { _ in [CheckIssue("it is bad")] }

  private static let idle = Check(
    "idle", family: .robustness, severity: .error, title: "t", why: "w.", remedy: "r.", source: source,
    needs: [.exploration]
  ) { _ in [] }

  private func report(
    _ checks: [Check], asked: [String: CreativeReport.Acceptance.Asked], strict: Bool = false, host: String = "meta"
  ) -> CreativeReport {
    var policy = Policy()
    policy.isStrict = strict
    let network = Self.profile(
      host, rules: [Profile.Rule(check: "idle", note: "n", source: Self.source)])
    let trial = PlayableTrial(build: "game", profiles: [network], asked: asked)
    return CheckRunner(checks: checks, policy: policy, profiles: Self.chosen, today: "2026-11-29", trial: trial)
      .report(on: .made(), name: "game/\(host)", folder: "game/\(host)")
  }

  @Test("a refusal fails a build in the host of a network that has to accept it, and is a note in another")
  func status() {
    let asked = report([Self.failing], asked: ["meta": .name])
    #expect(asked.status == .failed && asked.build == "game")
    #expect(asked.findings.map(\.severity) == [.error])
    let other = report([Self.failing], asked: ["unity": .name])
    #expect(other.status == .passed)
    #expect(other.findings.map(\.severity) == [.note])
    #expect(other.acceptance.map(\.verdict) == [.refused])
    #expect(other.acceptance.map(\.asked) == [nil])
  }

  @Test("a strict policy demands that the rules are tried of networks that have to accept the build, and no others")
  func strict() {
    #expect(report([Self.idle], asked: ["meta": .code]).status == .passed)
    #expect(report([Self.idle], asked: ["meta": .code], strict: true).status == .failed)
    #expect(report([Self.idle], asked: ["unity": .code], strict: true).status == .passed)
  }

  @Test("the matrix has a row for each build with the answers of all hosts, and their reasons")
  func matrix() {
    let renders = [
      report([Self.failing], asked: ["meta": .name]), report([Self.idle], asked: [:], host: "unity"),
    ]
    let profiles = ["meta", "unity", "applovin"].map { CheckReport.ProfileSummary(id: $0, title: $0) }
    let rows = PlayableMatrix(CheckReport(galley: "1", rules: [], profiles: profiles, creatives: renders)).rows
    #expect(rows.map(\.build) == ["game"])
    #expect(rows.flatMap(\.cells).map(\.answer.profile) == ["meta", "unity"])
    #expect(rows.flatMap(\.cells).map(\.answer.verdict) == [.refused, .notTried])
    #expect(rows.flatMap(\.cells).map(\.results) == [["game/meta"], ["game/unity"]])
    #expect(rows.first?.cells.first?.reasons == "bad: it is bad")
    #expect(rows.first?.cells.last?.reasons?.hasPrefix("idle (") == true)
    #expect(rows.first?.asked(.name) == ["meta"])
    #expect(rows.first?.demand == "has to be accepted by meta (named in its path)")
    #expect(rows.flatMap(\.cells).map(\.words) == ["no", "not asked (not tried)"])
    #expect(rows.flatMap(\.cells).map(\.isAsked) == [true, false])
  }

  @Test("an issue of the matrix has the remedy of its rule, and that of a failed render the render's message")
  func issues() {
    var render = report([Self.failing], asked: ["meta": .name])
    let rule = CheckReport.Rule(
      id: "bad", family: .robustness, severity: .error, title: "Bad", why: "It matters.", remedy: "Mend it.",
      source: Citation(title: "A standard", url: "https://example.com"))
    let profiles = [CheckReport.ProfileSummary(id: "meta", title: "Meta")]
    func issues() -> [PlayableMatrix.Issue] {
      PlayableMatrix(CheckReport(galley: "1", rules: [rule], profiles: profiles, creatives: [render])).asked
        .flatMap(\.cell.issues)
    }
    #expect(issues().map(\.text) == ["bad: it is bad"])
    #expect(issues().map(\.remedy) == ["Mend it."])
    render.acceptance[0].refusedBy = [CreativeReport.renderID]
    render.record.message = "not done within 30 s"
    #expect(issues().map(\.text) == ["render: not done within 30 s"])
    #expect(issues().map(\.remedy) == [nil])
  }

  @Test("a check without playables has no matrix")
  func none() {
    let creative = CheckRunner(checks: [], profiles: [], today: "2026-11-29")
      .report(on: .made(), name: "ad", folder: "ad")
    #expect(PlayableMatrix(CheckReport(galley: "1", rules: [], profiles: [], creatives: [creative])).rows == [])
  }
}
