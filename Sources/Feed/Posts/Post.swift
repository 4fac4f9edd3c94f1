/// One entry of the feed: a person's picture with what they say of it.
package struct Post: ContentItem, Hashable {
  package var id: String
  package var author: String
  /// The author's short name.
  package var handle: String
  /// The album it is from.
  package var album: String
  package var title: String
  /// A few sentences; empty for none.
  package var text: String
  /// The picture's address, absolute or relative to the feed's file; nil for none.
  package var picture: String?

  package init(
    id: String, author: String, handle: String, album: String, title: String, text: String, picture: String?
  ) {
    self.id = id
    self.author = author
    self.handle = handle
    self.album = album
    self.title = title
    self.text = text
    self.picture = picture
  }
}
