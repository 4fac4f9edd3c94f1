/// HTML in which all text is escaped: what isn't written out as markup can't become some.
package struct Markup: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// As the page gets it.
  package let text: String

  package init(stringLiteral value: String) { text = value }
  package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// Several one after the other.
  package init(joining parts: [Markup]) { text = parts.map(\.text).joined() }

  /// Takes markup as it is and escapes everything else.
  package struct Interpolation: StringInterpolationProtocol {
    var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { text += literal }
    package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    package mutating func appendInterpolation(_ value: String) { text += Self.escaped(value) }

    private static func escaped(_ text: String) -> String {
      var escaped = ""
      for character in text.unicodeScalars {
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&#39;"
        default: escaped.unicodeScalars.append(character)
        }
      }
      return escaped
    }
  }
}
