package import Jobs

/// SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0): one run, a result for each finding.
package enum SARIFReport {
  /// The whole log file.
  package static func text(_ source: ReportSource) throws(Fault) -> String {
    try ReportJSON.text(SARIFLog(source))
  }
}
