import Core
import MRAID
import RenderModel
import Testing

@testable import Checks

@Suite("The judge")
struct CheckRunnerTests {
  private struct Mishap: Error {}

  private static func check(
    _ id: String, _ severity: Severity = .error, needs: Set<Precondition> = [],
    judge: @escaping @Sendable (CheckContext) throws -> [CheckIssue]?
  ) -> Check {
    Check(
      id, family: .robustness, severity: severity, title: "t", why: "w.", remedy: "r.",
      source: Citation(title: "s", url: "https://s.example/"), needs: needs, judge: judge)
  }

  private func report(
    _ checks: [Check], _ policy: Policy = Policy(), profiles: [Profile] = [], today: String = "2026-11-21",
    change: (inout CheckContext) -> Void = { _ in }
  ) -> CreativeReport {
    CheckRunner(checks: checks, policy: policy, profiles: profiles, today: today)
      .report(on: .made(change: change), name: "summer", folder: "summer")
  }

  private static let bad = check("bad") { _ in [CheckIssue("it is bad", subject: "a")] }
  private static let odd = check("odd", .warning) { _ in [CheckIssue("it is odd")] }
  private static let fine = check("fine") { _ in [] }
  private static let idle = check("idle") { _ in nil }

  @Test("a check that throws is reported as broken, and the others go on")
  func broken() {
    let report = report([Self.check("weak") { _ in throw Mishap() }, Self.fine])
    #expect(report.brokenChecks == [CreativeReport.BrokenCheck(check: "weak", message: "Mishap()")])
    #expect(report.passedChecks == ["fine"])
    #expect(report.status == .passed)
  }

  @Test("findings stand worst first, and carry a key that says which")
  func order() {
    let report = report([Self.odd, Self.bad, Self.fine, Self.idle])
    #expect(report.findings.map(\.key) == ["bad:a", "odd"])
    #expect(report.passedChecks == ["fine"])
    #expect(report.status == .failed)
  }

  @Test(
    "only what the policy says fails a run",
    arguments: [(Severity.error, CreativeReport.Status.passed), (.warning, .failed)])
  func failsOn(least: Severity, status: CreativeReport.Status) {
    #expect(report([Self.odd], Policy(failsOn: least)).status == status)
  }

  @Test("the policy says what a check weighs, and which isn't judged at all")
  func weights() {
    let report = report([Self.bad, Self.odd], Policy(weights: ["bad": .severity(.note), "odd": .off]))
    #expect(report.findings.map(\.severity) == [.note])
    #expect(report.status == .passed)
  }

  @Test("what is suppressed doesn't fail, and is told with its reason")
  func suppressed() {
    let policy = Policy(suppressions: [
      .init(check: "bad", creative: "sum*", key: "bad:*", reason: "agreed", expires: "2026-11-21")
    ])
    let report = report([Self.bad], policy)
    #expect(report.status == .passed)
    #expect(report.suppressed.map(\.reason) == ["agreed"])
    #expect(report.suppressed.map(\.finding.key) == ["bad:a"])
  }

  @Test(
    "a suppression of another creative or key covers nothing", arguments: [("winter", "bad:a"), ("summer", "bad:b")])
  func elsewhere(creative: String, key: String) {
    let policy = Policy(suppressions: [
      .init(check: "bad", creative: creative, key: key, reason: "agreed", expires: "2027-01-01")
    ])
    #expect(report([Self.bad], policy).status == .failed)
  }

  @Test("a suppression past its day fails, whether or not it still covers anything")
  func expired() throws {
    let expiry = try #require(Check.named("expired-suppression"))
    let policy = Policy(suppressions: [.init(check: "odd", reason: "agreed", expires: "2026-11-20")])
    let report = report([Self.fine, expiry], policy)
    #expect(report.status == .failed)
    #expect(report.findings.map(\.message) == ["the suppression of odd expired on 2026-11-20: agreed"])
  }

  @Test("a network refuses everybody's errors and its own rules, and nobody else's")
  func acceptance() {
    var own = CheckIssue("too large")
    own.profiles = ["net"]
    let mine = own
    let profiles = [Profile.network("bad"), Profile(id: "other", title: "Other", rules: [])]
    let sized = Self.check("sized") { _ in [mine] }
    #expect(report([sized, Self.odd], profiles: profiles).acceptance.map(\.verdict) == [.refused, .accepted])
    #expect(report([Self.bad], profiles: profiles).acceptance.map(\.refusedBy) == [["bad"], ["bad"]])
  }

  @Test("a network that makes a rule of good advice raises what it weighs, for itself")
  func adopted() {
    let profiles = [Profile.network("odd"), Profile(id: "other", title: "Other", rules: [])]
    let report = report([Self.odd], profiles: profiles)
    #expect(report.findings.map(\.severity) == [.error])
    #expect(report.findings.map(\.profiles) == [["net"]])
    #expect(report.acceptance.map(\.verdict) == [.refused, .accepted])
  }

  @Test(
    "what didn't render has the status of who is to blame",
    arguments: [
      (RenderRecord.Outcome.timedOut, Fault.Origin.deadline, CreativeReport.Status.timedOut),
      (.failed, .engine, .broken),
      (.failed, .request, .broken), (.failed, .creative, .failed), (.crashed, .creative, .failed),
    ])
  func outcomes(outcome: RenderRecord.Outcome, origin: Fault.Origin, status: CreativeReport.Status) {
    let report = report([Self.fine]) {
      $0.record.outcome = outcome
      $0.record.origin = origin
    }
    #expect(report.status == status)
  }

  @Test("no network accepts what didn't render to its end, and one whose rule is broken refuses it")
  func unjudged() {
    let profiles = [Profile.network("odd"), Profile(id: "other", title: "Other", rules: [])]
    for outcome in [RenderRecord.Outcome.timedOut, .failed, .crashed] {
      let ended = { (context: inout CheckContext) in context.record.outcome = outcome }
      let rows = report([Self.fine], profiles: profiles, change: ended).acceptance
      #expect(rows.map(\.verdict) == [.notTried, .notTried])
      #expect(
        rows.map(\.notTried) == [[.init(check: "render", needs: [.load])], [.init(check: "render", needs: [.load])]])
      let other = report([Self.odd], profiles: profiles, change: ended).acceptance
      #expect(other.map(\.verdict) == [.refused, .notTried])
    }
  }

  @Test("a network doesn't accept what its own rules couldn't judge, and rules of others don't matter to it")
  func unjudgedInPart() {
    let profiles = [Profile.network("odd"), Profile(id: "other", title: "Other", rules: [])]
    let calm = Self.check("odd", .warning, needs: [.network]) { _ in [] }
    let broken = Self.check("odd") { _ in throw Mishap() }
    let unreached = { (context: inout CheckContext) in
      let url = "https://a.example/font.woff2"
      context = .made(
        [event(.network, "resource", ["url": .string(url), "refused": .string(CutOff.offline)])],
        resources: [resource(url, status: 0, failure: "Load request cancelled")])
    }
    #expect(report([calm], profiles: profiles, change: unreached).acceptance.map(\.verdict) == [.notTried, .accepted])
    #expect(report([calm], profiles: profiles, change: unreached).notTried == [.init(check: "odd", needs: [.network])])
    #expect(
      report([Self.odd], profiles: profiles, change: unreached).acceptance.map(\.verdict) == [.refused, .accepted])
    let weak = report([broken], profiles: profiles).acceptance
    #expect(weak.map(\.notTried) == [[.init(check: "odd", needs: [.soundCheck])], []])
    #expect(report([calm], profiles: profiles).acceptance.map(\.verdict) == [.accepted, .accepted])
  }

  @Test("a check without an issue judges nothing until it was tried, and one with issues has been")
  func preconditions() {
    let needs: Set<Precondition> = [.touch]
    let untouched = report([
      Self.check("silent", needs: needs) { _ in nil }, Self.check("calm", needs: needs) { _ in [] },
      Self.check("loud", needs: needs) { _ in [CheckIssue("it is bad")] },
    ])
    #expect(untouched.notTried == ["silent", "calm"].map { .init(check: $0, needs: [.touch]) })
    #expect(untouched.findings.map(\.check) == ["loud"])
    #expect(untouched.passedChecks == [])
    let tap = { (context: inout CheckContext) in context = .made([event(.input, "tap")]) }
    let touched = report([Self.check("calm", needs: needs) { _ in [] }], change: tap)
    #expect(touched.passedChecks == ["calm"])
    #expect(touched.notTried == [])
  }

  @Test("a number over several networks' limits is one finding, held against the tightest")
  func limits() throws {
    let check = Check.limit(
      "sized", family: .weight, unit: .bytes, title: "t", why: "w.", remedy: "r.",
      source: Citation(title: "s", url: "https://s.example/"), needs: .rendered
    ) { _ in [Check.Reading(151_000, what: "the ad")] }
    let networks = [("a", 200_000.0), ("b", 150_000.0), ("c", 100_000.0)].map { id, limit in
      Profile(id: id, title: id, rules: Profile.network("sized", limit: limit).rules)
    }
    let finding = try #require(report([check], profiles: networks).findings.first)
    #expect(finding.message == "the ad has 151 kB: b allows 150 kB, c allows 100 kB")
    #expect(finding.profiles == ["b", "c"])
    #expect(finding.measure == Finding.Measure(value: 151_000, limit: 100_000, unit: "B"))
  }

  @Test(
    "a limit that goes by the slot is the slot's, and none for another", arguments: [("300x250", 1), ("320x50", 0)])
  func sizes(size: String, count: Int) {
    let check = Check.limit(
      "sized", family: .weight, unit: .bytes, title: "t", why: "w.", remedy: "r.",
      source: Citation(title: "s", url: "https://s.example/"), needs: .rendered
    ) { _ in [Check.Reading(2, what: "the ad")] }
    var profile = Profile.network("sized")
    profile.rules[0].sizes = [size: 1]
    #expect(report([check], profiles: [profile]).findings.count == count)
  }
}

/// Hostile numbers of a page or a server in the evidence: judging them costs at most the creative's verdict.
@Suite struct HostileNumberTests {
  static let hostile: [Double] = [
    .nan, .infinity, -.infinity, 1e308, -1e308, 1e20, 2_147_483_647, 2_147_483_649, -2_147_483_649,
    9_007_199_254_740_994, 9.223372036854775808e18, -0.0,
  ]

  @Test(arguments: hostile, Checks.Unit.allCases)
  func `every number with every unit is text`(number: Double, unit: Checks.Unit) {
    #expect(!unit.text(number).isEmpty)
  }

  @Test(arguments: hostile)
  func `every check judges every number in the log`(number: Double) throws {
    let value = JSONValue.number(number)
    let detail: JSONValue = [
      "line": value, "column": value, "status": value, "bytes": value, "code": value, "count": value, "capacity": value,
      "x": value, "y": value, "width": value, "height": value, "seconds": value, "url": "https://a.example/a.png",
      "message": value, "text": value, "level": "error", "file": "creative://ad/a.js", "arguments": [value, value],
      "timing": ["start": value, "end": value], "state": "default", "name": value, "failure": value,
    ]
    let names = [
      "exception", "rejection", "console", "resource", "navigation", "dialog", "resize", "setResizeProperties", "error",
      "flaw", "departure", "settled", "logTruncated", "expand", "open", "violation", "socket", "webProcessEnded",
      "loadFinished",
    ]
    let events = Event.Source.allCases.flatMap { source in names.map { event(source, $0, detail) } }
    try judge(.made(events, profiles: ProfileCatalogue.standard.profiles))
  }

  @Test(arguments: hostile)
  func `every check judges every number that was measured`(number: Double) throws {
    let count = Int(exactly: number) ?? .max
    let element = DocumentAudit.Element(
      kind: "close", selector: "a", text: "x", frame: Rect(x: number, y: number, width: number, height: number))
    let document = DocumentAudit(
      textSizes: [.init(element: element, size: number)], overflow: .init(x: number, y: number, scrolls: false),
      clipped: [element], closeControls: [.init(element: element, contrast: number)],
      media: [MediaElement(selector: "video", isPlaying: true, isAudible: true, duration: number)],
      animations: AnimationAudit(running: count, endless: count, end: number, loops: number, names: ["spin"]),
      canvases: count)
    let surface = SurfaceAudit(isBlank: false, hasBorder: false, whiteEdge: number, blackEdge: number)
    let heavy = (0..<3).map { index in
      var resource = resource("https://a.example/adchoices\(index).png", bytes: count, start: number)
      (resource.decoded, resource.status) = (count, count)
      return resource
    }
    var measured = Measurements.made(heavy)
    measured.pages = [
      PageAudit(state: .default, t: number, width: number, height: number, document: document, surface: surface)
    ]
    for steps in [[], [MotionMeasure.Step(t: number, share: number)]] {
      measured.motion = MotionMeasure(
        from: number, until: number, frames: count, steps: steps,
        flashes: FlashMeasure(count: count, mostInOneSecond: count, worstFrom: number, area: number, share: number))
      try judge(
        .made(profiles: ProfileCatalogue.standard.profiles) {
          $0.measurements = measured
          $0.record.placement?.width = number
          $0.record.placement?.height = number
        })
    }
  }

  /// Judges the evidence, and expects no broken check and a message in every finding.
  private func judge(_ context: CheckContext) throws {
    let report = CheckRunner(checks: Check.all, policy: Policy(), profiles: context.profiles, today: "2026-11-22")
      .report(on: context, name: "ad", folder: "ad")
    #expect(report.brokenChecks == [])
    #expect(report.findings.allSatisfy { !$0.message.isEmpty })
  }
}
