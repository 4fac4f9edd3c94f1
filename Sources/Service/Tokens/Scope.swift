/// What a token lets its holder do.
package enum Scope: String, Sendable, Codable, CaseIterable {
  /// See the renders of one's own, the baselines that all share, and how full the server is.
  case read
  /// See everybody's renders as well: what a team wants of its people.
  case readAll = "read-all"
  /// Have something rendered, and cancel or forget one's own.
  case render
  /// Change baselines.
  case approve
  /// Everything: also change and remove what isn't one's own.
  case admin
}
