internal import Core

/// Results of a run of the suite: every assertion, and the sums of the sections.
package struct ConformanceReport: Hashable, Sendable {
  /// Row of the table.
  package struct Section: Hashable, Sendable, Codable {
    package var section: Int
    package var title: String
    /// Number of rules tested, with one creative each.
    package var rules: Int
    package var passed: Int
    package var failed: Int
  }

  /// Assertions in the order of the cases, and within a case in the order of their numbers.
  package let rows: [AssertionRow]
  /// Sections that have assertions, in order.
  package let sections: [Section]

  package init(_ rows: [AssertionRow]) {
    self.rows = rows
    sections = ConformanceSection.allCases.compactMap { section in
      let own = rows.filter { $0.section == section.rawValue }
      guard !own.isEmpty else { return nil }
      let passed = own.count(where: \.passed)
      return Section(
        section: section.rawValue, title: section.title, rules: Set(own.map(\.creative)).count, passed: passed,
        failed: own.count - passed)
    }
  }

  package var passed: Int { rows.count(where: \.passed) }
  package var failed: Int { rows.count - passed }
  /// Assertions that don't hold.
  package var failures: [AssertionRow] { rows.filter { !$0.passed } }
}

/// Outcome of one assertion, as `galley conformance --json` lists it.
package struct AssertionRow: Hashable, Sendable, Codable {
  /// Number of the section.
  package var section: Int
  package var rule: String
  package var creative: String
  /// Text of the assertion.
  package var assertion: String
  package var passed: Bool
  /// Expected and actual values, or the reason for a missing answer; nil if the assertion passed.
  package var message: String?

  package init(
    section: Int, rule: String, creative: String, assertion: String, passed: Bool, message: String? = nil
  ) {
    self.section = section
    self.rule = rule
    self.creative = creative
    self.assertion = assertion
    self.passed = passed
    self.message = message
  }
}

/// Report as readable text: the failed assertions, then a line for each section.
package struct ConformanceTable: Sendable {
  private let report: ConformanceReport

  package init(_ report: ConformanceReport) { self.report = report }

  /// Failures under their creatives, with section and rule.
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

  /// Table with a header, the sections and their sums, columns aligned.
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
