internal import FoundationEssentials
internal import Glibc

/// The event log of a render that has ended, or ended in the midst of a line.
package enum EventLog {
  /// Bytes read at a time, and the most of a line: an event has far less.
  private static let piece = 1 << 18
  private static let longest = 1 << 20
  /// Events that are taken in, more than any log has.
  private static let most = 20_000

  /// Its events, without lines that can't be read; none where there is no log.
  package static func events(at path: String) -> [Event] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    let decoder = JSONDecoder()
    var events: [Event] = []
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: piece)
    while events.count < most {
      let count = read(file, &chunk, piece)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      var rest = chunk[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        line += rest[..<end]
        if let event = decoded(line, decoder) { events.append(event) }
        line.removeAll(keepingCapacity: true)
        rest = rest[(end + 1)...]
      }
      // What is left of a line that is too long is no event either.
      if line.count <= longest { line += rest }
    }
    if let event = decoded(line, decoder) { events.append(event) }
    return events
  }

  private static func decoded(_ line: [UInt8], _ decoder: JSONDecoder) -> Event? {
    line.isEmpty || line.count > longest ? nil : try? decoder.decode(Event.self, from: Data(line))
  }
}
