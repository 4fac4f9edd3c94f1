internal import Core

/// What a measure counts in, as `Finding.Measure.unit` writes it.
package enum Unit: String, Sendable, CaseIterable {
  case bytes = "B"
  case seconds = "s"
  case percent = "%"
  case requests, files, characters, flashes, loops, cookies, pixels, frames

  /// A number for people: `150 kB` (a thousand bytes each), `15 s`, `10 requests`.
  package func text(_ value: Double) -> String {
    switch self {
    case .bytes where value >= 999_950: "\(Self.rounded(value / 1_000_000)) MB"
    case .bytes where value >= 1_000: "\(Self.rounded(value / 1_000)) kB"
    case .bytes: "\(Self.rounded(value)) bytes"
    case .seconds, .percent: "\(Self.rounded(value)) \(rawValue)"
    default: "\(Self.rounded(value)) \(value == 1 ? String(rawValue.dropLast(ending)) : rawValue)"
    }
  }

  /// Letters that make the plural.
  private var ending: Int { self == .flashes ? 2 : 1 }

  /// A tenth at most, upwards, so that what is over a limit reads so.
  private static func rounded(_ value: Double) -> String {
    NumberText.tenths(value - 1e-7, rounding: .up)
  }
}
