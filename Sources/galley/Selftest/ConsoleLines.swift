internal import Jobs
internal import MRAID

/// What a render's pages printed on their consoles.
enum ConsoleLines {
  /// One message a line, in the log's order; empty when there is no log.
  static func read(_ log: String) -> String {
    EventLog.events(at: log).filter { $0.source == .page && $0.name == "console" }.compactMap {
      $0.detail["text"]?.string
    }
    .map { $0 + "\n" }.joined()
  }
}
