/// Conversions of external numbers into a range that the caller names. None of them traps; NaN becomes the lower end.
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

  /// Range of plausible sides, places and times in a page or document, in any unit.
  ///
  /// For comparison: today's milliseconds since 1970 are some 1.8e12.
  package static let plausible = -1e13...1e13

  /// A decimal number in `range`, nil for any other text: hexadecimal numbers, `nan` and `inf` are none.
  package static func decimal(_ text: some StringProtocol, in range: ClosedRange<Double> = plausible) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), let value = Double(text),
      range.contains(value)
    else { return nil }
    return value
  }

  /// A duration of at most some thirty years, of the machine's time or a page's; the value is in seconds.
  package static func seconds(_ value: Double) -> Duration {
    .nanoseconds(int(number(value, in: -1e9...1e9) * 1e9, in: -1_000_000_000_000_000_000...1_000_000_000_000_000_000))
  }

  /// A duration of at most some thirty years; the value is in milliseconds.
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

// Swift's own conversions end the process on NaN and on numbers that don't fit. Where this module is imported these
// ones stand before them, and a warning is an error: whoever converts has to name a range, with `Bounded`.

extension Int {
  /// Replaces the standard conversion, which ends the process if `value` doesn't fit; not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = Int(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension Int32 {
  /// Replaces the standard conversion, which ends the process if `value` doesn't fit; not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = Int32(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension Int64 {
  /// Replaces the standard conversion, which ends the process if `value` doesn't fit; not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = Int64(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt {
  /// Replaces the standard conversion, which ends the process if `value` doesn't fit; not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt8 {
  /// Replaces the standard conversion, which ends the process if `value` doesn't fit; not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt8(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt16 {
  /// Replaces the standard conversion, which ends the process if `value` doesn't fit; not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt16(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt32 {
  /// Replaces the standard conversion, which ends the process if `value` doesn't fit; not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt32(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension UInt64 {
  /// Replaces the standard conversion, which ends the process if `value` doesn't fit; not to be used.
  @available(*, deprecated, message: "Name a range, with Bounded.int(_:in:)")
  package init(_ value: Double) { self = UInt64(exactly: value.rounded(.towardZero)) ?? 0 }
}

extension Duration {
  /// Replaces the standard conversion, which ends the process if `value` is NaN or too large; not to be used.
  @available(*, deprecated, message: "Use Bounded.seconds(_:) or Bounded.milliseconds(_:)")
  package static func seconds(_ value: Double) -> Duration { Bounded.seconds(value) }

  /// Replaces the standard conversion, which ends the process if `value` is NaN or too large; not to be used.
  @available(*, deprecated, message: "Use Bounded.seconds(_:) or Bounded.milliseconds(_:)")
  package static func milliseconds(_ value: Double) -> Duration { Bounded.seconds(value / 1e3) }

  /// Replaces the standard conversion, which ends the process if `value` is NaN or too large; not to be used.
  @available(*, deprecated, message: "Use Bounded.seconds(_:) or Bounded.milliseconds(_:)")
  package static func microseconds(_ value: Double) -> Duration { Bounded.seconds(value / 1e6) }

  /// Replaces the standard conversion, which ends the process if `value` is NaN or too large; not to be used.
  @available(*, deprecated, message: "Use Bounded.seconds(_:) or Bounded.milliseconds(_:)")
  package static func nanoseconds(_ value: Double) -> Duration { Bounded.seconds(value / 1e9) }
}

/// Numbers as text. Every number has a text: one with too many digits is written with an exponent.
package enum NumberText {
  /// Whole numbers up to this one are exact, and written with all their digits.
  private static let largestExact = 9_007_199_254_740_992.0

  /// The shortest decimal text: `320` rather than `320.0`.
  package static func plain(_ value: Double) -> String {
    guard abs(value) <= largestExact, let whole = Int(exactly: value) else { return String(value) }
    return String(whole)
  }

  /// The number rounded to a tenth, without the digit if it is zero: `12.5`, `12`.
  package static func tenths(
    _ value: Double, rounding rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> String {
    guard abs(value) < 1e15 else { return plain(value) }
    return plain((value * 10).rounded(rule) / 10)
  }
}

extension Double {
  /// The shortest decimal text: `320` rather than `320.0`.
  package var plain: String { NumberText.plain(self) }
}
