/// What renders and their like are known by: sorted by time, and not to be guessed.
package enum RenderID {
  /// Digits and letters that aren't mistaken for others, in the order of their values.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// Ten characters of the instant in milliseconds, then sixteen of chance.
  package static func make(at instant: Int64) -> String {
    var generator = SystemRandomNumberGenerator()
    let time = (0..<10).reversed().map { digits[Int(instant >> (Int64($0) * 5) & 31)] }
    let chance = (0..<16).map { _ in digits[Int.random(in: 0..<32, using: &generator)] }
    return String(time + chance)
  }

  /// Whether a text could be one, and so may become part of a path.
  package static func isOne(_ text: String) -> Bool {
    text.count == 26 && text.allSatisfy { digits.contains($0) }
  }
}
