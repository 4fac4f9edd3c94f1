/// A feed as it is put together for one situation.
package struct FeedContents: Sendable {
  /// What stands where.
  package let model: ContentModel
  /// Why, in the order in which providers decided.
  package let decisions: [FeedDecision]
  /// From the top.
  package let cells: [FeedCell]
}
