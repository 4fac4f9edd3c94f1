/// Numbers from outside, held in a range that their reader names. Nothing here traps; NaN becomes the lower end.
package enum Bounded {
  /// The whole number nearest to `value` in `range`.
  package static func int(
    _ value: Double, in range: ClosedRange<Int>,
    rounding rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Int {
    let whole = value.rounded(rule)
    if whole >= Double(range.upperBound) { return range.upperBound }
    guard whole > Double(range.lowerBound), let number = Int(exactly: whole) else { return range.lowerBound }
    return number
  }

  /// `value` itself where it is a whole number in `range`, nil otherwise.
  package static func whole(_ value: Double, in range: ClosedRange<Int>) -> Int? {
    Int(exactly: value).flatMap { range.contains($0) ? $0 : nil }
  }

  /// The number of `range` nearest to `value`.
  package static func number(_ value: Double, in range: ClosedRange<Double>) -> Double {
    value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
  }

  /// Sides, places and times that a page or a document may plausibly name, whatever they count; milliseconds since 1970
  /// are some 1.8e12.
  package static let plausible = -1e13...1e13

  /// A decimal number in `range`, nil for any other text: hexadecimal numbers, `nan` and `inf` are none.
  package static func decimal(_ text: some StringProtocol, in range: ClosedRange<Double> = plausible) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), let value = Double(text),
      range.contains(value)
    else { return nil }
    return value
  }

  /// A span of at most some thirty years, of the machine's time or a page's.
  package static func seconds(_ value: Double) -> Duration {
    .nanoseconds(int(number(value, in: -1e9...1e9) * 1e9, in: -1_000_000_000_000_000_000...1_000_000_000_000_000_000))
  }

  /// A span of at most some thirty years, in thousandths of a second.
  package static func milliseconds(_ value: Double) -> Duration { seconds(value / 1_000) }

  /// The product, or the largest or smallest number where it is beyond them.
  package static func product(_ one: Int, _ other: Int) -> Int {
    let (value, isOver) = one.multipliedReportingOverflow(by: other)
    return isOver ? ((one < 0) == (other < 0) ? .max : .min) : value
  }

  /// The sum, or the largest or smallest number where it is beyond them.
  package static func sum(_ one: Int, _ other: Int) -> Int {
    let (value, isOver) = one.addingReportingOverflow(other)
    return isOver ? (one < 0 ? .min : .max) : value
  }
}
