internal import Core
internal import RenderModel

/// Judges creatives by the catalogue, the chosen profiles and the policy.
package struct CheckRunner: Sendable {
  private let checks: [Check]
  private let policy: Policy
  private let profiles: [Profile]
  private let today: String
  /// Trial of a playable's build in a network's host; nil for other checks.
  private let trial: PlayableTrial?

  /// Creates a runner; `today` is a day as 2026-11-21, by which suppressions expire.
  package init(
    checks: [Check] = Check.all, policy: Policy = Policy(), profiles: [Profile], today: String,
    trial: PlayableTrial? = nil
  ) {
    let profiles = trial?.profiles ?? profiles
    let named = Set(profiles.flatMap(\.rules).map(\.check))
    self.checks = checks.filter { policy.weights[$0.id] != .off && (!$0.family.isOptional || named.contains($0.id)) }
    self.policy = policy
    self.profiles = profiles
    self.today = today
    self.trial = trial
  }

  /// Returns the verdict on one creative; `folder` is the path of its results, relative to the report's.
  package func report(on context: CheckContext, name: String, folder: String) -> CreativeReport {
    var context = context
    context.profiles = profiles
    var report = CreativeReport(name: name, folder: folder, record: context.record, status: .passed)
    report.touched = context.hasLoaded ? context.wasTouched : nil
    report.build = trial?.build
    let outcomes = checks.map { (check: $0, outcome: $0.run(on: context)) }
    let findings = findings(of: outcomes, into: &report)
    sort(findings + expired(name), into: &report, name: name)
    report.acceptance = profiles.map { acceptance($0, outcomes, report.findings, context) }
    if policy.isStrict { sort(report.findings + demanded(report), into: &report, name: name) }
    report.status = status(context.record, report.findings.filter { trial?.counts($0) ?? true })
    if let trial { sort(report.findings.map(trial.reported), into: &report, name: name) }
    return report
  }

  /// Lowest severity that fails a creative.
  package var failsOn: Severity { policy.failsOn }

  /// Indicates if a rule of a profile that wasn't tried fails a creative.
  package var isStrict: Bool { policy.isStrict }

  /// Rules as reports cite them, with the policy's severities.
  package var rules: [CheckReport.Rule] {
    checks.map {
      let severity: Severity = if case .severity(let own) = policy.weights[$0.id] { own } else { $0.severity }
      return CheckReport.Rule(
        id: $0.id, family: $0.family, severity: severity, title: $0.title, why: $0.why, remedy: $0.remedy,
        source: $0.source)
    }
  }

  /// Returns the weighed findings, and stores the other outcomes in the report.
  private func findings(of outcomes: [Judgement], into report: inout CreativeReport) -> [Finding] {
    var findings: [Finding] = []
    var notTried: [CreativeReport.NotTried] = []
    for (check, outcome) in outcomes {
      switch outcome {
      case .nothingToJudge: break
      case .notTried(let missing): notTried.append(CreativeReport.NotTried(check: check.id, needs: missing))
      case .broken(let message):
        report.brokenChecks.append(CreativeReport.BrokenCheck(check: check.id, message: message))
      case .judged(let found):
        if found.isEmpty { report.passedChecks.append(check.id) }
        findings += found.map(weighed)
      }
    }
    report.notTried = notTried
    return findings
  }

  private typealias Judgement = (check: Check, outcome: Check.CheckOutcome)

  private func weighed(_ finding: Finding) -> Finding {
    guard case .severity(let own) = policy.weights[finding.check] else { return finding }
    var finding = finding
    finding.severity = own
    return finding
  }

  /// Separates findings that the policy suppresses; sorts the rest by severity, else keeps their order.
  private func sort(_ findings: [Finding], into report: inout CreativeReport, name: String) {
    report.findings = []
    for finding in findings {
      if let suppression = policy.suppressions.first(where: { $0.holds(today) && $0.covers(finding, of: name) }) {
        report.suppressed.append(
          CreativeReport.Suppressed(finding: finding, reason: suppression.reason, expires: suppression.expires))
      } else {
        report.findings.append(finding)
      }
    }
    report.findings = Severity.allCases.reversed().flatMap { severity in
      report.findings.filter { $0.severity == severity }
    }
  }

  /// Returns a finding for each suppression whose last day is over, so that it must be decided anew.
  private func expired(_ name: String) -> [Finding] {
    guard let check = checks.first(where: { $0.id == ExpectationChecks.expiredSuppression.id }) else { return [] }
    return policy.suppressions.filter { !$0.holds(today) && $0.concerns(name) }.map {
      Finding(
        check: check.id, severity: check.severity,
        message: "the suppression of \($0.check) expired on \($0.expires ?? "–"): \($0.reason)",
        key: "\(check.id):\($0.check)")
    }
  }

  /// Returns an error for each rule of a profile that wasn't tried, for policies that demand trying.
  ///
  /// If the render didn't complete, its status says so already.
  private func demanded(_ report: CreativeReport) -> [Finding] {
    guard report.record.outcome == .completed else { return [] }
    let asked = report.acceptance.filter { trial == nil || $0.asked != nil }
    let rows = asked.flatMap { row in row.notTried.map { (profile: row.profile, rule: $0) } }
    return checks.map(\.id).compactMap { id in
      let mine = rows.filter { $0.rule.check == id }
      guard let first = mine.first else { return nil }
      return Finding(
        check: id, severity: .error, message: "not tried: \(first.rule.reason)", profiles: mine.map(\.profile),
        key: "\(id):not tried")
    }
  }

  /// Returns a profile's row: it refuses general errors of the creative, and errors by its own rules.
  private func acceptance(
    _ profile: Profile, _ outcomes: [Judgement], _ findings: [Finding], _ context: CheckContext
  ) -> CreativeReport.Acceptance {
    let refusing = Set(
      findings.filter {
        $0.severity == .error && ($0.profiles.isEmpty ? $0.isAboutTheCreative : $0.profiles.contains(profile.id))
      }.map(\.check))
    var row = CreativeReport.Acceptance(
      profile: profile.id, refusedBy: checks.map(\.id).filter(refusing.contains),
      notTried: notTried(profile, outcomes, context))
    row.asked = trial?.asked[profile.id]
    return row
  }

  /// Returns the profile's own rules that weren't tried, after the render itself if that didn't complete.
  private func notTried(
    _ profile: Profile, _ outcomes: [Judgement], _ context: CheckContext
  ) -> [CreativeReport.NotTried] {
    let render = [Precondition.load].filter { !$0.isMet(by: context) }.map {
      CreativeReport.NotTried(check: CreativeReport.renderID, needs: [$0])
    }
    let own = Set(profile.rules.map(\.check))
    return render
      + outcomes.filter { own.contains($0.check.id) }.compactMap { judgement in
        let missing = missing(judgement, for: profile, context)
        return missing.isEmpty ? nil : CreativeReport.NotTried(check: judgement.check.id, needs: missing)
      }
  }

  /// Returns the preconditions that aren't met for a profile's rule; a rule that the creative breaks needs none.
  ///
  /// Issues of a check that judges by profiles are answers for the profiles that they name, and no others.
  private func missing(_ judgement: Judgement, for profile: Profile, _ context: CheckContext) -> Set<Precondition> {
    let check = judgement.check
    switch judgement.outcome {
    case .broken: return [.soundCheck]
    case .judged(let found) where found.contains { !check.needsProfile || $0.profiles.contains(profile.id) }: return []
    case .nothingToJudge, .notTried, .judged: break
    }
    let container = check.needs.contains(.load) ? profile.container.map(Precondition.container) : nil
    return check.missing(in: context).union(Set([container].compactMap(\.self)).filter { !$0.isMet(by: context) })
  }

  private func status(_ record: RenderRecord, _ findings: [Finding]) -> CreativeReport.Status {
    switch record.outcome {
    case .timedOut: .timedOut
    case .failed where record.origin == .engine || record.origin == .request: .broken
    case .failed, .crashed: .failed
    case .completed: findings.contains { $0.severity >= policy.failsOn } ? .failed : .passed
    }
  }
}

extension Policy.Suppression {
  fileprivate func holds(_ today: String) -> Bool { expires.map { today <= $0 } ?? true }
  fileprivate func concerns(_ name: String) -> Bool { creative.map { Pattern.matches($0, name) } ?? true }
  fileprivate func covers(_ finding: Finding, of name: String) -> Bool {
    check == finding.check && concerns(name) && (key.map { Pattern.matches($0, finding.key) } ?? true)
  }
}

extension Finding {
  /// Indicates if the finding matters to a network, rather than only to the caller.
  fileprivate var isAboutTheCreative: Bool { check != ExpectationChecks.expiredSuppression.id }
}

extension Check {
  /// Result of judging one creative by one check.
  enum CheckOutcome: Sendable {
    case nothingToJudge
    /// No issue was found, but these preconditions aren't met.
    case notTried(Set<Precondition>)
    case judged([Finding])
    case broken(String)
  }

  /// Judges a creative and completes its findings; any error thrown counts as the check's own.
  func run(on context: CheckContext) -> CheckOutcome {
    guard !needsProfile || !context.rules(for: id).isEmpty else { return .nothingToJudge }
    do {
      let issues = try judge(context)
      let missing = issues?.isEmpty == false ? [] : missing(in: context)
      guard missing.isEmpty else { return .notTried(missing) }
      guard let issues else { return .nothingToJudge }
      let stricter = context.rules(for: id).filter { ($0.rule.severity ?? .error) > severity }
      return .judged(issues.map { sign($0, stricter: needsProfile ? [] : stricter) })
    } catch {
      return .broken("\(error)")
    }
  }

  /// Completes a finding; profiles that give the check a higher severity raise that of the finding and are named in it.
  private func sign(_ issue: CheckIssue, stricter: [CheckContext.ProfileRule]) -> Finding {
    let own = issue.severity ?? severity
    let raised = stricter.filter { ($0.rule.severity ?? .error) > own }
    return Finding(
      check: id, severity: raised.map { $0.rule.severity ?? .error }.max() ?? own, message: issue.message,
      profiles: raised.isEmpty ? issue.profiles : raised.map(\.profile), place: issue.place,
      measure: issue.measure, event: issue.event, screenshot: issue.screenshot,
      key: issue.subject.isEmpty ? id : "\(id):\(issue.subject)")
  }
}
