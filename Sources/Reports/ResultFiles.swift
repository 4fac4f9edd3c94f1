internal import Checks
internal import Core
internal import FoundationEssentials
internal import RenderModel

/// Files of a result besides its record; a missing or broken file reads as empty.
struct ResultFiles {
  let source: ReportSource
  let creative: CreativeReport

  /// Events of the log, as far as it can be read.
  var events: [Event] { folder?.log.events() ?? [] }

  /// Measurements; nil unless they were requested, as `galley check` does.
  var measurements: Measurements? { folder?.readMeasurements() }

  /// State map of an exploration; nil without `--explore`.
  var stateMap: StateMap? {
    folder.flatMap { try? FileReading.regular($0.exploration, most: Self.largestMap, followsLinks: false) }
      .flatMap { try? JSONDecoder().decode(StateMap.self, from: Data($0)) }
  }

  /// Maximum size in bytes of a state map that is read.
  private static let largestMap = 256 << 20

  /// Time at which the load began, in milliseconds since 1970; else that at which the record was written.
  var began: Double {
    if let began = creative.record.began.flatMap(Instant.parse) { return Double(began) }
    return Double(max(0, FileDate.milliseconds(of: folder?.result ?? "")))
  }

  /// Folder of the result; nil for a creative without one.
  private var folder: ResultFolder? {
    creative.folder.isEmpty ? nil : ResultFolder("\(source.folder)/\(creative.folder)")
  }
}

/// Part of `exploration.json` (Schemas/exploration.schema.json) that a report shows.
struct StateMap: Decodable, Hashable {
  struct State: Decodable, Hashable {
    let number: Int
    let name: String
    /// MRAID state and orientation of the device.
    let state: String?
    let orientation: String?
    /// Path of the screenshot, relative to the result's folder.
    let screenshot: String?
  }
  struct Path: Decodable, Hashable {
    let from: Int
    let to: Int?
    let action: String
    /// Kind of the action, such as `tap` or `rotate`.
    let kind: String?
    /// Path of the screenshot before the return, for an action that returns.
    let screenshot: String?
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

/// Modification time of a file, the only clock that a report uses.
enum FileDate {
  /// Returns the milliseconds since 1970; 0 if the file doesn't exist.
  static func milliseconds(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let date = attributes?[.modificationDate] as? Date
    return date.map { Bounded.int($0.timeIntervalSince1970 * 1000, in: Int.min...Int.max) } ?? 0
  }
}
