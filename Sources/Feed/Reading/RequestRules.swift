package import AdExperience

/// What goes along with the feed's requests.
package struct RequestRules: Hashable, Sendable {
  package var backOff: BackOff
  /// Goes out as `Authorization: Bearer`; nil for none.
  package var token: String?

  /// Three tries, nobody's name on them.
  package init(backOff: BackOff = BackOff(), token: String? = nil) {
    self.backOff = backOff
    self.token = token
  }
}
