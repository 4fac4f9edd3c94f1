package import Jobs

/// What one render says about its rule: a row for each assertion, and one for each way of not having answered.
package struct CaseVerdict: Hashable, Sendable {
  package private(set) var rows: [AssertionRow] = []
  private let subject: ConformanceCase

  /// Judges by what the page printed on its console and how its render ended.
  package init(_ subject: ConformanceCase, console: String, record: RenderRecord) {
    self.subject = subject
    let report = TAPReport(console)
    for point in report.points.sorted(by: { $0.number < $1.number }) {
      let found = point.diagnostics.joined(separator: "; ")
      add(point.description, point.passed ? nil : found.isEmpty ? "it doesn't hold" : found)
    }
    judgePlan(report)
    judgeEnding(record)
  }

  private mutating func judgePlan(_ report: TAPReport) {
    if let reason = report.bailOut { add("runs to its end", "gave up: \(reason)") }
    guard let plan = report.plan, plan == subject.plan else {
      return add("prints its plan", "expected 1..\(subject.plan), found \(report.plan.map { "1..\($0)" } ?? "none")")
    }
    let numbers = report.points.map(\.number)
    let missing = Set(1...plan).subtracting(numbers).sorted()
    if !missing.isEmpty {
      let list = missing.map(String.init).joined(separator: ", ")
      add("reports all it planned", "\(plan - missing.count) of \(plan); missing: \(list)")
    }
    let surplus = numbers.count - Set(numbers).intersection(1...plan).count
    if surplus > 0 { add("reports no more than it planned", "\(surplus) more than \(plan)") }
  }

  private mutating func judgeEnding(_ record: RenderRecord) {
    let isRight = subject.ending.map { $0 == record.code } ?? (record.outcome == .completed)
    guard subject.checksHost || !isRight else { return }
    let expected = subject.ending.map { "ends with \($0)" } ?? "the host does what the scenario expects"
    let found = "\(record.outcome.rawValue): \(record.message ?? "no reason given")"
    add(expected, isRight ? nil : record.code.map { "\(found) [\($0)]" } ?? found)
  }

  /// A row that passed unless there is something to say against it.
  private mutating func add(_ assertion: String, _ problem: String?) {
    rows.append(
      AssertionRow(
        section: subject.section.rawValue, rule: subject.rule, creative: subject.name, assertion: assertion,
        passed: problem == nil, message: problem))
  }
}
