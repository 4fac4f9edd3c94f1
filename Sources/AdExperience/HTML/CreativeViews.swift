/// The views of one HTML creative; where several ads are on a screen each has its own.
package struct CreativeViews: Hashable, Sendable {
  /// The creative's own page.
  package let page: AdViewID
  /// The page of a two-part expand.
  package let secondPart: AdViewID

  /// The views of the only ad.
  package static let only = CreativeViews(page: .creative, secondPart: .secondPart)

  private init(page: AdViewID, secondPart: AdViewID) {
    self.page = page
    self.secondPart = secondPart
  }

  /// Those of an ad among others, by its number from 1.
  package init(number: Int) {
    page = AdViewID(rawValue: "creative-\(number)")
    secondPart = AdViewID(rawValue: "creative-\(number)-second-part")
  }
}
