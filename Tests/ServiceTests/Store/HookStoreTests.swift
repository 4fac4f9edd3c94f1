import ServiceStore
import Testing

@Suite struct HookStoreTests {
  private let scratch: Scratch
  private let store: Store

  init() async throws {
    scratch = try Scratch()
    store = try Store(folder: scratch.path)
    _ = try await store.accept(.sample("one"))
    var ending = Ending.completed(at: 100)
    ending.hook = .sample("msg_1")
    _ = try await store.end("one", ending)
  }

  @Test func isDueFromTheRendersEnd() async throws {
    #expect(try await store.hooks(due: 99, limit: 9) == [])
    #expect(try await store.hooks(due: 100, limit: 9).map(\.id) == ["msg_1"])
    #expect(try await store.nextHook(after: 0) == 100)
  }

  @Test func comesBackLaterWhenItFailed() async throws {
    try await store.failed("msg_1", problem: "refused", due: 500)
    #expect(try await store.hooks(due: 499, limit: 9) == [])
    #expect(try await store.hooks(due: 500, limit: 9).map(\.attempts) == [1])
  }

  @Test func isOverOnceDeliveredOrGivenUp() async throws {
    try await store.delivered("msg_1", at: 200)
    #expect(try await store.nextHook(after: 0) == nil)
    try await store.failed("msg_1", problem: "late", due: nil)
    #expect(try await store.hooks(due: 10_000, limit: 9) == [])
  }

  @Test func goesWithItsRender() async throws {
    #expect(try await store.forget("one"))
    #expect(try await store.nextHook(after: 0) == nil)
  }
}
