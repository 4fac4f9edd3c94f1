import Core
import Foundation
import MRAID
import RenderModel
import Testing

@testable import Checks

@Suite("Profiles of playables")
struct PlayableProfileTests {
  static let playables = ProfileCatalogue.standard.profiles.filter { $0.group == .playables }

  private func report(_ playable: SamplePlayable) -> CreativeReport {
    CheckRunner(profiles: [playable.profile], today: "2026-11-29")
      .report(on: playable.context, name: "ad", folder: "ad")
  }

  @Test("accept a playable that keeps their rules", arguments: playables)
  func accepted(profile: Profile) {
    let report = report(SamplePlayable(profile))
    #expect(report.acceptance.map(\.profile) == [profile.id])
    #expect(report.acceptance.flatMap(\.refusedBy) == [])
    #expect(report.findings.filter { !$0.profiles.isEmpty } == [])
  }

  @Test("refuse a playable that breaks one rule by that rule and no other", arguments: playables)
  func broken(profile: Profile) {
    for rule in profile.rules {
      var playable = SamplePlayable(profile)
      let isBroken = playable.breaks(rule)
      #expect(isBroken, "no break of \(rule.check) is known")
      let report = report(playable)
      let isError = (rule.severity ?? .error) == .error
      let refused = report.acceptance.flatMap(\.refusedBy)
      #expect(refused == (isError ? [rule.check] : []), "\(profile.id): \(rule.check), \(rule.note)")
      #expect(report.findings.contains { $0.check == rule.check }, "\(profile.id): \(rule.check), \(rule.note)")
    }
  }

  @Test(
    "ask for no size of a playable that declares its orientations",
    arguments: [
      ("<meta name='ad.orientation' content='portrait,landscape'>", []), ("", ["unsupported-size"]),
      ("<meta name='ad.orientation' content='portrait'><meta name='ad.size' content='fluid'>", ["unsupported-size"]),
    ])
  func size(head: String, notTried: [String]) throws {
    var playable = SamplePlayable(try #require(Self.playables.first { $0.id == "app-campaigns" }))
    playable.head = head
    let row = try #require(report(playable).acceptance.first)
    #expect(row.notTried.map(\.check).filter { $0 == "unsupported-size" } == notTried)
  }

  @Test(
    "have one finding for a config.json that isn't an object, whatever number of rules read it",
    arguments: [["tiktok"], ["tiktok", "pangle"]])
  func config(names: [String]) throws {
    let profiles = try ProfileCatalogue.standard.named(names)
    let file = Inventory.File(path: "config.json", bytes: 2, names: "[]")
    let context = CheckContext.made(
      files: [.document(""), file], kind: "zip", name: "ad.zip", profiles: profiles)
    let issues = try #require(try Check.named("package-config")?.judge(context))
    #expect(issues.map(\.message) == ["config.json isn't a JSON object"])
    #expect(issues.first?.profiles == names)
    #expect(issues.first?.severity == .error)
  }

  @Test("are rendered in containers that exist", arguments: playables)
  func containers(profile: Profile) {
    guard let name = profile.container else { return }
    #expect(ContainerCatalogue.standard.container(named: name) != nil, "\(name)")
  }

  @Test("are chosen together by the name of their group, each once")
  func group() throws {
    let catalogue = ProfileCatalogue.standard
    #expect(try catalogue.named(["all-playables"]).map(\.id) == Self.playables.map(\.id))
    #expect(Self.playables.map(\.id).contains("meta") && Self.playables.map(\.id).contains("unity"))
    #expect(try catalogue.named(["iab", "all-playables", "unity"]).map(\.id) == ["iab"] + Self.playables.map(\.id))
    #expect(throws: Fault.request("profile-unknown", "there is no profile 'all-playable'; did you mean all-playables?"))
    {
      try catalogue.named(["all-playable"])
    }
  }

  @Test(
    "that agree on a container are rendered in it",
    arguments: [
      (["meta"], "meta"), (["meta", nil], "meta"), (["meta", "meta"], "meta"), (["meta", "vungle"], nil), ([nil], nil),
      ([], nil),
    ] as [([String?], String?)])
  func agreement(containers: [String?], agreed: String?) {
    let profiles = containers.map { Profile(id: "x", title: "X", container: $0, rules: []) }
    #expect(Profile.container(of: profiles) == agreed)
  }

  @Test(
    "with parameters that a check doesn't read, or that are out of bounds, are refused",
    arguments: [
      (#""check": "dead-tap", "calls": ["a"]"#, "dead-tap takes no calls"),
      (#""check": "store-call", "refuses": ["a"]"#, "the rule for store-call needs calls"),
      (#""check": "store-call", "calls": []"#, "calls of the rule for store-call is empty"),
      (
        #""check": "store-call", "calls": [""]"#,
        "calls of the rule for store-call has an element that is empty or longer than 200 characters"
      ),
      (#""check": "package-shape", "depth": 21"#, "depth of the rule for package-shape must be from 0 to 20"),
      (
        #""check": "package-shape", "packages": ["tar"]"#,
        "the rule for package-shape names a package other than html and zip"
      ),
      (
        #""check": "script-syntax-level", "edition": 2010"#,
        "edition of the rule for script-syntax-level must be 2009 or a year from 2015"
      ),
      (#""check": "delivered-weight", "packageLimits": {"zip": -1}"#, "a limit for delivered-weight is below 0"),
    ])
  func parameters(rule: String, problem: String) {
    let text = """
      {"id": "x", "title": "X", "rules": [{\(rule), "note": "n", "source": {"title": "t", "url": "https://a.example/"}}]}
      """
    #expect(throws: Fault.request("profile-invalid", "x.json: \(problem)")) {
      try ProfileCatalogue.read(Data(text.utf8), name: "x.json")
    }
  }

  @Test("with a container that nobody knows are refused")
  func unknownContainer() {
    let text = #"{"id": "x", "title": "X", "container": "applovn", "rules": []}"#
    let message = "x.json: there is no container 'applovn'; did you mean applovin?"
    #expect(throws: Fault.request("profile-invalid", message)) {
      try ProfileCatalogue.read(Data(text.utf8), name: "x.json")
    }
  }
}
