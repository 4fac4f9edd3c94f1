internal import Checks
internal import Jobs
internal import Reports

/// The formats a report is told in.
enum ReportFormat: CaseIterable {
  case json, html, junit, sarif, ctrf, har

  var mediaType: String {
    switch self {
    case .json: "application/json"
    case .html: "text/html"
    case .junit: "application/xml"
    case .sarif: "application/sarif+json"
    case .ctrf: "application/vnd.ctrf+json"
    case .har: "application/har+json"
    }
  }

  /// A whole report.
  func text(_ source: ReportSource) async throws(Fault) -> String {
    switch self {
    case .json:
      do {
        return try JSONText.of(source.report)
      } catch {
        throw .engine("report-failed", "the report can't be written as JSON: \(error)")
      }
    case .html: return await HTMLReport.text(source)
    case .junit: return try JUnitReport.text(source)
    case .sarif: return try SARIFReport.text(source)
    case .ctrf: return try CTRFReport.text(source)
    case .har: return try HARReport.text(source)
    }
  }
}
