internal import Checks
internal import Core
internal import FoundationEssentials

/// Texts of creatives, made safe for a reader whatever the format.
enum ReportText {
  /// Without what XML has no way to write and what turns the direction of the text around it.
  static func shown(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var before: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      // By itself a carriage return ends a line for some readers, and writes over it on a terminal.
      if scalar == "\r" {
        scalars.append("\n")
      } else if scalar != "\n" || before != "\r" {
        scalars.append(isShown(scalar) ? scalar : "\u{FFFD}")
      }
      before = scalar
    }
    return String(scalars)
  }

  /// On one line.
  static func line(_ text: String) -> String {
    shown(text).split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Markup with references for what a build server would carry out; a reader of it sees the same text.
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

  /// At most so many characters, the last an ellipsis when some are missing.
  static func cut(_ text: String, to length: Int) -> String {
    text.count <= length ? text : text.prefix(length - 1) + "…"
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
    case 0x202A...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}

extension Finding {
  /// In a line with severity, place and number.
  var told: String {
    let words = [message, place.map { "at \($0.text)" }, measure.map { "(\($0.text))" }].compactMap(\.self)
    return "\(severity.rawValue): \(words.joined(separator: " "))"
  }
}

extension Finding.Place {
  /// `ad.js:12:4`
  var text: String {
    [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
  }
}

extension Finding.Measure {
  /// `213 kB, limit 150 kB`
  var text: String { "\(Quantity(value, unit: unit).text), limit \(Quantity(limit, unit: unit).text)" }
}

/// A number with its unit, as a reader likes it.
struct Quantity {
  let text: String

  /// Bytes are told in kB of 1,000, as the networks count.
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
