internal import Checks
package import Jobs

/// The Common Test Report Format (https://ctrf.io): one JSON document with every test case.
package enum CTRFReport {
  /// The whole document.
  package static func text(_ source: ReportSource) throws(Fault) -> String {
    try ReportJSON.text(CTRFDocument(source))
  }
}
