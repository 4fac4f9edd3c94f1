/// Where the three lists are that posts are made of: file names relative to the feed's file, or http(s) addresses.
package struct FeedSources: Hashable, Sendable {
  package var users: String
  package var albums: String
  package var pictures: String

  package init(users: String, albums: String, pictures: String) {
    self.users = users
    self.albums = albums
    self.pictures = pictures
  }
}
