internal import FoundationEssentials
package import Jobs
internal import MRAID

/// An event log without what differs from run to run: one object a line, with source, name and detail.
package enum NormalisedLog {
  private struct Line: Codable {
    let source: Event.Source
    let name: String
    let detail: JSONValue
  }

  /// The same events give the same bytes, whenever they happened.
  package static func bytes(_ events: [Event]) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return events.flatMap { event in
      let key = EventKey(event)
      let line = try? encoder.encode(Line(source: key.source, name: key.name, detail: key.detail))
      return Array(line ?? Data()) + [UInt8(ascii: "\n")]
    }
  }

  /// The events, numbered by their lines; nil when it is no such log.
  package static func events(_ bytes: [UInt8]) -> [Event]? {
    let decoder = JSONDecoder()
    var events: [Event] = []
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let line = try? decoder.decode(Line.self, from: Data(line)) else { return nil }
      events.append(Event(seq: number, t: 0, source: line.source, name: line.name, detail: line.detail))
    }
    return events
  }
}
