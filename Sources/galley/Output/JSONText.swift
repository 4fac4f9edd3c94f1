internal import FoundationEssentials

/// JSON as every command prints it.
enum JSONText {
  /// Indented, keys sorted, one line feed at the end.
  static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
