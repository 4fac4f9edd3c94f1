/// One `Ad`: the ad itself, or the way to it.
package struct VASTAd: Hashable, Sendable {
  package var id: String?
  /// Its place in a pod, from 1; nil for an ad that stands alone.
  package var sequence: Int?
  /// Where it begins in its document, from 1.
  package var line: Int
  /// What in-line ads and wrappers have in common.
  package var parts: VASTAdParts
  package var content: Content

  package enum Content: Hashable, Sendable {
    case inLine(VASTInLine)
    case wrapper(VASTWrapper)
  }
}

/// What only an ad itself has.
package struct VASTInLine: Hashable, Sendable {
  package var title: String?
  package var advertiser: String?
  /// Who gave the ad its name across servers (4.1).
  package var adServingID: String?
  package var categories: [String] = []
}

/// What only the way to an ad has.
package struct VASTWrapper: Hashable, Sendable {
  /// Where the next response is.
  package var tag: String
  /// Whether that may be a wrapper again.
  package var followsWrappers = true
  /// Whether all its ads count, pods included, or only the first that stands alone.
  package var allowsMultipleAds = false
  /// Whether another ad of this response may take the place of one that leads nowhere.
  package var fallsBack: Bool?
}

/// What in-line ads and wrappers have in common, and what merging adds up.
package struct VASTAdParts: Hashable, Sendable {
  /// The server that returned it.
  package var system: String?
  package var impressions: [String] = []
  package var errors: [String] = []
  package var creatives: [VASTCreative] = []
  package var verifications: [VASTVerification] = []
  package var extensions: [VASTExtension] = []
  package var viewable = VASTViewableImpression()

  package init() {}
}
