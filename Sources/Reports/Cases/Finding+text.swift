internal import Checks
internal import Core

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
