internal import Checks

/// The verdict on a whole run in numbers.
struct VerdictCounts {
  private let creatives: Int
  /// Whether checks were asked for; else it counts what became of renders.
  let isJudged: Bool
  let errors: Int
  let warnings: Int
  let notes: Int
  let suppressed: Int
  let brokenChecks: Int
  private let statuses: [CreativeReport.Status: Int]

  init(_ report: CheckReport, isJudged: Bool = true) {
    self.isJudged = isJudged
    let findings = report.creatives.flatMap(\.findings)
    creatives = report.creatives.count
    errors = findings.count { $0.severity == .error }
    warnings = findings.count { $0.severity == .warning }
    notes = findings.count { $0.severity == .note }
    suppressed = report.creatives.reduce(0) { $0 + $1.suppressed.count }
    brokenChecks = report.creatives.reduce(0) { $0 + $1.brokenChecks.count }
    statuses = Dictionary(grouping: report.creatives, by: \.status).mapValues(\.count)
  }

  func count(_ status: CreativeReport.Status) -> Int { statuses[status] ?? 0 }

  var passes: Bool { count(.passed) == creatives }

  /// `of 5 creatives 2 failed`
  var headline: String {
    let noun = creatives == 1 ? "creative" : "creatives"
    if passes, !isJudged { return "\(creatives) \(noun) rendered" }
    if passes { return creatives == 1 ? "the creative passes" : "all \(creatives) creatives pass" }
    let parts = [
      (count(.failed), "failed"), (count(.timedOut), "ran out of time"), (count(.broken), "couldn't be judged"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "of \(creatives) \(noun) \(parts.joined(separator: ", "))"
  }
}

extension CreativeReport.Status {
  /// For readers.
  var told: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .timedOut: "timed out"
    case .broken: "not judged"
    }
  }
}
