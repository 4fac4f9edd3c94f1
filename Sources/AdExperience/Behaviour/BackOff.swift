internal import Foundation

/// How long to wait before another try, with nothing left to chance so that logs stay the same.
package struct BackOff: Hashable, Sendable {
  /// Tries in all, the first included.
  package var attempts: Int
  /// Milliseconds before the second try.
  package var first: Double
  /// What each wait is multiplied by for the next.
  package var factor: Double
  /// Milliseconds that no wait exceeds.
  package var longest: Double

  /// Three tries half a second and a second apart, unless said otherwise.
  package init(attempts: Int = 3, first: Double = 500, factor: Double = 2, longest: Double = 30_000) {
    self.attempts = attempts
    self.first = first
    self.factor = factor
    self.longest = longest
  }

  /// Milliseconds before the try after this one, nil when it was the last.
  package func delay(afterAttempt attempt: Int) -> Double? {
    attempt < attempts ? min(longest, first * pow(factor, Double(attempt - 1))) : nil
  }
}
