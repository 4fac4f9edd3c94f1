internal import Checks
internal import FoundationEssentials
internal import Jobs

/// Tells a report on standard output: as text for people, or whole as JSON.
struct CheckReporter {
  let output: OutputOptions
  let console: Console
  /// Where the results are, as the caller wrote it.
  let out: String
  var environment = ProcessInfo.processInfo.environment

  func tell(_ report: CheckReport) throws(Fault) {
    if output.json {
      if let text = try? JSONText.of(report) { try write(text) }
      return
    }
    let palette = Palette(isTerminal: console.isTerminal, environment: environment)
    let verdict = VerdictText(
      palette: palette, rules: Dictionary(report.rules.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }))
    let shown = report.creatives.filter { !output.quiet || $0.status != .passed }
    try write(shown.map(verdict.text).joined())
    guard !output.quiet else { return }
    let matrix = AcceptanceMatrix(report: report, width: max(80, console.width)).text
    try write((matrix.isEmpty ? "" : "\naccepted by\n" + matrix) + "\n" + counts(report) + "\n")
  }

  private func counts(_ report: CheckReport) -> String {
    let total = report.creatives.count
    let counts = CreativeReport.Status.allCases.compactMap { status -> String? in
      let count = report.creatives.count { $0.status == status }
      return count == 0 ? nil : "\(count) \(status.words)"
    }
    return "\(total) \(total == 1 ? "verdict" : "verdicts"): \(counts.joined(separator: ", ")); "
      + "report: \(out)/\(CheckRun.reportName)".printable
  }

  private func write(_ text: String) throws(Fault) {
    if let reason = console.write(text) {
      throw .engine("output-failed", "can't write to standard output: \(reason.lowercased())")
    }
  }
}
