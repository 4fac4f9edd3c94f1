internal import AdExperience

/// What is drawn of an item, with nothing left to decide.
package struct FeedCell: Hashable, Sendable {
  /// The item's.
  package var id: String
  package var type: ContentType
  /// The inside of the cell.
  package var markup: Markup
  /// For an ad's place: which ad, and its size in dip.
  package var ad: AdPlace?

  package init(id: String, type: ContentType, markup: Markup, ad: AdPlace? = nil) {
    self.id = id
    self.type = type
    self.markup = markup
    self.ad = ad
  }
}
