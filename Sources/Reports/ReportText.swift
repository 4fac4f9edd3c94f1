internal import Checks
internal import Core
internal import FoundationEssentials

/// Texts of creatives, made safe for readers of all formats.
enum ReportText {
  /// Returns the text without characters that XML can't contain, hidden line ends, and changes of the text direction.
  static func shown(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var before: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      // By themselves these end a line for some readers; a carriage return writes over it on a terminal.
      if scalar == "\r" || scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}" {
        scalars.append("\n")
      } else if scalar != "\n" || before != "\r" {
        scalars.append(isShown(scalar) ? scalar : "\u{FFFD}")
      }
      before = scalar
    }
    return String(scalars)
  }

  /// Returns the text on one line.
  static func line(_ text: String) -> String {
    shown(text).split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Returns markup with character references for sequences that a build server would execute.
  ///
  /// A reader of the markup sees the same text.
  static func markup(_ text: String) -> String {
    var written = String.UnicodeScalarView()
    var before: Unicode.Scalar = " "
    var isBeginning = true
    for scalar in text.unicodeScalars {
      switch scalar {
      // Azure and TeamCity look for two of these anywhere, GitHub for two of the others where a line begins.
      case "#" where before == "#": written += "&#35;".unicodeScalars
      case ":" where isBeginning: written += "&#58;".unicodeScalars
      default: written.append(scalar)
      }
      isBeginning = scalar == "\n" || isBeginning && scalar.properties.isWhitespace
      before = scalar
    }
    return String(written)
  }

  /// Returns at most `length` characters, the last one an ellipsis if the text was longer.
  static func cut(_ text: String, to length: Int) -> String {
    text.count <= length ? text : text.prefix(length - 1) + "…"
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
    // What turns directions, marks between lines, and letters that only programs read.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB, 0xE0000...0xE007F: false
    default: true
    }
  }
}

extension Finding {
  /// Finding on a line with severity, place and measured value.
  var told: String {
    let words = [message, place.map { "at \($0.text)" }, measure.map { "(\($0.text))" }].compactMap(\.self)
    return "\(severity.rawValue): \(words.joined(separator: " "))"
  }
}

extension Finding.Place {
  /// Place as text: `ad.js:12:4`.
  var text: String {
    [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
  }
}

extension Finding.Measure {
  /// Measured value and limit as text: `213 kB, limit 150 kB`.
  var text: String { "\(Quantity(value, unit: unit).text), limit \(Quantity(limit, unit: unit).text)" }
}

/// Number with its unit as readable text.
struct Quantity {
  let text: String

  /// Makes the text; bytes are given in kB of 1,000, as networks count them.
  init(_ value: Double, unit: String) {
    switch unit {
    case "B" where abs(value) >= 1_000_000: text = "\(NumberText.tenths(value / 1_000_000)) MB"
    case "B" where abs(value) >= 1_000: text = "\(NumberText.tenths(value / 1_000)) kB"
    case "": text = NumberText.tenths(value)
    case "%": text = "\(NumberText.tenths(value)) %"
    default: text = "\(NumberText.tenths(value)) \(unit)"
    }
  }
}
