package import MRAID

/// Where ads stand among posts, which identifiers they have, and how their cells go about them.
package struct AdRules: Hashable, Sendable {
  /// Posts before the first ad, 1 or more.
  package var firstAfter: Int
  /// What the first ad is asked for as.
  package var firstIdentifier: String
  /// Posts from one ad to the next, 1 or more; nil for no more than one.
  package var thenEvery: Int?
  /// What all others are asked for as.
  package var thenIdentifier: String
  /// In dip.
  package var size: Size
  /// How far below or above the screen a cell begins to load, in dip.
  package var distance: Double
  /// Seconds on screen after which another ad takes the place; nil for never.
  package var rotation: Double?

  /// The founding rules: after three posts, then after every five, another ad every half minute.
  package init(
    firstAfter: Int = 3, firstIdentifier: String = "feed-first", thenEvery: Int? = 5,
    thenIdentifier: String = "feed-more", size: Size = Size(width: 300, height: 250), distance: Double = 200,
    rotation: Double? = 30
  ) {
    self.firstAfter = firstAfter
    self.firstIdentifier = firstIdentifier
    self.thenEvery = thenEvery
    self.thenIdentifier = thenIdentifier
    self.size = size
    self.distance = distance
    self.rotation = rotation
  }

  /// After how many posts each ad stands, in a feed of so many.
  package func postsBefore(inFeedOf posts: Int) -> [Int] {
    guard posts >= firstAfter else { return [] }
    return thenEvery.map { Array(stride(from: firstAfter, through: posts, by: $0)) } ?? [firstAfter]
  }
}
