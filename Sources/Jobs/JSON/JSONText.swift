internal import Core
internal import FoundationEssentials
package import MRAID

/// JSON as every command prints it, with escapes for what terminals and build servers would act on.
package enum JSONText {
  /// Indented, keys sorted, one line feed at the end.
  package static func of(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return PrintableText.json(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
  }

  /// The same on one line; empty for what has no JSON form.
  package static func line(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { PrintableText.json(String(decoding: $0, as: UTF8.self)) } ?? ""
  }

  /// Any JSON; nil for what is none.
  package static func value(_ bytes: [UInt8]) -> JSONValue? {
    try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
  }
}
