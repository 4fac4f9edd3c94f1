internal import FoundationEssentials
internal import Jobs

/// JSON as every report format of it is written.
enum ReportJSON {
  /// Indented, keys sorted, one line feed at the end.
  static func text(_ value: some Encodable) throws(Fault) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    } catch {
      throw .engine("report-failed", "a report can't be written as JSON: \(error)")
    }
  }
}
