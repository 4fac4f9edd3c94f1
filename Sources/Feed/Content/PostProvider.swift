internal import Core

extension ContentType {
  package static let post = ContentType(rawValue: "post")
}

/// Provides the posts, in their order; everything else in a feed is placed around them.
package struct PostProvider: ContentProvider {
  private let posts: [Post]

  package init(posts: [Post]) { self.posts = posts }

  package var type: ContentType { .post }

  package func enrich(_ model: inout ContentModel, in context: FeedContext) -> [FeedDecision] {
    for _ in posts { model.register(.post, at: model.count) }
    guard posts.isEmpty else { return [] }
    return [FeedDecision(.post, at: nil, "the sources have no posts")]
  }

  package func item(at relativeIndex: Int) -> any ContentItem { posts[relativeIndex] }
}

/// One entry of the feed: a user's image with its text.
package struct Post: ContentItem, Hashable {
  package var id: String
  package var author: String
  /// The author's user name.
  package var handle: String
  /// Title of the album that the image is from.
  package var album: String
  package var title: String
  /// A few sentences; empty for none.
  package var text: String
  /// Address of the image, absolute or relative to the feed's file; nil for none.
  package var image: String?

  package init(
    id: String, author: String, handle: String, album: String, title: String, text: String, image: String?
  ) {
    self.id = id
    self.author = author
    self.handle = handle
    self.album = album
    self.title = title
    self.text = text
    self.image = image
  }
}

/// Draws a post: the author, an image, a heading, a few lines.
package struct PostCellFactory: CellFactory {
  package init() {}

  package func accepts(_ item: any ContentItem) -> Bool { item is Post }

  package func cell(for item: any ContentItem) -> FeedCell {
    guard let post = item as? Post else { return FeedCell(id: item.id, type: .post, markup: "") }
    let image: Markup = post.image.map { "<img src=\"\($0)\" alt=\"\(post.title)\">" } ?? ""
    let text: Markup = post.text.isEmpty ? "" : "<p>\(post.text)</p>"
    return FeedCell(
      id: post.id, type: .post,
      markup: """
        <header><span class="face">\(Self.initials(of: post.author))</span>\
        <span><b>\(post.author)</b><small>@\(post.handle) · \(post.album)</small></span></header>\
        \(image)<h2>\(post.title)</h2>\(text)
        """)
  }

  /// Returns the first letters of at most two names.
  private static func initials(of name: String) -> String {
    String(name.split(separator: " ").prefix(2).compactMap(\.first))
  }
}
