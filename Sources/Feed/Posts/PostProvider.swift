extension ContentType {
  package static let post = ContentType(rawValue: "post")
}

/// The posts, in their order; everything else in a feed is placed around them.
package struct PostProvider: ContentProvider {
  private let posts: [Post]

  package init(posts: [Post]) { self.posts = posts }

  package var type: ContentType { .post }

  package func enrich(_ model: inout ContentModel, in situation: FeedSituation) -> [FeedDecision] {
    for _ in posts { model.register(.post, at: model.count) }
    guard posts.isEmpty else { return [] }
    return [FeedDecision(.post, at: nil, "the sources have no posts")]
  }

  package func item(at relativeIndex: Int) -> any ContentItem { posts[relativeIndex] }
}
