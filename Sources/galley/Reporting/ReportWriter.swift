internal import Core
internal import FoundationEssentials
internal import Jobs
internal import Reports

/// Writes the reports that were asked for.
struct ReportWriter {
  let options: ReportOptions
  /// Where annotations go: GitHub reads both streams, and another document may be on the first.
  let console: Console
  var environment = ProcessInfo.processInfo.environment

  func write(_ source: ReportSource) async throws(Fault) {
    if let path = options.junit { try Self.write(try JUnitReport.text(source), to: path) }
    if let path = options.sarif { try Self.write(try SARIFReport.text(source), to: path) }
    if let path = options.ctrf { try Self.write(try CTRFReport.text(source), to: path) }
    if let path = options.har { try Self.write(try HARReport.text(source), to: path) }
    if let path = options.html { try Self.write(await HTMLReport.text(source), to: path) }
    if options.github { try tellGitHub(source) }
  }

  private func tellGitHub(_ source: ReportSource) throws(Fault) {
    try console.tell(commands: GitHubAnnotations.text(source))
    guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    do throws(SystemError) {
      // Other programs of the step may have written to it before.
      try OutputFile.append(StepSummary.text(source), to: path)
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
  }

  private static func write(_ text: String, to path: String) throws(Fault) {
    do throws(SystemError) {
      try OutputFile.write(text, to: path)
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
  }
}
