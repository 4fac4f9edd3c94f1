package import Checks

/// What every report format is made from.
package struct ReportSource: Sendable {
  package let report: CheckReport
  /// The folder that the results' folders are relative to, absolute.
  package let folder: String

  package init(report: CheckReport, folder: String) {
    self.report = report
    self.folder = folder
  }
}
