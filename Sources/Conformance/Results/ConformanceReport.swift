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
