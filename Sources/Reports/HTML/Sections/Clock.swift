internal import Core

/// Moments of a render, for readers.
enum Clock {
  /// `1.24 s`
  static func text(_ milliseconds: Double) -> String {
    let hundredths = Bounded.int(milliseconds / 10, in: 0...9_000_000_000_000_000)
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
  }
}
