internal import Checks
internal import FoundationEssentials
package import Jobs
internal import XMLCoder

/// JUnit XML: a suite a creative, a test case a check, pictures as attachments.
package enum JUnitReport {
  /// The whole document, UTF-8 said in its head.
  package static func text(_ source: ReportSource) throws(Fault) -> String {
    let suites = source.report.creatives.map { creative in
      let cases = CaseList(creative: creative, report: source.report).cases
      return JUnitSuite(creative: creative, cases: cases.map { JUnitCase($0, source: source) })
    }
    let encoder = XMLEncoder()
    encoder.outputFormatting = .prettyPrinted
    encoder.prettyPrintIndentation = .spaces(2)
    do {
      let data = try encoder.encode(
        JUnitDocument(suites), withRootKey: "testsuites", header: XMLHeader(version: 1, encoding: "UTF-8"))
      return String(decoding: data, as: UTF8.self) + "\n"
    } catch {
      throw .engine("report-failed", "a report can't be written as XML: \(error)")
    }
  }
}
