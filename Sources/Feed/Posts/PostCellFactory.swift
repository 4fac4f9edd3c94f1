/// Draws a post: who, a picture, a heading, a few lines.
package struct PostCellFactory: CellFactory {
  package init() {}

  package func accepts(_ item: any ContentItem) -> Bool { item is Post }

  package func cell(for item: any ContentItem) -> FeedCell {
    guard let post = item as? Post else { return FeedCell(id: item.id, type: .post, markup: "") }
    let picture: Markup = post.picture.map { "<img src=\"\($0)\" alt=\"\(post.title)\">" } ?? ""
    let text: Markup = post.text.isEmpty ? "" : "<p>\(post.text)</p>"
    return FeedCell(
      id: post.id, type: .post,
      markup: """
        <header><span class="face">\(Self.initials(of: post.author))</span>\
        <span><b>\(post.author)</b><small>@\(post.handle) · \(post.album)</small></span></header>\
        \(picture)<h2>\(post.title)</h2>\(text)
        """)
  }

  /// First letters of at most two names.
  private static func initials(of name: String) -> String {
    String(name.split(separator: " ").prefix(2).compactMap(\.first))
  }
}
