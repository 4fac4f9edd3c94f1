internal import Core

/// What a run of the suite found: every assertion, and the sections' sums.
package struct ConformanceReport: Hashable, Sendable {
  /// One line of the table.
  package struct Section: Hashable, Sendable, Codable {
    package var section: Int
    package var title: String
    /// Rules tested, one creative each.
    package var rules: Int
    package var passed: Int
    package var failed: Int
  }

  /// In the order of the cases, each one's in the order of its numbers.
  package let rows: [AssertionRow]
  /// Those that have a rule, in order.
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

/// One assertion's outcome, as `galley conformance --json` lists it.
package struct AssertionRow: Hashable, Sendable, Codable {
  /// The section's number.
  package var section: Int
  package var rule: String
  package var creative: String
  /// What was asserted.
  package var assertion: String
  package var passed: Bool
  /// What was expected and found, or why there is no answer; nil when it passed.
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
