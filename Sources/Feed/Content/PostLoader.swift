package import AdManager
internal import Core
internal import Foundation

/// Makes posts from three lists that refer to each other, as a chain of promises with one place for errors.
package final class PostLoader {
  private let sources: FeedSources
  private let get: (String) -> Promise<[UInt8]>

  /// Creates a loader that fetches its lists with `get`, called with a source's address.
  package init(sources: FeedSources, get: @escaping (String) -> Promise<[UInt8]>) {
    self.sources = sources
    self.get = get
  }

  /// Returns the posts in the order of the images; a fault names the source and line.
  package func posts() -> Promise<[Post]> {
    images().then { [self] in addAlbums(to: $0) }.then { [self] in addUsers(to: $0) }
  }

  /// Image with its album, and the album's place in its list.
  private struct Draft {
    var image: ImageRecord
    var album: AlbumRecord
    var albumIndex: Int
  }

  private func images() -> Promise<SourceList<ImageRecord>> { list(sources.images) }

  private func addAlbums(
    to images: SourceList<ImageRecord>
  ) -> Promise<(drafts: [Draft], albums: SourceList<AlbumRecord>)> {
    list(sources.albums).map { (albums: SourceList<AlbumRecord>) in
      _ = try Self.places(of: images) { $0.id }
      let places = try Self.places(of: albums) { $0.id }
      let drafts = try images.records.enumerated().map { index, image in
        guard let place = places[image.albumId] else {
          throw images.fault(at: index, "album \(image.albumId) isn't in \(albums.source)")
        }
        return Draft(image: image, album: albums.records[place], albumIndex: place)
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
        return Self.post(draft.image, draft.album, users.records[place])
      }
    }
  }

  private func list<Record: Decodable & Sendable>(_ address: String) -> Promise<SourceList<Record>> {
    get(address).map { try SourceList($0, source: address) }
  }

  /// Returns the place of each record by its number, which has to be unique.
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

  private static func post(_ image: ImageRecord, _ album: AlbumRecord, _ user: UserRecord) -> Post {
    Post(
      id: "post-\(image.id)", author: user.name, handle: user.username, album: album.title, title: image.title,
      text: image.text ?? "", image: image.url)
  }
}

/// Addresses of the three lists that posts are made from: file names relative to the feed's file, or http(s) addresses.
package struct FeedSources: Hashable, Sendable {
  /// Users: `id`, `name`, `username`.
  package var users: String
  /// Albums: `id`, `userId`, `title`.
  package var albums: String
  /// Images: `id`, `albumId`, `title`, and optionally `text` and `url`.
  package var images: String

  package init(users: String, albums: String, images: String) {
    self.users = users
    self.albums = albums
    self.images = images
  }
}

/// User in the list `users`.
struct UserRecord: Decodable, Hashable, Sendable {
  var id: Int
  var name: String
  var username: String
}

/// Album in the list `albums`.
struct AlbumRecord: Decodable, Hashable, Sendable {
  var id: Int
  var userId: Int
  var title: String
}

/// Image in the list `images`.
struct ImageRecord: Decodable, Hashable, Sendable {
  var id: Int
  var albumId: Int
  var title: String
  var text: String?
  var url: String?
}

/// Source that has been read: its records, and the line of each.
struct SourceList<Record: Decodable & Sendable>: Sendable {
  let source: String
  let records: [Record]
  private let bytes: [UInt8]

  /// Reads a JSON list; a fault names the line of the error.
  init(_ bytes: [UInt8], source: String) throws(Fault) {
    self.source = source
    self.bytes = bytes
    do {
      records = try JSONDecoder().decode([Record].self, from: Data(bytes))
    } catch let error as DecodingError {
      throw Self.fault(error, bytes, source)
    } catch {
      throw .request("feed-source-invalid", "\(source): \(error)")
    }
  }

  /// Returns the fault of a record that could be read but is inconsistent.
  func fault(at index: Int, _ problem: String) -> Fault {
    Self.fault(source, JSONLocator(bytes).line(of: [.index(index)]), problem)
  }

  private static func fault(_ error: DecodingError, _ bytes: [UInt8], _ source: String) -> Fault {
    let locator = JSONLocator(bytes)
    if let problem = locator.problem { return fault(source, problem.line, "not JSON: \(problem.text)") }
    switch error {
    case .keyNotFound(let key, let context):
      let place = steps(context.codingPath)
      return fault(source, locator.line(of: place), "\(name(place)) has no \(key.stringValue)")
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let place = steps(context.codingPath)
      return fault(source, locator.line(of: place), "\(name(place)) must be \(word(for: type))")
    case .dataCorrupted(let context):
      return fault(source, locator.line(of: steps(context.codingPath)), context.debugDescription)
    @unknown default: return fault(source, 1, "\(error)")
    }
  }

  private static func fault(_ source: String, _ line: Int, _ problem: String) -> Fault {
    .request("feed-source-invalid", "\(source):\(line): \(problem)")
  }

  private static func steps(_ path: [any CodingKey]) -> [JSONLocator.Step] {
    path.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) }
  }

  /// Returns the innermost name of the path, or else the record.
  private static func name(_ path: [JSONLocator.Step]) -> String {
    switch path.last {
    case .key(let key): key
    case .index(let index): "record \(index + 1)"
    case nil: "the source"
    }
  }

  private static func word(for type: Any.Type) -> String {
    if type == String.self { return "text" }
    if type == Int.self { return "a whole number" }
    return type is any Collection.Type && type != [String: Any].self ? "a list" : "an object"
  }
}
