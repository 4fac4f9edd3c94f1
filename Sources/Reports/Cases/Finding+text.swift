internal import Checks

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
    case "B" where abs(value) >= 1_000_000: text = "\(Self.rounded(value / 1_000_000)) MB"
    case "B" where abs(value) >= 1_000: text = "\(Self.rounded(value / 1_000)) kB"
    case "": text = Self.rounded(value)
    case "%": text = "\(Self.rounded(value)) %"
    default: text = "\(Self.rounded(value)) \(unit)"
    }
  }

  /// To a tenth, without a tenth of zero.
  static func rounded(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
