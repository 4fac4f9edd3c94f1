/// Where the three lists are that posts are made of: file names relative to the feed's file, or http(s) addresses.
package struct FeedSources: Hashable, Sendable {
  /// People: `id`, `name`, `username`.
  package var users: String
  /// Albums: `id`, `userId`, `title`.
  package var albums: String
  /// Pictures: `id`, `albumId`, `title`, and if they like `text` and `url`.
  package var pictures: String

  package init(users: String, albums: String, pictures: String) {
    self.users = users
    self.albums = albums
    self.pictures = pictures
  }
}
