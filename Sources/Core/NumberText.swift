/// Numbers as text. Any number has one: what is too large for digits keeps its exponent.
package enum NumberText {
  /// Whole numbers up to this one are exact, and written with all their digits.
  private static let largestExact = 9_007_199_254_740_992.0

  /// The shortest decimal text: `320` rather than `320.0`.
  package static func plain(_ value: Double) -> String {
    guard abs(value) <= largestExact, let whole = Int(exactly: value) else { return String(value) }
    return String(whole)
  }

  /// To a tenth, without a tenth of zero: `12.5`, `12`.
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
