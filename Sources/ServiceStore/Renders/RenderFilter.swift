/// Which renders a list shows.
package struct RenderFilter: Hashable, Sendable {
  package var statuses: [RenderStatus]
  /// Only what this token asked for; nil for everybody's.
  package var owner: String?
  /// Milliseconds since 1970; accepted at or after.
  package var since: Int64?
  /// Accepted before.
  package var until: Int64?
  /// Words that the creative's name, the code or the id hold.
  package var text: String?

  package init(
    statuses: [RenderStatus] = [], owner: String? = nil, since: Int64? = nil, until: Int64? = nil, text: String? = nil
  ) {
    (self.statuses, self.owner, self.since) = (statuses, owner, since)
    (self.until, self.text) = (until, text)
  }
}
