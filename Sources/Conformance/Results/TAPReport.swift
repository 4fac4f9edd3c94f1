internal import Core

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
