package import MRAID

/// What an ad view asks for: the kind of ad, never the kind of creative.
package struct AdConfiguration: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case banner, interstitial
  }

  package var kind: Kind
  /// The slot's size in dip; an interstitial's is the content area's.
  package var size: Size
  /// Seconds until an interstitial's close control may be used.
  package var closeDelay: Double

  package init(kind: Kind, size: Size, closeDelay: Double = 0) {
    self.kind = kind
    self.size = size
    self.closeDelay = closeDelay
  }
}

/// What an ad view learns of a loaded ad.
package struct AdDetails: Hashable, Sendable {
  package var size: Size
  /// Creatives in the transaction.
  package var creativeCount: Int

  package init(size: Size, creativeCount: Int) {
    self.size = size
    self.creativeCount = creativeCount
  }
}

/// Why an ad couldn't be loaded.
package struct AdError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
