internal import Digests

/// The secret itself.
package enum Token {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// A new one: a prefix that scanners for leaked secrets can look for, and 160 bits of chance.
  package static func make() -> String { "galley_" + chance() }

  /// 160 bits of chance.
  static func chance() -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] })
  }

  /// What is kept of one.
  package static func hash(_ token: String) -> String { SHA256.of(token).hex }
}
