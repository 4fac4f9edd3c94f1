import Jobs
import ServiceStore
import Testing

@Suite struct StoreTests {
  private let scratch: Scratch
  private let store: Store

  init() throws {
    scratch = try Scratch()
    store = try Store(folder: scratch.path)
  }

  private func row(_ acceptance: NewRender.Acceptance) -> RenderRow? {
    switch acceptance {
    case .accepted(let row), .known(let row): row
    case .conflict: nil
    }
  }

  @Test func remembersWhatAnEarlierServerAccepted() async throws {
    _ = try await store.accept(.sample("one"))
    _ = try await store.accept(.sample("two"))
    try await store.start("one", at: 2000)
    let next = try Store(folder: scratch.path)
    #expect(try await next.unfinished().map(\.id) == ["one", "two"])
    #expect(try await next.unfinished().map(\.status) == [.running, .queued])
    try await next.handBack()
    #expect(try await next.unfinished().map(\.status) == [.queued, .queued])
  }

  @Test func acceptsTheSameRequestUnderTheSameKeyOnce() async throws {
    let first = row(try await store.accept(.sample("one", key: "k")))
    #expect(try await store.accept(.sample("two", key: "k")) == .known(try #require(first)))
    #expect(try await store.render("two") == nil)
  }

  @Test func refusesAnotherRequestUnderTheSameKey() async throws {
    _ = try await store.accept(.sample("one", key: "k"))
    #expect(try await store.accept(.sample("two", key: "k", fingerprint: "g")) == .conflict)
  }

  @Test func keepsKeysOfOwnersApart() async throws {
    _ = try await store.accept(.sample("one", owner: "a", key: "k"))
    #expect(row(try await store.accept(.sample("two", owner: "b", key: "k")))?.id == "two")
  }

  @Test func endsARenderOnceAndForAll() async throws {
    _ = try await store.accept(.sample("one"))
    #expect(try await store.end("one", .completed(at: 5))?.status == .completed)
    let fault = Fault.engine("worker-died", "gone")
    #expect(try await store.end("one", Ending(status: .failed, fault: fault, finished: 6)) == nil)
    #expect(try await store.render("one")?.finished == 5)
    try await store.start("one", at: 7)
    #expect(try await store.render("one")?.status == .completed)
  }

  @Test func keepsWhyARenderFailed() async throws {
    _ = try await store.accept(.sample("one"))
    let fault = Fault.creative("load-failed", "no host")
    _ = try await store.end("one", Ending(status: .failed, fault: fault, finished: 6))
    #expect(try await store.render("one")?.fault == fault)
  }

  @Test func forgetsOnlyWhatHasEnded() async throws {
    _ = try await store.accept(.sample("one", key: "k"))
    #expect(try await store.forget("one") == false)
    _ = try await store.end("one", .completed(at: 5))
    #expect(try await store.forget("one"))
    #expect(try await store.render(owner: "a", key: "k") == nil)
  }

  /// The code with which a database is refused; nil when it is opened.
  private func refusal(_ folder: String, mayBegin: Bool) -> String? {
    do throws(Fault) {
      _ = try Store(folder: folder, mayBegin: mayBegin)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func refusesADatabaseOfALaterGalley() async throws {
    try await store.grow()
    #expect(refusal(scratch.path, mayBegin: true) == "database-newer")
  }

  @Test func beginsAnewOnlyWhereThereIsNothingYet() throws {
    let other = try Scratch()
    #expect(refusal(other.path, mayBegin: false) == "database-missing")
    #expect(other.read("galley.sqlite") == nil)
    _ = try other.write("galley.sqlite", "")
    #expect(refusal(other.path, mayBegin: false) == "database-missing")
    #expect(refusal(other.path, mayBegin: true) == nil)
    #expect(refusal(other.path, mayBegin: false) == nil)
    #expect(refusal(scratch.path, mayBegin: false) == nil)
  }
}
