internal import Core
internal import RenderModel

/// Judges creatives by the catalogue, the chosen profiles and the policy.
package struct CheckRunner: Sendable {
  private let checks: [Check]
  private let policy: Policy
  private let profiles: [Profile]
  private let today: String

  /// `today` is a day like 2026-11-21, by which suppressions expire.
  package init(checks: [Check] = Check.all, policy: Policy = Policy(), profiles: [Profile], today: String) {
    let named = Set(profiles.flatMap(\.rules).map(\.check))
    self.checks = checks.filter { policy.weights[$0.id] != .off && (!$0.family.isOptional || named.contains($0.id)) }
    self.policy = policy
    self.profiles = profiles
    self.today = today
  }

  /// The verdict on one creative; `folder` is its results', relative to the report's.
  package func report(on context: CheckContext, name: String, folder: String) -> CreativeReport {
    var context = context
    context.profiles = profiles
    var report = CreativeReport(name: name, folder: folder, record: context.record, status: .passed)
    var findings: [Finding] = []
    for check in checks {
      switch check.run(on: context) {
      case .nothingToJudge: break
      case .broken(let message):
        report.brokenChecks.append(CreativeReport.BrokenCheck(check: check.id, message: message))
      case .judged(let found):
        if found.isEmpty { report.passedChecks.append(check.id) }
        findings += found.map(weighed)
      }
    }
    sort(findings + expired(name), into: &report, name: name)
    report.acceptance = acceptance(of: context.record, report.findings)
    report.status = status(context.record, report.findings)
    return report
  }

  /// The least that fails a creative.
  package var failsOn: Severity { policy.failsOn }

  /// What the report cites.
  package var rules: [CheckReport.Rule] {
    checks.map {
      let severity: Severity = if case .severity(let own) = policy.weights[$0.id] { own } else { $0.severity }
      return CheckReport.Rule(
        id: $0.id, family: $0.family, severity: severity, title: $0.title, why: $0.why, remedy: $0.remedy,
        source: $0.source)
    }
  }

  private func weighed(_ finding: Finding) -> Finding {
    guard case .severity(let own) = policy.weights[finding.check] else { return finding }
    var finding = finding
    finding.severity = own
    return finding
  }

  /// Takes out what the policy overlooks; the rest worst first, else as the checks and the log have them.
  private func sort(_ findings: [Finding], into report: inout CreativeReport, name: String) {
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

  /// A suppression past its day fails what it covered, until somebody decides anew.
  private func expired(_ name: String) -> [Finding] {
    guard let check = checks.first(where: { $0.id == ExpectationChecks.expiredSuppression.id }) else { return [] }
    return policy.suppressions.filter { !$0.holds(today) && $0.concerns(name) }.map {
      Finding(
        check: check.id, severity: check.severity,
        message: "the suppression of \($0.check) expired on \($0.expires ?? "–"): \($0.reason)",
        key: "\(check.id):\($0.check)")
    }
  }

  /// A row for each profile; of what didn't render to its end only refusals are known.
  private func acceptance(of record: RenderRecord, _ findings: [Finding]) -> [CreativeReport.Acceptance] {
    profiles.map { acceptance($0, findings) }.filter { record.outcome == .completed || !$0.accepted }
  }

  /// A network refuses what everybody does, and what is its own rule.
  private func acceptance(_ profile: Profile, _ findings: [Finding]) -> CreativeReport.Acceptance {
    let refusing = Set(
      findings.filter {
        $0.severity == .error && ($0.profiles.isEmpty ? $0.isAboutTheCreative : $0.profiles.contains(profile.id))
      }.map(\.check))
    let ids = checks.map(\.id).filter(refusing.contains)
    return CreativeReport.Acceptance(profile: profile.id, accepted: ids.isEmpty, refusedBy: ids)
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
  /// Whether a network would mind, rather than only whoever runs the check.
  fileprivate var isAboutTheCreative: Bool { check != ExpectationChecks.expiredSuppression.id }
}

extension Check {
  /// What came of judging one creative by one check.
  enum CheckOutcome: Sendable {
    case nothingToJudge
    case judged([Finding])
    case broken(String)
  }

  /// Judges, and signs what was found; whatever goes wrong is the check's own fault.
  func run(on context: CheckContext) -> CheckOutcome {
    do {
      guard let issues = try judge(context) else { return .nothingToJudge }
      let stricter = context.rules(for: id).filter { ($0.rule.severity ?? .error) > severity }
      return .judged(issues.map { sign($0, stricter: needsProfile ? [] : stricter) })
    } catch {
      return .broken("\(error)")
    }
  }

  /// A network that makes a rule of what is good advice elsewhere raises its weight, and is named.
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
