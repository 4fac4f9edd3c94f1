/// The views of one ad; where several ads are on a screen each has its own.
package struct CreativeViews: Hashable, Sendable {
  /// The creative's own page.
  package let page: AdViewID
  /// The page of a two-part expand.
  package let secondPart: AdViewID
  /// The player of its first film.
  package let player: AdViewID

  /// The views of the only ad.
  package static let only = CreativeViews(page: .creative, secondPart: .secondPart, player: .player)

  private init(page: AdViewID, secondPart: AdViewID, player: AdViewID) {
    self.page = page
    self.secondPart = secondPart
    self.player = player
  }

  /// Those of an ad among others, by its number from 1.
  package init(number: Int) {
    page = AdViewID(rawValue: "creative-\(number)")
    secondPart = AdViewID(rawValue: "creative-\(number)-second-part")
    player = AdViewID(rawValue: "creative-\(number)-player")
  }
}
