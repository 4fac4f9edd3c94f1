internal import Comparison
internal import FoundationEssentials
internal import Jobs

/// Tells a report as text for people or as one JSON document.
struct DiffReporter {
  let output: OutputOptions
  let console: Console

  func tell(_ report: DiffReport) throws(Fault) {
    let text: String?
    if output.json {
      let document = DiffDocument(
        first: report.first, second: report.second, results: report.results, exitCode: report.status.rawValue)
      text = try? JSONText.of(document)
    } else {
      let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
      text = DiffText(palette: palette, showsSame: !output.quiet).of(report)
    }
    if let text, let reason = console.write(text) {
      throw .engine("output-failed", "can't write to standard output: \(reason.lowercased())")
    }
  }
}
