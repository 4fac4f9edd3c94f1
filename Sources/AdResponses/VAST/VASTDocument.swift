/// One VAST response as it was written; nothing of it is chosen, merged or loaded.
package struct VASTDocument: Hashable, Sendable {
  /// `2.0` to `4.3`, as the document says.
  package var version: String
  /// In the document's order.
  package var ads: [VASTAd]
  /// Asked when the response has no ad.
  package var errors: [String]
  /// What of it was mended or passed over.
  package var flaws: [VASTFlaw]
  /// Where else it departs from the schema of its version.
  package var departures: [VASTDeparture] = []

  package init(version: String, ads: [VASTAd], errors: [String], flaws: [VASTFlaw] = []) {
    self.flaws = flaws
    self.version = version
    self.ads = ads
    self.errors = errors
  }

  /// The ads that are to be played one after the other, by their `sequence`; ads of the same one stay in order.
  package var pod: [VASTAd] {
    ads.enumerated().filter { $0.element.sequence != nil }
      .sorted { ($0.element.sequence ?? 0, $0.offset) < ($1.element.sequence ?? 0, $1.offset) }.map(\.element)
  }

  /// The ads without a place of their own, of which the first that can be played is.
  package var standAlone: [VASTAd] { ads.filter { $0.sequence == nil } }
}

/// One `Ad`: the ad itself, or the way to it.
package struct VASTAd: Hashable, Sendable {
  package var id: String?
  /// Its place in a pod, from 1; nil for an ad that stands alone.
  package var sequence: Int?
  /// Where it begins in its document, from 1.
  package var line: Int
  /// `video`, `audio` or `hybrid` (4.1).
  package var adType: String?
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
  package var description: String?
  /// Where its maker asks people what they thought of it.
  package var survey: String?
  /// Seconds for which it may be kept (4.1).
  package var expires: Int?
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
  /// Of ads that mustn't come of it (4.1).
  package var blockedCategories: [String] = []
}

/// What an ad costs, as its server tells those who sell its place.
package struct VASTPricing: Hashable, Sendable {
  /// `cpm`, as the document has it.
  package var model: String?
  /// ISO 4217.
  package var currency: String?
  /// Nil where it is no number, or encoded.
  package var value: Double?
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
  package var pricing: VASTPricing?

  package init() {}
}
