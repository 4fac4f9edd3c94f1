/// An ad with everything that its wrappers added, ready to be played.
package struct ResolvedAd: Hashable, Sendable {
  package var id: String?
  /// Its place in a pod.
  package var sequence: Int?
  package var inLine: VASTInLine
  /// Wrappers on the way, outermost first.
  package var wrappers: [String]
  /// Everybody's, the in-line ad's first.
  package var impressions: [String]
  package var errors: [String]
  /// The film with everybody's tracking, clicks and icons; nil for an ad without one.
  package var linear: VASTLinear?
  package var creative: VASTCreative?
  package var nonLinears: [VASTNonLinear]
  package var companions: [VASTCompanion]
  package var requiredCompanions: VASTCompanion.Required
  package var verifications: [VASTVerification]
  package var extensions: [VASTExtension]
  package var viewable: VASTViewableImpression
  /// The version its own document was written in.
  package var version: String
  /// Where its document came from, to which relative addresses in it refer; nil for the first.
  package var address: String?
}
