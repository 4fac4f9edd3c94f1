import AdManager
import Core
import Feed
import Testing

@Suite struct PostLoaderTests {
  private static let users = """
    [{"id": 1, "name": "Ada Byron", "username": "ada"}, {"id": 2, "name": "Carl Linné", "username": "carl"}]
    """
  private static let albums = """
    [
      {"id": 10, "userId": 2, "title": "Herbarium"},
      {"id": 11, "userId": 1, "title": "Engines"}
    ]
    """
  private static let images = """
    [
      {"id": 100, "albumId": 11, "title": "Mill"},
      {"id": 101, "albumId": 10, "title": "Linnaea", "text": "Small.", "url": "linnaea.svg"}
    ]
    """

  private func ending(
    users: String = users, albums: String = albums, images: String = images
  ) -> Result<[Post], any Error>? {
    let files = ["u": users, "a": albums, "p": images]
    return PostLoader(sources: FeedSources(users: "u", albums: "a", images: "p")) { name in
      Promise(value: Array((files[name] ?? "").utf8))
    }.posts().result
  }

  private func message(of ending: Result<[Post], any Error>?) -> String? {
    if case .failure(let error as Fault) = ending { error.message } else { nil }
  }

  @Test func `posts are the pictures in their order, with album and author`() throws {
    let posts = try #require(try ending()?.get())
    #expect(posts.map(\.title) == ["Mill", "Linnaea"])
    #expect(posts.map(\.author) == ["Ada Byron", "Carl Linné"])
    #expect(posts.map(\.album) == ["Engines", "Herbarium"])
    #expect(posts[1].text == "Small." && posts[1].image == "linnaea.svg" && posts[0].image == nil)
  }

  @Test func `sources are asked for one after the other, and none after a failure`() {
    var asked: [String] = []
    let loader = PostLoader(sources: FeedSources(users: "u", albums: "a", images: "p")) { name in
      asked.append(name)
      return name == "a" ? Promise(error: AdError("down")) : Promise(value: Array(Self.images.utf8))
    }
    #expect(throws: AdError.self) { try loader.posts().result?.get() }
    #expect(asked == ["p", "a"])
  }

  @Test(arguments: [
    ("[\n  {\"id\": 1,\n   \"albumId\": \"x\", \"title\": \"t\"}\n]", "p:3: albumId must be a whole number"),
    ("[\n\n  {\"id\": 1, \"albumId\": 11}]", "p:3: record 1 has no title"),
    ("[\n  {\"id\": 1,\n}]", "p:3: not JSON: expected a name or text in quotes"),
    ("[1, 2", "p:1: not JSON: expected ,, found the end"),
    ("[\n{}]\nx", "p:3: not JSON: something stands after the end"),
    ("\n{}", "p:2: the source must be a list"),
    ("[\n{\"id\": 1, \"albumId\": 99, \"title\": \"t\"}]", "p:2: album 99 isn't in a"),
    ("[{\"id\": 1, \"albumId\": 11, \"title\": null}]", "p:1: title must be text"),
    (
      "[{\"id\": 1, \"albumId\": 11, \"title\": \"t\"},\n {\"id\": 1, \"albumId\": 11, \"title\": \"u\"}]",
      "p:2: id 1 stands twice"
    ),
    ("", "p:1: not JSON: it ends where a value is expected"),
  ])
  func `what is wrong with a source names its line`(images: String, expected: String) {
    #expect(message(of: ending(images: images)) == expected)
  }

  @Test func `what refers to nothing is named where it refers`() {
    let albums = "[{\"id\": 10, \"userId\": 2, \"title\": \"h\"},\n\n{\"id\": 11, \"userId\": 7, \"title\": \"e\"}]"
    #expect(message(of: ending(albums: albums)) == "a:3: user 7 isn't in u")
    let twice =
      "[{\"id\": 1, \"name\": \"A\", \"username\": \"a\"},\n {\"id\": 1, \"name\": \"B\", \"username\": \"b\"}]"
    #expect(message(of: ending(users: twice)) == "u:2: id 1 stands twice")
  }
}
