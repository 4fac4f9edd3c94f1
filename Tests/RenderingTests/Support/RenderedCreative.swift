import Foundation
import Jobs
import MRAID
import Pixels

/// What a render left behind: its record, its log, its pictures.
struct RenderedCreative: Sendable {
  let record: RenderRecord
  /// The lines of `events.ndjson`.
  let events: [Event]
  let folder: String
  /// Keeps the results on disk as long as a test looks at them.
  let owner: TemporaryFolder

  init(record: RenderRecord, folder: String, owner: TemporaryFolder) throws {
    self.record = record
    self.folder = folder
    self.owner = owner
    let path = "\(folder)/events.ndjson"
    let text = FileManager.default.fileExists(atPath: path) ? try String(contentsOfFile: path, encoding: .utf8) : ""
    events = try text.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
  }

  /// What was measured, when that was asked for.
  func measurements() throws -> Measurements {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(Measurements.fileName)"))
    return try JSONDecoder().decode(Measurements.self, from: data)
  }

  /// What the `observe` steps noted.
  func observations() throws -> [Observation] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(Observation.fileName)"))
    return try JSONDecoder().decode([Observation].self, from: data)
  }

  /// `source/name` of every event.
  var names: [String] { events.map { "\($0.source.rawValue)/\($0.name)" } }

  /// The events of this name, as scenarios write it.
  func events(_ name: String) -> [Event] {
    guard let pattern = EventPattern(name) else { return [] }
    return events.filter(pattern.matches)
  }

  /// What the page wrote to its console, in order.
  var console: [String] { events("page/console").compactMap { $0.detail["text"]?.string } }

  /// The JSON that the page logged after `label` and a space.
  func facts(_ label: String = "facts") -> JSONValue? {
    let line = console.first { $0.hasPrefix(label + " ") }
    return line.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.dropFirst(label.count + 1).utf8)) }
  }

  /// The picture of this number, from 1; `-ad` for the ad alone.
  func picture(_ number: Int, ad: Bool = false) throws -> Bitmap {
    let screenshot = record.screenshots[number - 1]
    return try PNGDecoder.read(path: "\(folder)/screenshots/\(screenshot.name)\(ad ? "-ad" : "").png")
  }
}
