package import AdExperience
package import MRAID

/// Where an ad goes in the feed: which one, and how large.
package struct AdPlace: ContentItem, Hashable {
  /// What the ad service is asked for.
  package var unit: AdUnit
  /// In dip.
  package var size: Size

  package init(unit: AdUnit, size: Size) {
    self.unit = unit
    self.size = size
  }

  package var id: String { "ad-\(unit.index + 1)" }
}
