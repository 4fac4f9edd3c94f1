internal import FoundationEssentials
internal import Jobs

/// Texts of creatives, made safe for a reader whatever the format.
enum ReportText {
  /// Without what XML has no way to write and what turns the direction of the text around it.
  static func shown(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isShown(scalar) ? scalar : "\u{FFFD}") }
    return String(scalars)
  }

  /// On one line.
  static func line(_ text: String) -> String {
    shown(text).split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// At most so many characters, the last an ellipsis when some are missing.
  static func cut(_ text: String, to length: Int) -> String {
    text.count <= length ? text : text.prefix(length - 1) + "…"
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
    case 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
