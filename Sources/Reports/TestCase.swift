internal import Checks
internal import RenderModel

/// One check on one creative, as formats for test results count it.
struct TestCase {
  enum Outcome: Hashable {
    /// With nothing found, or with nothing that fails the creative.
    case passed
    case failed
    /// All that was found is suppressed.
    case skipped
    /// It couldn't be judged.
    case broken
  }

  let creative: CreativeReport
  /// The check's id, or `render` for the render itself.
  let id: String
  let title: String
  let outcome: Outcome
  /// In a line, unless it simply passed.
  let message: String?
  /// What there is to tell, a paragraph a finding.
  var details: [String] = []
  var findings: [Finding] = []
  /// Relative to the result's folder.
  var pictures: [String] = []
  /// Milliseconds; only a render takes any.
  var duration: Double = 0
}

/// A creative's test cases: its render, then every check that had something to judge, in the catalogue's order.
struct TestCases {
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

extension CreativeReport {
  /// What a network makes of it; nil when it couldn't be judged.
  func acceptance(by profile: String) -> Acceptance? { acceptance.first { $0.profile == profile } }

  /// The paths of the pictures that findings point to, each once.
  func pictures(of findings: [Finding]) -> [String] {
    let names = findings.compactMap(\.screenshot)
    return record.screenshots.filter { names.contains($0.name) }.map(\.path)
  }

  /// How the result's author calls it: the path or address it was given by.
  var creativePath: String { record.creative.path }
}
