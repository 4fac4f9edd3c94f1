package import AdExperience
internal import Jobs

/// Makes posts of three lists that refer to each other, as a chain of promises with one place for errors.
package final class PostLoader {
  private let sources: FeedSources
  private let get: (String) -> Promise<[UInt8]>

  /// A loader whose lists are fetched by `get`, which is handed a source's address.
  package init(sources: FeedSources, get: @escaping (String) -> Promise<[UInt8]>) {
    self.sources = sources
    self.get = get
  }

  /// The posts in the order of the pictures; a fault names the source and line.
  package func posts() -> Promise<[Post]> {
    pictures().then { [self] in addAlbums(to: $0) }.then { [self] in addUsers(to: $0) }
  }

  /// A picture with its place in its list, and what it has been merged with so far.
  private struct Draft {
    var picture: PictureRecord
    var album: AlbumRecord
    var albumIndex: Int
  }

  private func pictures() -> Promise<SourceList<PictureRecord>> { list(sources.pictures) }

  private func addAlbums(
    to pictures: SourceList<PictureRecord>
  ) -> Promise<(drafts: [Draft], albums: SourceList<AlbumRecord>)> {
    list(sources.albums).map { (albums: SourceList<AlbumRecord>) in
      _ = try Self.places(of: pictures) { $0.id }
      let places = try Self.places(of: albums) { $0.id }
      let drafts = try pictures.records.enumerated().map { index, picture in
        guard let place = places[picture.albumId] else {
          throw pictures.fault(at: index, "album \(picture.albumId) isn't in \(albums.source)")
        }
        return Draft(picture: picture, album: albums.records[place], albumIndex: place)
      }
      return (drafts, albums)
    }
  }

  private func addUsers(to merged: (drafts: [Draft], albums: SourceList<AlbumRecord>)) -> Promise<[Post]> {
    list(sources.users).map { (users: SourceList<UserRecord>) in
      let places = try Self.places(of: users) { $0.id }
      return try merged.drafts.map { draft in
        guard let place = places[draft.album.userId] else {
          throw merged.albums.fault(at: draft.albumIndex, "user \(draft.album.userId) isn't in \(users.source)")
        }
        return Self.post(draft.picture, draft.album, users.records[place])
      }
    }
  }

  private func list<Record: Decodable & Sendable>(_ address: String) -> Promise<SourceList<Record>> {
    get(address).map { try SourceList($0, source: address) }
  }

  /// Where each record stands by its number, which only one may have.
  private static func places<Record>(
    of list: SourceList<Record>, by number: (Record) -> Int
  ) throws -> [Int: Int] {
    var places: [Int: Int] = [:]
    for (index, record) in list.records.enumerated() {
      if places.updateValue(index, forKey: number(record)) != nil {
        throw list.fault(at: index, "id \(number(record)) stands twice")
      }
    }
    return places
  }

  private static func post(_ picture: PictureRecord, _ album: AlbumRecord, _ user: UserRecord) -> Post {
    Post(
      id: "post-\(picture.id)", author: user.name, handle: user.username, album: album.title, title: picture.title,
      text: picture.text ?? "", picture: picture.url)
  }
}
