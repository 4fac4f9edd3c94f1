/// What a token lets its holder do.
package enum Scope: String, Sendable, Codable, CaseIterable {
  /// See renders, reports and baselines.
  case read
  /// Have something rendered, and cancel or forget one's own.
  case render
  /// Change baselines.
  case approve
  /// Everything, also with what isn't one's own.
  case admin
}
