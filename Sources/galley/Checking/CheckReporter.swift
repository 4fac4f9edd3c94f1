internal import Checks
internal import Core
internal import FoundationEssentials
internal import Jobs
internal import Reports

/// Tells a report on standard output: as text for people, or whole as JSON.
struct CheckReporter {
  let output: OutputOptions
  let console: Console
  /// Where the results are, as the caller wrote it.
  let out: String
  var environment = ProcessInfo.processInfo.environment

  func tell(_ report: CheckReport) throws(Fault) {
    if output.json { return try console.tell(document: report) }
    let palette = Palette(isTerminal: console.isTerminal, environment: environment)
    let verdict = VerdictText(
      palette: palette, rules: Dictionary(report.rules.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    let shown = report.creatives.filter { !output.quiet || $0.status != .passed }
    try console.tell(shown.map(verdict.text).joined())
    guard !output.quiet else { return }
    let matrix = report.creatives.isEmpty ? "" : AcceptanceMatrix(report: report, width: max(80, console.width)).text
    let accepted = matrix.isEmpty ? "" : "\naccepted by\n" + matrix
    let size = AssumedSize(report.creatives.map(\.record)).line ?? ""
    try console.tell(accepted + "\n" + size + Self.counts(report, out: out) + "\n")
  }

  /// How many verdicts there are of each kind, and where the report is.
  static func counts(_ report: CheckReport, out: String) -> String {
    guard !report.creatives.isEmpty else {
      let share = report.part.map { ": none of \($0.total) creatives is in this share" } ?? ""
      return "no verdicts\(share); report: \(out)/\(ReportSource.fileName)".printable
    }
    let total = report.creatives.count
    let counts = CreativeReport.Status.allCases.compactMap { status -> String? in
      let count = report.creatives.count { $0.status == status }
      return count == 0 ? nil : "\(count) \(status.words)"
    }
    return "\(total) \(total == 1 ? "verdict" : "verdicts"): \(counts.joined(separator: ", ")); "
      + "report: \(out)/\(ReportSource.fileName)".printable
  }
}
