internal import Core
internal import FoundationEssentials

/// Instants as the store has them and as people read them.
enum Instant {
  /// Milliseconds since 1970.
  static var now: Int64 { Int64(Bounded.int(Date.now.timeIntervalSince1970 * 1000, in: 0...Int.max)) }

  /// ISO 8601 in UTC with milliseconds.
  static func text(_ milliseconds: Int64) -> String {
    // A quarter of a millisecond more, since a date's seconds are binary and formatting cuts them off.
    Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1000).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// Milliseconds since 1970 of an ISO 8601 instant, with or without fractions; nil for anything else.
  static func parse(_ text: String) -> Int64? {
    let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
    return styles.lazy.compactMap { try? $0.parse(text) }.first.map {
      Int64(Bounded.int($0.timeIntervalSince1970 * 1000, in: Int.min...Int.max))
    }
  }
}
