internal import Comparison
internal import FoundationEssentials
internal import Jobs

/// Tells a report as text for people or as one JSON document.
struct DiffReporter {
  let output: OutputOptions
  let console: Console

  func tell(_ report: DiffReport) throws(Fault) {
    if output.json {
      let document = DiffDocument(
        first: report.first, second: report.second, results: report.results, exitCode: report.status.rawValue)
      return try console.tell(document: document)
    }
    let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
    try console.tell(DiffText(palette: palette, showsSame: !output.quiet).of(report))
  }
}
