internal import Core
package import RenderModel

/// One ad as a feed showed it: its creative, its cell and its result.
package struct AdImpression: Hashable, Sendable {
  /// Result of the impression, as far as the log contains it.
  package enum End: Hashable, Sendable {
    /// It was shown until the feed ended or another ad took its cell.
    case shown
    /// It never loaded.
    case failed(message: String, code: String)
    /// Its web process ended, or was ended: `crashed`, `memory-exceeded`, `unresponsive`.
    case lost(reason: String)
  }

  /// Name in the events, for example `creative-3`.
  package var ad: String
  /// Identifier of its cell, for example `ad-1`.
  package var cell: String
  /// Name of the creative.
  package var creative: String
  package var end = End.shown
  /// Events of the ad, and of the screenshots on which it is visible.
  package var events: [Event] = []

  private init(ad: String, cell: String, creative: String) {
    self.ad = ad
    self.cell = cell
    self.creative = creative
  }

  /// Names of the screenshots on which it is visible.
  package var pictures: Set<String> {
    Set(events.filter { $0.source == .host && $0.isNamed(.screenshot) }.compactMap { $0.detail["name"]?.string })
  }
}

extension AdImpression {
  /// Returns the ads of a feed's log in the order in which they were requested; of several attempts at one ad the last.
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
    guard event.source == .feed, event.isNamed(.adLoading), let ad = event.detail["ad"]?.string,
      let cell = event.detail["cell"]?.string, let creative = event.detail["creative"]?.string
    else { return nil }
    self.init(ad: ad, cell: cell, creative: creative)
  }

  /// Indicates that the other impression is another attempt at the same ad.
  private func isFollowed(by other: AdImpression) -> Bool {
    if case .failed = end { creative == other.creative } else { false }
  }

  private mutating func take(_ event: Event) {
    guard concerns(event) else { return }
    events.append(event)
    switch (event.source, Event.Name(rawValue: event.name)) {
    case (.ad, .failedToLoad):
      end = .failed(
        message: event.detail["error"]?.string ?? "it couldn't be loaded",
        code: event.detail["code"]?.string ?? "ad-load-failed")
    case (.feed, .adLost): if case .shown = end { end = .lost(reason: event.detail["reason"]?.string ?? "crashed") }
    default: break
    }
  }

  private func concerns(_ event: Event) -> Bool {
    switch (event.source, Event.Name(rawValue: event.name)) {
    case (.host, .screenshot): event.detail["ads"]?.array?.contains(.string(ad)) == true
    case (.input, _): event.detail["layer"]?.string.map { $0 == ad || $0.hasPrefix("\(ad)-") } ?? false
    default: event.detail["ad"]?.string == ad
    }
  }
}
