internal import Checks
internal import Jobs

/// Workflow commands that GitHub Actions shows as annotations; of each kind it shows ten a step.
package enum GitHubAnnotations {
  /// So many of a kind, and one more that counts the rest.
  static let most = 9

  /// Lines for standard output, worst first.
  package static func text(_ source: ReportSource) -> String {
    let all = source.report.creatives.flatMap { creative in
      ungraded(creative) + told(creative).map { annotation($0, in: creative, rules: source.report.rules) }
    }.sorted { $0.repeats < $1.repeats }
    return [Severity.error, .warning, .note].map { severity in
      let kind = all.filter { $0.severity == severity }
      let rest = kind.count - most
      let lines = kind.prefix(most).map(\.line)
      guard rest > 0 else { return lines }
      return lines + [Annotation(severity: severity, title: "Galley", message: "and \(rest) more").line]
    }.joined().map { $0 + "\n" }.joined()
  }

  /// Each finding with how often its check had found something in the creative before: first what is new to a reader.
  private static func told(_ creative: CreativeReport) -> [(finding: Finding, repeats: Int)] {
    var seen: [String: Int] = [:]
    return creative.findings.map { finding in
      defer { seen[finding.check, default: 0] += 1 }
      return (finding, seen[finding.check] ?? 0)
    }
  }

  private static func annotation(
    _ told: (finding: Finding, repeats: Int), in creative: CreativeReport, rules: [CheckReport.Rule]
  ) -> Annotation {
    let finding = told.finding
    let rule = rules.first { $0.id == finding.check }
    let (file, inner) = SARIFPath.file(of: finding.place, in: creative)
    let remedy = rule.map { "\n\($0.remedy)" } ?? ""
    return Annotation(
      severity: finding.severity, title: "\(creative.name): \(rule?.title ?? finding.check)",
      message: finding.message + remedy, file: file.contains("://") ? nil : file,
      row: inner == nil ? finding.place?.line : nil, column: inner == nil ? finding.place?.column : nil,
      repeats: told.repeats)
  }

  /// What kept a creative from being judged.
  private static func ungraded(_ creative: CreativeReport) -> [Annotation] {
    let broken = creative.brokenChecks.map {
      Annotation(severity: .warning, title: "\(creative.name): \($0.check) couldn't judge", message: $0.message)
    }
    guard creative.status == .broken || creative.status == .timedOut else { return broken }
    let title = creative.status == .broken ? "not judged" : "no verdict in time"
    let message = creative.record.message ?? creative.record.outcome.rawValue
    return [Annotation(severity: .error, title: "\(creative.name): \(title)", message: message)] + broken
  }
}
