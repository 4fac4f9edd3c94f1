/// What part of an ad a check is about; the order of sections in a report.
package enum CheckFamily: String, Sendable, Codable, CaseIterable {
  case mraid, behaviour, close, weight, requests, heavyAd, security, robustness, accessibility, layout
  /// What the caller expects of this very creative: its scenario, its deadline.
  case expectation
}
