import Jobs
import ServiceStore
import Testing

@Suite struct LossTests {
  private let scratch: Scratch
  private let store: Store

  init() throws {
    scratch = try Scratch()
    store = try Store(folder: scratch.path)
  }

  private func loss(
    _ cause: String, render: String = "one", content: String = "c", recipe: String = "r", at instant: Int64 = 1
  ) -> Loss {
    Loss(content: content, recipe: recipe, render: render, cause: cause, reason: "by \(cause)", instant: instant)
  }

  @Test func countsUntilACreativeIsPardoned() async throws {
    #expect(try await store.count(loss("a")) == 1)
    #expect(try await store.count(loss("b", render: "two", recipe: "other", at: 2)) == 2)
    #expect(try await store.losses(of: "c")?.reason == "by b")
    #expect(try await store.quarantine().map(\.content) == ["c"])
    #expect(try await store.quarantine().first?.renders == ["one", "two"])
    #expect(try await store.pardon("c"))
    #expect(try await store.losses(of: "c") == nil)
    #expect(try await store.pardon("c") == false)
  }

  @Test func countsADeathThatHitSeveralRendersOfACreativeOnce() async throws {
    try await store.handBack(after: [loss("server"), loss("server", render: "two"), loss("server", content: "d")])
    #expect(try await store.losses(of: "c")?.count == 1)
    #expect(try await store.losses(of: "d")?.count == 1)
  }

  @Test func aCompletionTakesBackWhatTheSameRenderLostAndNothingElse() async throws {
    for cause in ["a", "b"] { _ = try await store.count(loss(cause)) }
    _ = try await store.count(loss("c", render: "under way"))
    _ = try await store.count(loss("d", render: "one", recipe: "on another device"))
    try await store.acquit("one", content: "c", recipe: "r")
    #expect(try await store.losses(of: "c")?.count == 2)
  }

  @Test func aCompletionTakesBackWhatTheSameRequestLostBeforeItGaveUp() async throws {
    for id in ["failed", "cancelled", "quarantined", "running"] {
      _ = try await store.accept(.sample(id))
      _ = try await store.count(loss(id, render: id))
      if let status = RenderStatus(rawValue: id), status.isFinal {
        _ = try await store.end(id, Ending(status: status, finished: 5))
      }
    }
    try await store.acquit("one", content: "c", recipe: "another")
    #expect(try await store.losses(of: "c")?.count == 4)
    try await store.acquit("one", content: "c", recipe: "r")
    #expect(try await store.quarantine().first?.renders == ["quarantined", "running"])
  }
}
