internal import Core

/// Text as it stands in titles and attributes.
enum HTMLText {
  private static let named: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "ndash": "\u{2013}",
    "mdash": "\u{2014}", "copy": "\u{A9}", "reg": "\u{AE}",
  ]
  /// Characters between `&` and `;` looked at.
  private static let longestReference = 10

  /// Resolves numeric references and the most common named ones; others stay as written.
  static func decode(_ text: String) -> String {
    guard text.contains("&") else { return text }
    var decoded = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      decoded += rest[..<ampersand]
      rest = rest[rest.index(after: ampersand)...]
      let body = rest.prefix(longestReference + 1).prefix { $0 != ";" && $0 != "&" }
      if body.endIndex < rest.endIndex, rest[body.endIndex] == ";", let character = character(body) {
        decoded += character
        rest = rest[rest.index(after: body.endIndex)...]
      } else {
        decoded += "&"
      }
    }
    return decoded + rest
  }

  /// Without white space at either end.
  static func trim(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func character(_ reference: Substring) -> String? {
    guard reference.hasPrefix("#") else { return named[reference] }
    let digits = reference.dropFirst()
    let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
    let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
