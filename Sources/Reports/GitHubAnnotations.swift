internal import Checks
internal import RenderModel

/// Workflow commands that GitHub Actions shows as annotations; of each kind it shows ten a step.
package enum GitHubAnnotations {
  /// So many of a kind, and one more that counts the rest.
  private static let most = 9

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

/// One workflow command (docs.github.com, workflow commands for GitHub Actions).
struct Annotation {
  var severity: Severity
  var title: String
  var message: String
  var file: String?
  var row: Int?
  var column: Int?
  /// How often the same check had found something in the same creative before.
  var repeats = 0

  /// `::error file=…,line=…,title=…::message`
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

  /// Escaped so that a creative's text can't end the command and begin another.
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
