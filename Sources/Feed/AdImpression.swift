internal import Core
package import RenderModel

/// One ad as a feed showed it: which creative was in which cell, and what became of it.
package struct AdImpression: Hashable, Sendable {
  /// How it ended, as far as the log goes.
  package enum End: Hashable, Sendable {
    /// It was there until the feed, or another ad, took its cell.
    case shown
    /// It never came.
    case failed(message: String, code: String)
    /// Its web process ended, or was ended: `crashed`, `memory-exceeded`, `unresponsive`.
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

  private init(ad: String, cell: String, creative: String) {
    self.ad = ad
    self.cell = cell
    self.creative = creative
  }

  /// Names of the pictures on which it can be seen.
  package var pictures: Set<String> {
    Set(events.filter { $0.source == .host && $0.name == "screenshot" }.compactMap { $0.detail["name"]?.string })
  }
}

extension AdImpression {
  /// The ads of a feed's log in the order in which they were asked for; of several tries for one ad the last.
  package static func all(in events: [Event]) -> [AdImpression] {
    var showings: [AdImpression] = []
    for event in events {
      if let begun = AdImpression(beginning: event) {
        if let place = showings.lastIndex(where: { $0.cell == begun.cell }), showings[place].isFollowed(by: begun) {
          showings.remove(at: place)
        }
        showings.append(begun)
      }
      for place in showings.indices { showings[place].take(event) }
    }
    return showings
  }

  private init?(beginning event: Event) {
    guard event.source == .feed, event.name == "adLoading", let ad = event.detail["ad"]?.string,
      let cell = event.detail["cell"]?.string, let creative = event.detail["creative"]?.string
    else { return nil }
    self.init(ad: ad, cell: cell, creative: creative)
  }

  /// Whether the other is one more try for the same.
  private func isFollowed(by other: AdImpression) -> Bool {
    if case .failed = end { creative == other.creative } else { false }
  }

  private mutating func take(_ event: Event) {
    guard concerns(event) else { return }
    events.append(event)
    switch (event.source, event.name) {
    case (.ad, "failedToLoad"):
      end = .failed(
        message: event.detail["error"]?.string ?? "it couldn't be loaded",
        code: event.detail["code"]?.string ?? "ad-load-failed")
    case (.feed, "adLost"): if case .shown = end { end = .lost(reason: event.detail["reason"]?.string ?? "crashed") }
    default: break
    }
  }

  private func concerns(_ event: Event) -> Bool {
    switch (event.source, event.name) {
    case (.host, "screenshot"): event.detail["ads"]?.array?.contains(.string(ad)) == true
    case (.input, _): event.detail["layer"]?.string.map { $0 == ad || $0.hasPrefix("\(ad)-") } ?? false
    default: event.detail["ad"]?.string == ad
    }
  }
}
