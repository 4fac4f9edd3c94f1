/// One VAST response as it was written, before any selection, merging or loading.
package struct VASTDocument: Hashable, Sendable {
  /// Version as the document gives it, `2.0` to `4.3`.
  package var version: String
  /// Ads in the document's order.
  package var ads: [VASTAd]
  /// Addresses to request if the response has no ad.
  package var errors: [String]
  /// Faults that were corrected or ignored.
  package var flaws: [VASTFlaw]
  /// Other departures from the schema of its version.
  package var departures: [VASTDeparture] = []

  package init(version: String, ads: [VASTAd], errors: [String], flaws: [VASTFlaw] = []) {
    self.flaws = flaws
    self.version = version
    self.ads = ads
    self.errors = errors
  }

  /// Ads to play one after the other, sorted by `sequence`; ads with the same number keep their order.
  package var pod: [VASTAd] {
    ads.enumerated().filter { $0.element.sequence != nil }
      .sorted { ($0.element.sequence ?? 0, $0.offset) < ($1.element.sequence ?? 0, $1.offset) }.map(\.element)
  }

  /// Ads without a place in the pod, of which the first that can be played is used.
  package var standAlone: [VASTAd] { ads.filter { $0.sequence == nil } }
}

/// One `Ad`: an in-line ad, or a wrapper that leads to one.
package struct VASTAd: Hashable, Sendable {
  package var id: String?
  /// Place in a pod, from 1; nil for an ad that stands alone.
  package var sequence: Int?
  /// Line in its document, from 1.
  package var line: Int
  /// `video`, `audio` or `hybrid` (4.1).
  package var adType: String?
  /// Parts that in-line ads and wrappers have in common.
  package var parts: VASTAdParts
  package var content: Content

  package enum Content: Hashable, Sendable {
    case inLine(VASTInLine)
    case wrapper(VASTWrapper)
  }
}

/// Parts that only an in-line ad has.
package struct VASTInLine: Hashable, Sendable {
  package var title: String?
  package var advertiser: String?
  /// Identifier of the ad that is valid across servers (4.1).
  package var adServingID: String?
  package var categories: [String] = []
  package var description: String?
  /// Address of the advertiser's survey.
  package var survey: String?
  /// Seconds for which it may be cached (4.1).
  package var expires: Int?
}

/// Parts that only a wrapper has.
package struct VASTWrapper: Hashable, Sendable {
  /// Address of the next response.
  package var tag: String
  /// Indicates that the next response may be a wrapper too.
  package var followsWrappers = true
  /// Indicates that all its ads count, pods included; if false, only the first that stands alone does.
  package var allowsMultipleAds = false
  /// Indicates that another ad of this response may replace one that leads to none; nil if the wrapper doesn't say.
  package var fallsBack: Bool?
  /// Categories of ads that it must not lead to (4.1).
  package var blockedCategories: [String] = []
}

/// Price of an ad, given by its server to the sellers of the placement.
package struct VASTPricing: Hashable, Sendable {
  /// Model as the document gives it, for example `cpm`.
  package var model: String?
  /// Currency by ISO 4217.
  package var currency: String?
  /// Price; nil if it is no number, or encoded.
  package var value: Double?
}

/// Parts that in-line ads and wrappers have in common, which merging adds up.
package struct VASTAdParts: Hashable, Sendable {
  /// Name of the server that returned the ad.
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
