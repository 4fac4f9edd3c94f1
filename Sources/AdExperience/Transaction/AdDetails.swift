package import MRAID

/// What an ad view learns of a loaded ad.
package struct AdDetails: Hashable, Sendable {
  /// What was asked for, in dip.
  package var size: Size
  /// Creatives in the transaction.
  package var creativeCount: Int

  /// An ad of this size with so many creatives.
  package init(size: Size, creativeCount: Int) {
    self.size = size
    self.creativeCount = creativeCount
  }
}
