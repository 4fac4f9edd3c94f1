/// Names a view that shows something of an ad; the ad manager never holds the view itself.
package struct AdViewID: RawRepresentable, Hashable, Sendable, Codable {
  /// As the event log and the layers name it.
  package let rawValue: String

  /// Names a view.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The creative's own page.
  package static let creative = AdViewID(rawValue: "creative")
  /// The page of a two-part expand.
  package static let secondPart = AdViewID(rawValue: "second-part")
  /// The player of an ad's first film.
  package static let player = AdViewID(rawValue: "player")
  /// The app's feed.
  package static let feed = AdViewID(rawValue: "feed")
  /// The clickthrough browser, or what stands for a player.
  package static let browser = AdViewID(rawValue: "browser")
}
