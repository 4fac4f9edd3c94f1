internal import FoundationEssentials
package import Jobs

/// Reads an event log of an earlier render.
package enum EventLogFile {
  /// The most events read: twice what a render writes.
  private static let events = 20_000

  /// Every line's event.
  /// - Throws: a request's fault that names the line, when the file is no event log or too long.
  package static func read(_ path: String) throws(Fault) -> [Event] {
    let lines = try ResultFile.read(path).split(separator: UInt8(ascii: "\n"))
    guard lines.count <= events else { throw .request("diff-log-too-long", "\(path) has \(lines.count) lines") }
    let decoder = JSONDecoder()
    var found: [Event] = []
    for (index, line) in lines.enumerated() {
      guard let event = try? decoder.decode(Event.self, from: Data(line)) else {
        throw .request("diff-log-broken", "\(path):\(index + 1) is no event")
      }
      found.append(event)
    }
    return found
  }
}
