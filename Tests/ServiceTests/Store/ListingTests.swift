import ServiceStore
import Testing

@Suite struct ListingTests {
  private let scratch: Scratch
  private let store: Store

  init() async throws {
    scratch = try Scratch()
    store = try Store(folder: scratch.path)
    for number in 1...5 {
      let new = NewRender.sample(
        "r\(number)", owner: number == 5 ? "b" : "a", created: Int64(number) * 100, name: "50%_\(number)")
      _ = try await store.accept(new)
    }
    _ = try await store.end("r2", .completed(at: 250))
  }

  @Test func pagesFromTheNewestToTheOldestWithoutGapsOrRepetitions() async throws {
    var seen: [String] = []
    var cursor: Int64?
    repeat {
      let page = try await store.list(RenderFilter(), before: cursor, limit: 2)
      seen += page.rows.map(\.id)
      cursor = page.next
      // What is accepted meanwhile belongs on a first page that was read already.
      _ = try await store.accept(.sample("new-\(seen.count)"))
    } while cursor != nil
    #expect(seen == ["r5", "r4", "r3", "r2", "r1"])
  }

  @Test(arguments: [
    (RenderFilter(statuses: [.completed]), ["r2"]), (RenderFilter(owner: "b"), ["r5"]),
    (RenderFilter(since: 300), ["r5", "r4", "r3"]), (RenderFilter(until: 200), ["r1"]),
    (RenderFilter(text: "_3"), ["r3"]), (RenderFilter(text: "%%"), []),
    (RenderFilter(statuses: [.queued], text: "50%"), ["r5", "r4", "r3", "r1"]),
  ])
  func showsWhatIsAskedFor(filter: RenderFilter, expected: [String]) async throws {
    #expect(try await store.list(filter, before: nil, limit: 50).rows.map(\.id) == expected)
  }

  @Test func listsWhatEndedLongAgo() async throws {
    #expect(try await store.ended(before: 250, limit: 10) == [])
    #expect(try await store.ended(before: 251, limit: 10) == ["r2"])
  }
}
