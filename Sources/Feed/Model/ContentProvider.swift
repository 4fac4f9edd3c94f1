/// Knows one kind of content: where it goes among what is there already, and what each of its slots stands for.
package protocol ContentProvider: Sendable {
  /// The kind it answers for.
  var type: ContentType { get }
  /// Adds its slots to a model that those before it have enriched, and notes why each is there or isn't.
  func enrich(_ model: inout ContentModel, in situation: FeedSituation) -> [FeedDecision]
  /// The item of its slot with this relative index.
  func item(at relativeIndex: Int) -> any ContentItem
}
