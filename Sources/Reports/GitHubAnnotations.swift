internal import Checks
internal import RenderModel

/// Workflow commands that GitHub Actions shows as annotations, at most ten of each kind per step.
package enum GitHubAnnotations {
  /// Maximum number of annotations of a kind, which leaves one for the count of the rest.
  private static let most = 9

  /// Returns the lines for standard output, by severity with errors first.
  package static func text(_ source: ReportSource) -> String {
    let all = source.report.creatives.flatMap { creative in
      ungraded(creative) + told(creative).map { annotation($0, in: creative, rules: source.report.rules) }
    }.sorted { $0.repeats < $1.repeats }
    let policy = source.report.policy.map {
      Annotation(severity: .note, title: "Galley", message: "policy: \($0.text)")
    }
    return [Severity.error, .warning, .note].map { severity in
      let first = severity == .note ? [policy].compactMap(\.self) : []
      let (kind, room) = (all.filter { $0.severity == severity }, most - first.count)
      let lines = (first + kind.prefix(room)).map(\.line)
      guard kind.count > room else { return lines }
      return lines + [Annotation(severity: severity, title: "Galley", message: "and \(kind.count - room) more").line]
    }.joined().map { $0 + "\n" }.joined()
  }

  /// Returns each finding with the number of earlier findings of its check in the creative.
  ///
  /// Findings are sorted by that number, so that each check's first finding comes before repeated ones.
  private static func told(_ creative: CreativeReport) -> [(finding: Finding, repeats: Int)] {
    var seen: [String: Int] = [:]
    return creative.problems.map { finding in
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

  /// Returns annotations for renders and checks that couldn't judge the creative.
  private static func ungraded(_ creative: CreativeReport) -> [Annotation] {
    let broken = creative.brokenChecks.map {
      Annotation(
        severity: .warning, title: "\(creative.name): \($0.check) couldn't judge the creative", message: $0.message)
    }
    guard creative.status == .broken || creative.status == .timedOut else { return broken }
    let title = creative.status == .broken ? "not judged" : "timed out before a verdict"
    let message = creative.record.message ?? creative.record.outcome.rawValue
    return [Annotation(severity: .error, title: "\(creative.name): \(title)", message: message)] + broken
  }
}

/// Single workflow command (docs.github.com, workflow commands for GitHub Actions).
struct Annotation {
  var severity: Severity
  var title: String
  var message: String
  var file: String?
  var row: Int?
  var column: Int?
  /// Number of earlier findings of the same check in the same creative.
  var repeats = 0

  /// Command as a line: `::error file=…,line=…,title=…::message`.
  var line: String {
    let properties: [(String, String?)] = [
      ("file", file), ("line", row.map { "\(max(1, $0))" }), ("col", column.map { "\(max(1, $0))" }), ("title", title),
    ]
    let told = properties.compactMap { name, value in value.map { "\(name)=\(Self.property($0))" } }
    return "::\(command) \(told.joined(separator: ","))::\(Self.data(message))"
  }

  private var command: String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .note: "notice"
    }
  }

  /// Returns the text escaped, so that a creative's text can't end the command and begin another.
  private static func data(_ text: String) -> String {
    // Two of these in a row are a command of other services.
    let shown = ReportText.shown(text).replacing(/#(?=#)/.matchingSemantics(.unicodeScalar), with: "# ")
    return String(String.UnicodeScalarView(shown.unicodeScalars.flatMap { escapes[$0] ?? [$0] }))
  }

  private static func property(_ text: String) -> String {
    String(String.UnicodeScalarView(data(text).unicodeScalars.flatMap { propertyEscapes[$0] ?? [$0] }))
  }

  private static let escapes: [Unicode.Scalar: [Unicode.Scalar]] = [
    "%": Array("%25".unicodeScalars), "\r": Array("%0D".unicodeScalars), "\n": Array("%0A".unicodeScalars),
  ]
  private static let propertyEscapes: [Unicode.Scalar: [Unicode.Scalar]] = [
    ":": Array("%3A".unicodeScalars), ",": Array("%2C".unicodeScalars),
  ]
}
