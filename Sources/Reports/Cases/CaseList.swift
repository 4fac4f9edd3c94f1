internal import Checks
internal import Jobs

/// A creative's test cases: its render, then every check that had something to judge, in the catalogue's order.
struct CaseList {
  let creative: CreativeReport
  let report: CheckReport

  private var rules: [CheckReport.Rule] { report.rules }

  var cases: [TestCase] { [render] + ids.compactMap(check) }

  private var render: TestCase {
    let record = creative.record
    let outcome: TestCase.Outcome =
      switch creative.status {
      case .timedOut, .broken: .broken
      case .failed where record.outcome != .completed: .failed
      case .passed, .failed: .passed
      }
    let reason = record.message ?? "the render \(record.outcome.rawValue)"
    return TestCase(
      creative: creative, id: "render", title: "renders", outcome: outcome, message: outcome == .passed ? nil : reason,
      details: record.warnings, pictures: record.screenshots.map(\.path), duration: record.timings["total"] ?? 0)
  }

  /// Of the catalogue first; what it doesn't know is told all the same.
  private var ids: [String] {
    let known = rules.map(\.id)
    let met =
      creative.findings.map(\.check) + creative.suppressed.map(\.finding.check) + creative.brokenChecks.map(\.check)
    var strangers: [String] = []
    for id in met where !known.contains(id) && !strangers.contains(id) { strangers.append(id) }
    return known + strangers
  }

  private func check(_ id: String) -> TestCase? {
    let findings = creative.findings.filter { $0.check == id }
    let suppressed = creative.suppressed.filter { $0.finding.check == id }
    let title = rules.first { $0.id == id }?.title ?? id
    if let broken = creative.brokenChecks.first(where: { $0.check == id }) {
      return TestCase(creative: creative, id: id, title: title, outcome: .broken, message: broken.message)
    }
    if !findings.isEmpty { return found(findings, id: id, title: title) }
    if !suppressed.isEmpty {
      let reasons = suppressed.map { "suppressed: \($0.reason)" }
      return TestCase(
        creative: creative, id: id, title: title, outcome: .skipped, message: reasons[0],
        details: suppressed.map(\.finding.message))
    }
    guard creative.passedChecks.contains(id) else { return nil }
    return TestCase(creative: creative, id: id, title: title, outcome: .passed, message: nil)
  }

  private func found(_ findings: [Finding], id: String, title: String) -> TestCase {
    let fails = findings.contains { $0.severity >= report.failsOn ?? .error }
    let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
    let remedy =
      rules.first { $0.id == id }.map {
        ["Remedy: \($0.remedy)", "See \($0.source.isOnTheWeb ? $0.source.url : $0.source.title)"]
      } ?? []
    return TestCase(
      creative: creative, id: id, title: title, outcome: fails ? .failed : .passed,
      message: findings[0].message + more, details: findings.map(\.told) + remedy, findings: findings,
      pictures: creative.pictures(of: findings))
  }
}
