internal import FoundationEssentials
internal import MRAID

/// An event's detail in a line.
enum EventDetail {
  static let longest = 600

  /// As JSON, but for the timing, which the time column and the waterfall tell.
  static func text(_ detail: JSONValue) -> String {
    var members = detail.object ?? [:]
    members["timing"] = nil
    guard !members.isEmpty else { return "" }
    let parts = members.sorted { $0.key < $1.key }.map { "\($0.key): \(json($0.value))" }
    return ReportText.cut(ReportText.line(parts.joined(separator: ", ")), to: longest)
  }

  private static func json(_ value: JSONValue) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
  }
}
