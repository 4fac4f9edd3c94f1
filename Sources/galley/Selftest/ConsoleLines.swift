internal import FoundationEssentials
internal import Jobs
internal import MRAID

/// What a render's pages printed on their consoles.
enum ConsoleLines {
  /// One message a line, in the log's order; empty when there is no log.
  static func read(_ log: String) -> String {
    let data = (try? Data(contentsOf: URL(filePath: log))) ?? Data()
    let events = data.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(Event.self, from: Data($0))
    }
    return events.filter { $0.source == .page && $0.name == "console" }.compactMap { $0.detail["text"]?.string }
      .map { $0 + "\n" }.joined()
  }
}
