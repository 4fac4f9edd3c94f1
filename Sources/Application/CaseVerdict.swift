internal import Core
package import RenderModel

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

/// What a page printed in the Test Anything Protocol (https://testanything.org); lines that aren't TAP are skipped.
package struct TAPReport: Hashable, Sendable {
  /// One assertion's result.
  package struct Point: Hashable, Sendable {
    package var number: Int
    package var passed: Bool
    package var description: String
    /// The comment lines below it: what was expected and what was found.
    package var diagnostics: [String] = []
  }

  /// N of the line `1..N`; nil when there is none.
  package private(set) var plan: Int?
  /// In the order they were printed.
  package private(set) var points: [Point] = []
  /// Why the page gave up; nil when it didn't.
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

  /// `3 - description`; a point without a number follows the one before.
  private mutating func add(_ text: String, passed: Bool) {
    let digits = text.prefix(while: \.isWholeNumber)
    let rest = text.dropFirst(digits.count).drop { $0 == " " }
    let description = rest.hasPrefix("- ") ? rest.dropFirst(2) : rest
    let number = Int(digits) ?? Bounded.sum(points.last?.number ?? 0, 1)
    points.append(Point(number: number, passed: passed, description: String(description)))
  }
}

extension Substring {
  /// What follows the word and its spaces; nil when the line doesn't begin with it.
  fileprivate func after(_ word: String) -> String? {
    hasPrefix(word) ? String(dropFirst(word.count).drop { $0 == " " }) : nil
  }
}
