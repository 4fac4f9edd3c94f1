internal import Digests
internal import FoundationEssentials

/// JSON as baselines keep it: the same value gives the same bytes, a member a line, so that git shows what changed.
package enum Document {
  /// Indented, keys sorted, one line feed at the end.
  package static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Only numbers that aren't finite can't be encoded, and none of these values has a way to get one.
    guard let data = try? encoder.encode(value) else { preconditionFailure("a value without a JSON form") }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  /// SHA-256 of a value in its JSON form, in lower-case hex; a label apart, since an array of bytes has one too.
  package static func hash(ofJSON value: some Encodable) -> String { hash(of: bytes(value)) }

  /// SHA-256 in lower-case hex.
  package static func hash(of bytes: [UInt8]) -> String { SHA256.of(bytes).hex }
}
