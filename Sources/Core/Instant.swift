internal import FoundationEssentials

/// Instants as stored in documents: milliseconds since 1970, and ISO 8601 in UTC.
package enum Instant {
  package static var now: Int64 { Int64(Bounded.int(Date.now.timeIntervalSince1970 * 1000, in: 0...Int.max)) }

  /// ISO 8601 in UTC with milliseconds.
  package static func text(_ milliseconds: Int64) -> String {
    // A quarter of a millisecond more, since a date's seconds are binary and formatting cuts them off.
    Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1000).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// The same for foreign milliseconds; instants outside the years 1970 to 9999 become the nearest one inside.
  package static func text(near milliseconds: Double) -> String {
    text(Int64(Bounded.int(milliseconds.rounded(), in: 0...253_402_300_799_999)))
  }

  /// Milliseconds since 1970 of an ISO 8601 instant, with or without fractions; nil for anything else.
  package static func parse(_ text: String) -> Int64? {
    let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
    return styles.lazy.compactMap { try? $0.parse(text) }.first.map {
      Int64(Bounded.int($0.timeIntervalSince1970 * 1000, in: Int.min...Int.max))
    }
  }
}
