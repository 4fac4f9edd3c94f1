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
