/// Ids of renders and similar records: sorted by time, and impossible to guess.
package enum RenderID {
  /// Digits and letters that are hard to confuse, in the order of their values.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// Creates an id of ten characters for the time in milliseconds and sixteen random ones.
  package static func make(at timestamp: Int64) -> String {
    var generator = SystemRandomNumberGenerator()
    let time = (0..<10).reversed().map { digits[Int(timestamp >> (Int64($0) * 5) & 31)] }
    let chance = (0..<16).map { _ in digits[Int.random(in: 0..<32, using: &generator)] }
    return String(time + chance)
  }

  /// Indicates if a text has the form of an id, and so is safe as part of a path.
  package static func isOne(_ text: String) -> Bool {
    text.count == 26 && text.allSatisfy { digits.contains($0) }
  }
}
