package import Jobs
internal import MRAID

/// One ad as a feed showed it: which creative was in which cell, and what became of it.
package struct AdShowing: Hashable, Sendable {
  /// How it ended, as far as the log goes.
  package enum End: Hashable, Sendable {
    /// It was there until the feed, or another ad, took its cell.
    case shown
    /// It never came.
    case failed(message: String, code: String)
    /// Its web process ended, or was ended: `crashed`, `memory-limit`, `unresponsive`.
    case lost(reason: String)
  }

  /// As events name it: `creative-3`.
  package var ad: String
  /// Its cell's id: `ad-1`.
  package var cell: String
  /// The name of what was shown.
  package var creative: String
  package var end = End.shown
  /// What the log has of it, and pictures on which it can be seen.
  package var events: [Event] = []

  package init(ad: String, cell: String, creative: String) {
    self.ad = ad
    self.cell = cell
    self.creative = creative
  }

  /// Names of the pictures on which it can be seen.
  package var pictures: Set<String> {
    Set(events.filter { $0.source == .host && $0.name == "screenshot" }.compactMap { $0.detail["name"]?.string })
  }
}
