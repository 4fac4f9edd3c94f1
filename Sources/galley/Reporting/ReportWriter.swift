internal import FoundationEssentials
internal import Jobs
internal import Reports
internal import Workers

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
    if let reason = console.write(GitHubAnnotations.text(source)) {
      throw .engine("output-failed", "can't write annotations: \(reason.lowercased())")
    }
    guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    // Other programs of the step may have written to it before.
    let earlier = (try? String(contentsOf: URL(filePath: path), encoding: .utf8)) ?? ""
    try Self.write(earlier + StepSummary.text(source), to: path)
  }

  /// Whole or not at all, in a folder that is made if need be.
  private static func write(_ text: String, to path: String) throws(Fault) {
    let url = URL(filePath: path)
    do {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
      throw Fault.writing(path, error)
    }
  }
}
