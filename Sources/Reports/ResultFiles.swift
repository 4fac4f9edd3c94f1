internal import Checks
internal import Core
internal import FoundationEssentials
internal import RenderModel

/// What a result's folder holds besides its record; a missing or broken file reads as empty.
struct ResultFiles {
  let source: ReportSource
  let creative: CreativeReport

  /// The event log as far as it can be read.
  var events: [Event] { folder?.log.events() ?? [] }

  /// What was measured; nil unless it was asked for, as galley check does.
  var measurements: Measurements? { folder?.readMeasurements() }

  /// What exploring found; nil without `--explore`.
  var stateMap: StateMap? {
    folder.flatMap { try? Data(contentsOf: URL(filePath: $0.exploration), options: .mappedIfSafe) }
      .flatMap { try? JSONDecoder().decode(StateMap.self, from: $0) }
  }

  /// When the load began, in milliseconds since 1970; of a record that doesn't say it, when that was written.
  var began: Double {
    if let began = creative.record.began.flatMap(Instant.parse) { return Double(began) }
    return Double(max(0, FileDate.milliseconds(of: folder?.result ?? "")))
  }

  /// Nil for a creative that left none.
  private var folder: ResultFolder? {
    creative.folder.isEmpty ? nil : ResultFolder("\(source.folder)/\(creative.folder)")
  }
}

/// The part of `exploration.json` (Schemas/exploration.schema.json) that a report shows.
struct StateMap: Decodable, Hashable {
  struct State: Decodable, Hashable {
    let number: Int
    let name: String
    /// Relative to the result's folder.
    let screenshot: String?
  }
  struct Path: Decodable, Hashable {
    let from: Int
    let to: Int?
    let action: String
    let effects: [String]?
    let failure: String?
  }
  struct Odd: Decodable, Hashable {
    let code: String
    let message: String
    let state: Int?
    let count: Int
  }
  struct Coverage: Decodable, Hashable {
    let percent: Int?
  }

  let states: [State]
  let paths: [Path]
  let anomalies: [Odd]
  let coverage: Coverage?
}

/// When a file was written: the only clock that a report knows.
enum FileDate {
  /// Since 1970; 0 when there is no such file.
  static func milliseconds(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let date = attributes?[.modificationDate] as? Date
    return date.map { Bounded.int($0.timeIntervalSince1970 * 1000, in: Int.min...Int.max) } ?? 0
  }
}
