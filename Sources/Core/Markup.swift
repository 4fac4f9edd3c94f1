/// HTML in which all interpolated text is escaped, so that only literals of the source code become markup.
package struct Markup: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The markup as sent to the page.
  package let text: String

  package init(stringLiteral value: String) { text = value }
  package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// Several pieces of markup, one after the other.
  package init(joining parts: [Markup], separator: Markup = "") {
    text = parts.map(\.text).joined(separator: separator.text)
  }

  /// Text that is markup already, such as a style or script of Galley's own; it isn't escaped.
  package init(raw text: String) { self.text = text }

  /// Inserts markup unchanged and escapes all other values.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { text += literal }
    package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    package mutating func appendInterpolation(_ value: String) { text += MarkupText.html(value) }
    package mutating func appendInterpolation(_ value: Int) { text += String(value) }
  }
}

/// Foreign text encoded for HTML or XML: it is displayed literally and never parsed as markup.
package enum MarkupText {
  /// Encoded for HTML, between tags and in quotes of either kind.
  package static func html(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 16)
    append(html: text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same to a document's bytes.
  ///
  /// The text is encoded byte by byte: a quote with an accent on it is one character to Swift, and still a quote to a
  /// browser.
  package static func append(html text: String, to bytes: inout [UInt8]) {
    var before: UInt8 = 0
    for byte in text.utf8 {
      defer { before = byte }
      switch byte {
      // Two in a row begin a command of a build server's; a page may go to its log.
      case UInt8(ascii: "#") where before == byte: bytes += "&#35;".utf8
      // So do two of these at the beginning of a line.
      case UInt8(ascii: ":") where before == byte: bytes += "&#58;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      default: append(byte, to: &bytes)
      }
    }
  }

  /// Encoded for XML, between tags and in double quotes.
  package static func xml(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 { append(byte, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Escapes the characters that are special in both HTML and XML.
  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "&"): bytes += "&amp;".utf8
    case UInt8(ascii: "<"): bytes += "&lt;".utf8
    case UInt8(ascii: ">"): bytes += "&gt;".utf8
    case UInt8(ascii: "\""): bytes += "&quot;".utf8
    default: bytes.append(byte)
    }
  }

  /// The text with its code in place of each character that is invisible or changes the reading direction.
  package static func revealed(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isUnprintable || scalar.properties.generalCategory == .privateUse {
        shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      } else {
        shown.append(scalar)
      }
    }
    return String(shown)
  }
}
