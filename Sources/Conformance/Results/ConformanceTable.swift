internal import Core

/// A report as text for people: the failed assertions, then a line for each section.
package struct ConformanceTable: Sendable {
  private let report: ConformanceReport

  package init(_ report: ConformanceReport) { self.report = report }

  /// Each failure under its creative, with section and rule.
  package var failures: String {
    var text = ""
    var creative = ""
    for row in report.failures {
      if row.creative != creative {
        text += "\n" + "\(row.creative): section \(row.section), \(row.rule)".printable + "\n"
      }
      creative = row.creative
      text += "  failed: \(row.assertion)".printable + "\n          \((row.message ?? "").printable)\n"
    }
    return text
  }

  /// A header, the sections and their sum, columns aligned.
  package var sections: String {
    let sum = report.sections.reduce(0) { $0 + $1.rules }
    let lines =
      [["SECTION", "", "RULES", "PASSED", "FAILED"]]
      + report.sections.map { ["\($0.section)", $0.title, "\($0.rules)", "\($0.passed)", "\($0.failed)"] }
      + [["", "all", "\(sum)", "\(report.passed)", "\(report.failed)"]]
    let widths = (0..<5).map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = (0..<5).map { column in
        let space = String(repeating: " ", count: widths[column] - line[column].count)
        return column == 1 ? line[column] + space : space + line[column]
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }
}
