/// A person, as `users` lists them.
struct UserRecord: Decodable, Hashable, Sendable {
  var id: Int
  var name: String
  var username: String
}

/// An album, as `albums` lists them.
struct AlbumRecord: Decodable, Hashable, Sendable {
  var id: Int
  var userId: Int
  var title: String
}

/// A picture, as `pictures` lists them.
struct PictureRecord: Decodable, Hashable, Sendable {
  var id: Int
  var albumId: Int
  var title: String
  var text: String?
  var url: String?
}
