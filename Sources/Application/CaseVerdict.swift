internal import Core
package import RenderModel

/// Verdict of one render on its rule: a row for each assertion, and one for each way in which it failed to answer.
package struct CaseVerdict: Hashable, Sendable {
  package private(set) var rows: [AssertionRow] = []
  private let subject: ConformanceCase

  /// Judges by the console output of the page and the ending of its render.
  package init(_ subject: ConformanceCase, console: String, record: RenderRecord) {
    self.subject = subject
    let report = TAPReport(console)
    for point in report.points.sorted(by: { $0.number < $1.number }) {
      let found = point.diagnostics.joined(separator: "; ")
      add(point.description, point.passed ? nil : found.isEmpty ? "the assertion failed" : found)
    }
    judgePlan(report)
    judgeEnding(record)
  }

  private mutating func judgePlan(_ report: TAPReport) {
    if let reason = report.bailOut { add("runs to its end", "bailed out: \(reason)") }
    guard let plan = report.plan, plan == subject.plan else {
      return add("prints its plan", "expected 1..\(subject.plan), found \(report.plan.map { "1..\($0)" } ?? "none")")
    }
    let numbers = report.points.map(\.number)
    let missing = Set(1...plan).subtracting(numbers).sorted()
    if !missing.isEmpty {
      let list = missing.map(String.init).joined(separator: ", ")
      add("reports every planned assertion", "\(plan - missing.count) of \(plan); missing: \(list)")
    }
    let surplus = numbers.count - Set(numbers).intersection(1...plan).count
    if surplus > 0 { add("reports no more than the planned assertions", "\(surplus) more than \(plan)") }
  }

  private mutating func judgeEnding(_ record: RenderRecord) {
    let isRight = subject.ending.map { $0 == record.code } ?? (record.outcome == .completed)
    guard subject.checksHost || !isRight else { return }
    let expected = subject.ending.map { "ends with \($0)" } ?? "the host does what the scenario expects"
    let found = "\(record.outcome.rawValue): \(record.message ?? "no reason given")"
    add(expected, isRight ? nil : record.code.map { "\(found) [\($0)]" } ?? found)
  }

  /// Adds a row, which passed unless there is a problem.
  private mutating func add(_ assertion: String, _ problem: String?) {
    rows.append(
      AssertionRow(
        section: subject.section.rawValue, rule: subject.rule, creative: subject.name, assertion: assertion,
        passed: problem == nil, message: problem))
  }
}

/// Output of a page in the Test Anything Protocol (https://testanything.org); other lines are skipped.
package struct TAPReport: Hashable, Sendable {
  /// Result of one assertion.
  package struct Point: Hashable, Sendable {
    package var number: Int
    package var passed: Bool
    package var description: String
    /// Comment lines below the result: expected and actual values.
    package var diagnostics: [String] = []
  }

  /// Number N of the line `1..N`; nil if there is none.
  package private(set) var plan: Int?
  /// Results in the order in which they were printed.
  package private(set) var points: [Point] = []
  /// Reason why the page gave up; nil if it didn't.
  package private(set) var bailOut: String?

  package init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) { read(line) }
  }

  private mutating func read(_ line: Substring) {
    if let reason = line.after("Bail out!") {
      bailOut = bailOut ?? reason
    } else if let count = line.after("1.."), plan == nil {
      plan = Int(count)
    } else if let comment = line.after("#") {
      if !points.isEmpty { points[points.count - 1].diagnostics.append(comment) }
    } else if let rest = line.after("not ok") {
      add(rest, passed: false)
    } else if let rest = line.after("ok") {
      add(rest, passed: true)
    }
  }

  /// Reads a result such as `3 - description`; one without a number gets the number after the previous one.
  private mutating func add(_ text: String, passed: Bool) {
    let digits = text.prefix(while: \.isWholeNumber)
    let rest = text.dropFirst(digits.count).drop { $0 == " " }
    let description = rest.hasPrefix("- ") ? rest.dropFirst(2) : rest
    let number = Int(digits) ?? Bounded.sum(points.last?.number ?? 0, 1)
    points.append(Point(number: number, passed: passed, description: String(description)))
  }
}

extension Substring {
  /// Returns the text after a word and its spaces; nil if the line doesn't begin with the word.
  fileprivate func after(_ word: String) -> String? {
    hasPrefix(word) ? String(dropFirst(word.count).drop { $0 == " " }) : nil
  }
}
