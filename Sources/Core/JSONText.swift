internal import FoundationEssentials

/// Values as JSON texts, the same for the same value: keys sorted, slashes as they are.
package enum JSONText {
  /// As results and pipes have it, on one line or indented, without a line feed at the end.
  package static func bytes(_ value: some Encodable, isIndented: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
    return Array(try encoder.encode(value))
  }

  /// As commands print it and reports have it: indented, one line feed at the end, harmless to terminals and build servers.
  package static func of(_ value: some Encodable) throws -> String {
    PrintableText.json(String(decoding: try bytes(value, isIndented: true), as: UTF8.self)) + "\n"
  }

  /// The same on one line; empty for what has no JSON form.
  package static func line(_ value: some Encodable) -> String { plain(value).map(PrintableText.json) ?? "" }

  /// One line with no escapes but JSON's own; nil for what has no JSON form.
  package static func plain(_ value: some Encodable) -> String? {
    (try? bytes(value)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Any JSON; nil for what is none.
  package static func value(_ bytes: [UInt8]) -> JSONValue? {
    try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
  }
}
