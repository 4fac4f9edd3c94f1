package import Checks

/// What every report format is made from.
package struct ReportSource: Sendable {
  /// What was found.
  package let report: CheckReport
  /// The folder that the results' folders are relative to, absolute.
  package let folder: String
  /// The folder that paths to pictures start from, absolute: where CI looks for attachments. Nil leaves them absolute.
  package let base: String?
  /// When the report was written, in milliseconds since 1970; 0 when nobody knows.
  package var finished: Int

  /// Takes a report that was read, or is made by hand for tests.
  package init(report: CheckReport, folder: String, base: String? = nil, finished: Int = 0) {
    self.report = report
    self.folder = folder
    self.base = base
    self.finished = finished
  }

  /// A file of a result's, absolute.
  func path(of file: String, in creative: CreativeReport) -> String {
    creative.folder.isEmpty ? "" : "\(folder)/\(creative.folder)/\(file)"
  }

  /// The same as reports name it.
  func link(to file: String, in creative: CreativeReport) -> String {
    let path = path(of: file, in: creative)
    guard let base, path.hasPrefix(base + "/") else { return path }
    return String(path.dropFirst(base.count + 1))
  }
}
