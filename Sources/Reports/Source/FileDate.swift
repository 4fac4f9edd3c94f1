internal import Core
internal import FoundationEssentials

/// When a file was written: the only clock that a report knows.
enum FileDate {
  /// Since 1970; 0 when there is no such file.
  static func milliseconds(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let date = attributes?[.modificationDate] as? Date
    return date.map { Bounded.int($0.timeIntervalSince1970 * 1000, in: Int.min...Int.max) } ?? 0
  }

  /// ISO 8601 in UTC with milliseconds.
  static func text(milliseconds: Double) -> String {
    // A quarter of a millisecond more, since a date's seconds are binary and formatting cuts them off.
    Date(timeIntervalSince1970: (milliseconds.rounded() + 0.25) / 1000).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
