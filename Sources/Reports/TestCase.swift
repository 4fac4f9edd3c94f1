internal import Checks
internal import RenderModel

/// Check on one creative, or answer of a network to a build, in the form that formats for test results count.
struct TestCase {
  enum Outcome: Hashable {
    /// Nothing was found, or nothing that fails the creative.
    case passed
    case failed
    /// All findings are suppressed, or the case that the check asks for wasn't tried.
    case skipped
    /// Check or render that couldn't judge the creative.
    case broken
  }

  let creative: CreativeReport
  /// Id of the check, `render` for the render itself, or id of the network.
  let id: String
  let title: String
  let outcome: Outcome
  /// Message on one line; nil if the case simply passed.
  let message: String?
  /// Details, one paragraph for each finding.
  var details: [String] = []
  var findings: [Finding] = []
  /// Paths of the pictures, relative to the result's folder.
  var pictures: [String] = []
  /// Duration in milliseconds; only a render has one.
  var duration: Double = 0
  /// Name of the build whose answer it is; nil for a check on the creative.
  var build: String?

  /// Name of what is tested: the build or the creative.
  var subject: String { build ?? creative.name }
}

/// Test cases of a creative: its render, then every check that judged or wasn't tried, in the catalogue's order.
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
      creative: creative, id: CreativeReport.renderID, title: "renders", outcome: outcome,
      message: outcome == .passed ? nil : reason,
      details: record.assumed + record.warnings, pictures: record.screenshots.map(\.path),
      duration: record.timings["total"] ?? 0)
  }

  /// Ids of the catalogue's checks, then those of checks that it doesn't have.
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
    if let rule = creative.notTried?.first(where: { $0.check == id }) {
      return TestCase(
        creative: creative, id: id, title: title, outcome: .skipped, message: "not tried: \(rule.reason)")
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
      creative: creative, id: id, title: title,
      outcome: fails ? .failed : .passed,
      message: findings[0].message + more, details: findings.map(\.told) + remedy, findings: findings,
      pictures: creative.pictures(of: findings))
  }
}

extension CreativeReport {
  /// Returns a network's verdict on the creative; nil in older reports, if it couldn't be judged.
  func acceptance(by profile: String) -> Acceptance? { acceptance.first { $0.profile == profile } }

  /// Error for a creative that failed to render by its own fault; nil for others.
  private var renderFailure: Finding? {
    guard status == .failed, record.outcome != .completed else { return nil }
    let code = record.code ?? record.outcome.rawValue
    return Finding(
      check: Self.renderID, severity: .error, message: record.message ?? "the render \(record.outcome.rawValue)",
      key: "\(Self.renderID):\(code)")
  }

  /// All problems of the creative: a failed render first, then the findings of checks.
  var problems: [Finding] { [renderFailure].compactMap(\.self) + findings }

  /// Returns the paths of the pictures that findings refer to, each once.
  func pictures(of findings: [Finding]) -> [String] {
    let names = findings.compactMap(\.screenshot)
    return record.screenshots.filter { names.contains($0.name) }.map(\.path)
  }

  /// Path or URL of the creative as the caller gave it.
  var creativePath: String { record.creative.path }
}
