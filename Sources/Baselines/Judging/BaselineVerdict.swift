/// How a part of a creative compares with its baseline: a picture, the event log, the states.
package enum BaselineVerdict: String, Sendable, Codable, CaseIterable {
  /// Within what may differ.
  case unchanged
  case changed
  /// Not in the baseline.
  case new
  /// In the baseline only.
  case missing
  /// No two renders agreed, nor any with the baseline.
  case flaky
}
