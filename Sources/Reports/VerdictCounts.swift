internal import Checks

/// Verdict on a whole run in numbers.
struct VerdictCounts {
  private let creatives: Int
  /// Indicates if checks were run; otherwise the counts are of render outcomes.
  let isJudged: Bool
  let errors: Int
  let warnings: Int
  let notes: Int
  let suppressed: Int
  let brokenChecks: Int
  /// Number of answers of networks for which not all rules were tried.
  let notTried: Int
  private let statuses: [CreativeReport.Status: Int]

  init(_ report: CheckReport, isJudged: Bool = true) {
    self.isJudged = isJudged
    let findings = report.creatives.flatMap(\.problems)
    creatives = report.creatives.count
    errors = findings.count { $0.severity == .error }
    warnings = findings.count { $0.severity == .warning }
    notes = findings.count { $0.severity == .note }
    suppressed = report.creatives.reduce(0) { $0 + $1.suppressed.count }
    brokenChecks = report.creatives.reduce(0) { $0 + $1.brokenChecks.count }
    notTried = report.creatives.reduce(0) { $0 + $1.rows(.notTried).count }
    statuses = Dictionary(grouping: report.creatives, by: \.status).mapValues(\.count)
  }

  func count(_ status: CreativeReport.Status) -> Int { statuses[status] ?? 0 }

  var passes: Bool { count(.passed) == creatives }

  /// Headline, such as `2 failed, 1 timed out of 5 creatives`.
  var headline: String {
    let noun = creatives == 1 ? "creative" : "creatives"
    if passes, !isJudged { return "\(creatives) \(noun) rendered" }
    if passes {
      let extent = notTried > 0 ? " what was tried" : ""
      return (creatives == 1 ? "the creative passes" : "all \(creatives) creatives pass") + extent
    }
    let parts = [
      (count(.failed), "failed"), (count(.timedOut), "timed out"), (count(.broken), "not judged"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(parts.joined(separator: ", ")) of \(creatives) \(noun)"
  }
}

extension CreativeReport.Status {
  /// Status in readable words.
  var told: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .timedOut: "timed out"
    case .broken: "not judged"
    }
  }
}
