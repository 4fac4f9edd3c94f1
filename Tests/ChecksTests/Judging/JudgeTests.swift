import Checks
import Jobs
import MRAID
import Testing

@Suite("The judge")
struct JudgeTests {
  private struct Mishap: Error {}

  private static func check(
    _ id: String, _ severity: Severity = .error, judge: @escaping @Sendable (Evidence) throws -> [Remark]?
  ) -> Check {
    Check(
      id, family: .robustness, severity: severity, title: "t", why: "w.", remedy: "r.",
      source: Citation(title: "s", url: "https://s.example/"), judge: judge)
  }

  private func report(
    _ checks: [Check], _ policy: Policy = Policy(), profiles: [Profile] = [], today: String = "2026-11-21",
    change: (inout Evidence) -> Void = { _ in }
  ) -> CreativeReport {
    Judge(checks: checks, policy: policy, profiles: profiles, today: today)
      .report(on: .made(change: change), name: "summer", folder: "summer")
  }

  private static let bad = check("bad") { _ in [Remark("it is bad", subject: "a")] }
  private static let odd = check("odd", .warning) { _ in [Remark("it is odd")] }
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
    var own = Remark("too large")
    own.profiles = ["net"]
    let mine = own
    let profiles = [Profile.network("bad"), Profile(id: "other", title: "Other", rules: [])]
    let sized = Self.check("sized") { _ in [mine] }
    #expect(report([sized, Self.odd], profiles: profiles).acceptance.map(\.accepted) == [false, true])
    #expect(report([Self.bad], profiles: profiles).acceptance.map(\.refusedBy) == [["bad"], ["bad"]])
  }

  @Test("a network that makes a rule of good advice raises what it weighs, for itself")
  func adopted() {
    let profiles = [Profile.network("odd"), Profile(id: "other", title: "Other", rules: [])]
    let report = report([Self.odd], profiles: profiles)
    #expect(report.findings.map(\.severity) == [.error])
    #expect(report.findings.map(\.profiles) == [["net"]])
    #expect(report.acceptance.map(\.accepted) == [false, true])
  }

  @Test(
    "what didn't render has the status of who is to blame",
    arguments: [
      (RenderRecord.Outcome.timedOut, Fault.Blame.deadline, CreativeReport.Status.timedOut),
      (.failed, .engine, .broken),
      (.failed, .request, .broken), (.failed, .creative, .failed), (.crashed, .creative, .failed),
    ])
  func outcomes(outcome: RenderRecord.Outcome, blame: Fault.Blame, status: CreativeReport.Status) {
    let report = report([Self.fine]) {
      $0.record.outcome = outcome
      $0.record.fault = blame
    }
    #expect(report.status == status)
  }

  @Test("no network accepts what didn't render to its end, and one that refuses it already says so")
  func unjudged() {
    let profiles = [Profile.network("odd"), Profile(id: "other", title: "Other", rules: [])]
    for outcome in [RenderRecord.Outcome.timedOut, .failed, .crashed] {
      let ended = { (evidence: inout Evidence) in evidence.record.outcome = outcome }
      #expect(report([Self.fine], profiles: profiles, change: ended).acceptance.isEmpty)
      #expect(report([Self.odd], profiles: profiles, change: ended).acceptance.map(\.profile) == ["net"])
    }
  }

  @Test("a number over several networks' limits is one finding, held against the tightest")
  func limits() throws {
    let check = Check.limit(
      "sized", family: .weight, unit: .bytes, title: "t", why: "w.", remedy: "r.",
      source: Citation(title: "s", url: "https://s.example/")
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
      source: Citation(title: "s", url: "https://s.example/")
    ) { _ in [Check.Reading(2, what: "the ad")] }
    var profile = Profile.network("sized")
    profile.rules[0].sizes = [size: 1]
    #expect(report([check], profiles: [profile]).findings.count == count)
  }
}
