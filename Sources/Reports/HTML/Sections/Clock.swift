/// Moments of a render, for readers.
enum Clock {
  /// `1.24 s`
  static func text(_ milliseconds: Double) -> String {
    let hundredths = Int(clamping: (milliseconds / 10).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
  }
}
