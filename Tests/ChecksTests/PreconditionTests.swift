import Core
import Exploration
import Foundation
import RenderModel
import Testing

@testable import Checks

@Suite("What must be tried")
struct PreconditionTests {
  private static func report(_ context: CheckContext, profiles: [Profile], isStrict: Bool = false) -> CreativeReport {
    var policy = Policy()
    policy.isStrict = isStrict
    return CheckRunner(policy: policy, profiles: profiles, today: "2026-11-28")
      .report(on: context, name: "ad", folder: "ad")
  }

  /// Parts of the evidence that a check may use.
  private static let parts: [Precondition] = [
    .load, .files, .code, .measurements, .earlyPlayback, .document, .picture, .motion, .touch, .exploration,
    .lateObservation, .outages, .openMeasurement, .refusedConsent,
  ]

  @Test("a check that can't judge without a part of the evidence says that it needs it", arguments: CheckCase.all)
  func declared(example: CheckCase) throws {
    let check = try #require(Check.named(example.id))
    guard try check.judge(example.passes) == [] else { return }
    for part in Self.parts {
      guard let context = example.passes.without(part), try check.judge(context) == nil else { continue }
      let missed = check.missing(in: context).subtracting(check.missing(in: example.passes))
      #expect(!missed.isEmpty, "\(check.id) has nothing to judge without \(part.word)")
    }
  }

  @Test("a check needs only parts of the evidence that it uses")
  func used() throws {
    let cases = Dictionary(grouping: CheckCase.all, by: \.id)
    // Silence about a touch counts only after one, whichever events the check reads.
    let needed = Set(Self.parts).subtracting([.touch, .load])
    for check in Check.all {
      guard let examples = cases[check.id] else { continue }
      for part in check.needs.intersection(needed) {
        let isUsed = try examples.flatMap { [$0.trips, $0.passes] }.contains { context in
          guard let other = context.without(part) else { return false }
          return try check.judge(context) != check.judge(other)
        }
        #expect(isUsed, "\(check.id) needs \(part.word), but judges the same without it")
      }
    }
  }

  @Test("every check says what it needs, but those that findings of the policy use")
  func declaredAtAll() {
    #expect(Check.all.filter(\.needs.isEmpty).map(\.id) == ["expired-suppression"])
  }

  @Test("the evidence of an ad on which everything was tried lacks nothing")
  func nothingMissing() {
    for precondition in Precondition.plain { #expect(precondition.isMet(by: .tried()), "\(precondition.word)") }
  }

  @Test("without a part of the evidence its precondition isn't met", arguments: parts + [.network])
  func missing(part: Precondition) throws {
    let context = try #require(CheckContext.tried().without(part))
    #expect(!part.isMet(by: context))
    #expect(!part.text.isEmpty)
  }

  @Test("networks accept an ad on which everything was tried, and nothing is wrong")
  func accepted() throws {
    let names = ["iab", "google-ads", "ad-manager", "cm360", "dv360", "amazon", "unity", "applovin", "chromium"]
    let profiles = try ProfileCatalogue.standard.named(names)
    let rows = Self.report(.tried(), profiles: profiles).acceptance
    #expect(rows.map(\.verdict) == names.map { _ in .accepted }, "\(rows)")
  }

  @Test("no network accepts an ad on which one of its rules wasn't tried", arguments: parts + [.network])
  func refused(part: Precondition) throws {
    for profile in ProfileCatalogue.standard.profiles {
      let context = try #require(CheckContext.tried([profile]).without(part))
      let checks = profile.rules.compactMap { Check.named($0.check) }
      guard checks.contains(where: { !$0.missing(in: context).isEmpty }) else { continue }
      let row = try #require(Self.report(context, profiles: [profile]).acceptance.first)
      #expect(row.verdict != .accepted, "\(profile.id) without \(part.word)")
    }
  }

  @Test("an ad that nobody tapped isn't accepted by a network that asks for its clicks")
  func untapped() throws {
    let unity = try ProfileCatalogue.standard.named(["unity"])
    let context = try #require(CheckContext.tried().without(.touch))
    let row = try #require(Self.report(context, profiles: unity).acceptance.first)
    #expect(row.verdict == .notTried)
    #expect(row.notTried.map(\.check) == ["click-without-open", "store-call", "locked-orientation", "covered-close"])
    #expect(
      row.notTriedText
        == "click-without-open, store-call, locked-orientation (nothing was tapped; use --explore or --scenario), "
        + "covered-close (the ad wasn't explored; use --explore)")
  }

  @Test("a tap that leads nowhere doesn't try where clicks lead")
  func leadsNowhere() throws {
    let context = CheckContext.made([call("getState"), event(.input, "tap", ["x": 1, "y": 1])])
    let report = Self.report(context, profiles: [.network("click-without-open")])
    #expect(report.acceptance.first?.notTried.map(\.needs) == [[.clickthrough]])
  }

  private static let rules: [Profile] = [
    .network("playable-lifecycle") { $0.calls = ["gameEnd"] },
    .network("playable-lifecycle") { $0.answers = ["gameClose"] }, .network("sound-when-hidden"),
  ]

  /// Checks a document with packed data, and the code that unpacks it.
  private static func packed(_ code: String, _ profile: Profile) -> CreativeReport.Acceptance? {
    let gap = [Excerpt(of: Array("'\(String(repeating: "A", count: 2000))'".utf8), most: 100)].flatMap(\.gaps)
    let text = "<script>new DecompressionStream('gzip');\(code)</script>"
    let context = CheckContext.made(
      files: [Inventory.File(path: "index.html", bytes: 3000, text: text, gaps: gap)], profiles: [profile])
    return report(context, profiles: [profile]).acceptance.first
  }

  @Test("no network accepts packed code that may lack what it asks for", arguments: rules)
  func packed(rule: Profile) {
    #expect(Self.packed("go()", rule)?.notTried.map(\.needs) == [[.plainCode]])
    let named = "gameEnd(); function gameClose() {}; on('visibilitychange')"
    #expect(Self.packed(named, rule)?.verdict == .accepted)
  }

  @Test("the rules of a profile with a container of its own are tried in that one only")
  func container() throws {
    var profile = Profile.network("popup")
    profile.container = "meta"
    let row = try #require(Self.report(.made(), profiles: [profile]).acceptance.first)
    #expect(row.notTried.map(\.needs) == [[.container("meta")]])
    #expect(row.notTriedText == "popup (the ad was rendered in another container; use --container meta)")
    let inside = CheckContext.made { $0.record.container = "meta" }
    #expect(Self.report(inside, profiles: [profile]).acceptance.map(\.verdict) == [.accepted])
    profile.container = "spec"
    #expect(Self.report(.made(), profiles: [profile]).acceptance.map(\.verdict) == [.accepted])
  }

  @Test(
    "a time to load counts only if loading took time of the clock",
    arguments: [
      (.real, false, [], true), (.virtual, false, ["https://a.example/a.js"], false),
      (.virtual, true, ["https://a.example/a.js"], true), (.virtual, true, ["creative://ad/a.js"], false),
    ] as [(RenderOptions.Clock, Bool, [String], Bool)])
  func loadTime(clock: RenderOptions.Clock, timesNetwork: Bool, urls: [String], isTimed: Bool) throws {
    let profile = Profile.network("load-time", limit: 10)
    func row(windowLoad: Double) -> CreativeReport.Acceptance? {
      let resources = urls.map { resource($0) }
      let context = CheckContext.made(resources: [], profiles: [profile]) {
        $0.measurements = Measurements(
          clock: clock,
          load: LoadBoundary.all(domContentLoaded: 1, windowLoad: windowLoad, complete: 2, dividing: resources),
          resources: resources, heavyAd: HeavyAdBudget(resources: resources, samples: [], activation: nil, end: 9),
          timesNetwork: timesNetwork)
      }
      return Self.report(context, profiles: [profile]).acceptance.first
    }
    #expect(row(windowLoad: 9_000)?.verdict == (isTimed ? .accepted : .notTried))
    #expect(row(windowLoad: 9_000)?.notTried.map(\.needs) == (isTimed ? [] : [[.loadTime]]))
    #expect(row(windowLoad: 10_001)?.verdict == .refused)
  }

  @Test("turning counts as a second orientation only where the app turned")
  func orientation() {
    for isAllowed in [true, false] {
      let context = CheckContext.made([event(.host, "rotate", ["to": "landscape", "allowed": .bool(isAllowed)])])
      #expect(Precondition.secondOrientation.isMet(by: context) == isAllowed)
    }
  }

  @Test("a policy that demands trying makes an error of a rule that wasn't tried, for the networks that have it")
  func strict() throws {
    let profiles = try ProfileCatalogue.standard.named(["iab", "unity", "applovin"])
    let context = try #require(CheckContext.tried().without(.touch))
    let report = Self.report(context, profiles: profiles, isStrict: true)
    #expect(report.status == .failed)
    let demanded = report.findings.filter { $0.key.hasSuffix(":not tried") }
    #expect(demanded.map(\.check) == ["click-without-open", "store-call", "locked-orientation", "covered-close"])
    let both = ["unity", "applovin"]
    #expect(demanded.map(\.profiles) == [both, both, both, ["unity"]])
    #expect(demanded.first?.message == "not tried: nothing was tapped; use --explore or --scenario")
    #expect(report.acceptance.map(\.verdict) == [.accepted, .notTried, .notTried])
    #expect(Self.report(context, profiles: profiles).status == .passed)
    #expect(Self.report(.tried(), profiles: profiles, isStrict: true).status == .passed)
  }

  @Test("a rule that wasn't tried can be suppressed like any other finding")
  func suppressed() throws {
    var policy = Policy(suppressions: [
      .init(check: "click-without-open", key: "click-without-open:not tried", reason: "by hand", expires: "2027-01-01")
    ])
    policy.isStrict = true
    let context = try #require(CheckContext.tried().without(.touch))
    let runner = CheckRunner(policy: policy, profiles: [.network("click-without-open")], today: "2026-11-28")
    let report = runner.report(on: context, name: "ad", folder: "ad")
    #expect(report.suppressed.map(\.reason) == ["by hand"])
    #expect(report.status == .passed)
  }
}

@Suite("A report's third answer")
struct NotTriedDocumentTests {
  private static func row(_ json: JSONValue) throws -> CreativeReport.Acceptance {
    try JSONDecoder().decode(CreativeReport.Acceptance.self, from: JSONEncoder().encode(json))
  }

  @Test("is read as it was written, with the answer in words", arguments: [Precondition.touch, .container("meta")])
  func roundTrip(precondition: Precondition) throws {
    let row = CreativeReport.Acceptance(
      profile: "net", notTried: [CreativeReport.NotTried(check: "popup", needs: [precondition])])
    let json = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(row))
    #expect(json["accepted"]?.bool == false)
    #expect(json["verdict"]?.string == "notTried")
    #expect(json["notTried"]?[0]?["needs"]?[0]?.string == precondition.word)
    #expect(try Self.row(json) == row)
  }

  @Test("is missing from reports of older versions, which can be read", arguments: [[], ["popup"]])
  func older(refusedBy: [String]) throws {
    let json: JSONValue = [
      "profile": "net", "accepted": .bool(refusedBy.isEmpty), "refusedBy": .array(refusedBy.map { .string($0) }),
    ]
    let row = try Self.row(json)
    #expect(row.verdict == (refusedBy.isEmpty ? .accepted : .refused))
    #expect(row.notTried == [])
  }
}
