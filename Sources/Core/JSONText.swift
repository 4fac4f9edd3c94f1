internal import FoundationEssentials

/// JSON encoding that is the same for the same value: keys sorted, slashes not escaped.
package enum JSONText {
  /// The form used in results and pipes, on one line or indented, without a line feed at the end.
  package static func bytes(_ value: some Encodable, isIndented: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
    return Array(try encoder.encode(value))
  }

  /// The form that commands print and reports contain.
  ///
  /// It is indented, ends with one line feed, and is harmless to terminals and build servers.
  package static func of(_ value: some Encodable) throws -> String {
    PrintableText.json(String(decoding: try bytes(value, isIndented: true), as: UTF8.self)) + "\n"
  }

  /// The same on one line; empty for a value without a JSON form.
  package static func line(_ value: some Encodable) -> String { plain(value).map(PrintableText.json) ?? "" }

  /// One line with no escapes except JSON's own; nil for a value without a JSON form.
  package static func plain(_ value: some Encodable) -> String? {
    (try? bytes(value)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Decodes any JSON value; nil for invalid JSON.
  package static func value(_ bytes: [UInt8]) -> JSONValue? {
    try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
  }
}
