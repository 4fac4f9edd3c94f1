import Core
import Foundation
import GRDB
import Logging
import RenderModel
import TestFolders
import Testing

@testable import Service

@Suite struct StoreTests {
  private let scratch: TestFolder
  private let store: Store

  init() throws {
    scratch = try TestFolder()
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
    try await next.requeueRunning()
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
    #expect(try await store.end("one", RenderCompletion(status: .failed, fault: fault, finished: 6)) == nil)
    #expect(try await store.render("one")?.finished == 5)
    try await store.start("one", at: 7)
    #expect(try await store.render("one")?.status == .completed)
  }

  @Test func keepsWhyARenderFailed() async throws {
    _ = try await store.accept(.sample("one"))
    let fault = Fault.creative("ad-load-failed", "no host")
    _ = try await store.end("one", RenderCompletion(status: .failed, fault: fault, finished: 6))
    #expect(try await store.render("one")?.fault == fault)
  }

  @Test func forgetsOnlyWhatHasEnded() async throws {
    _ = try await store.accept(.sample("one", key: "k"))
    #expect(try await store.forget("one") == false)
    _ = try await store.end("one", .completed(at: 5))
    #expect(try await store.forget("one"))
    #expect(try await store.render(owner: "a", key: "k") == nil)
  }

  @Test func tellsNamesThatAreNoRenders() async throws {
    let known = (0..<1001).map { "r-\($0)" }
    try await store.write { db in for id in known { _ = try AcceptRender(new: .sample(id)).apply(to: db) } }
    #expect(try await store.unknown(of: ["lost"] + known + ["tmp", ""]) == ["lost", "tmp", ""])
    #expect(try await store.unknown(of: []).isEmpty)
  }

  @Test func findsLabelsAndReviewsOfAnEarlierGalley() async throws {
    let earlier = try TestFolder()
    let pool = try DatabasePool(path: "\(earlier.path)/galley.sqlite")
    try Schema.migrator.migrate(pool, upTo: "5")
    try await pool.write { db in
      for number in 1...3 {
        try db.execute(
          sql: """
            INSERT INTO render (id, status, name, content, request, owner, created)
            VALUES ('r-\(number)', 'completed', 'banner', 'c', '{}', '\(number == 2 ? "b" : "a")', \(number));
            INSERT INTO label (render, name, value) VALUES ('r-\(number)', 'project', 'shop');
            INSERT INTO review (render, creative, variant, comparison, state, revision, facts)
            VALUES ('r-\(number)', 'banner-\(number)', 'v', 'changed', 'open', 1, '{}');
            """)
      }
    }
    try pool.close()
    let store = try Store(folder: earlier.path)
    let found = try await store.list(RenderFilter(labels: ["project": "shop"]), before: nil, limit: 2)
    #expect(found.rows.map(\.id) == ["r-3", "r-2"])
    let rest = try await store.list(RenderFilter(labels: ["project": "shop"]), before: found.next, limit: 2)
    #expect(rest.rows.map(\.id) == ["r-1"])
    #expect(try await store.reviews.open(owner: nil, most: 9) == ["r-3", "r-2", "r-1"])
    #expect(try await store.reviews.open(owner: "a", most: 9) == ["r-3", "r-1"])
    #expect(try await store.reviews.countOpen(owner: "b", most: 9) == 1)
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
    let other = try TestFolder()
    #expect(refusal(other.path, mayBegin: false) == "database-missing")
    #expect(other.text("galley.sqlite") == nil)
    _ = try other.write("galley.sqlite", "")
    #expect(refusal(other.path, mayBegin: false) == "database-missing")
    #expect(refusal(other.path, mayBegin: true) == nil)
    #expect(refusal(other.path, mayBegin: false) == nil)
    #expect(refusal(scratch.path, mayBegin: false) == nil)
  }
}

@Suite struct ListingTests {
  private let scratch: TestFolder
  private let store: Store

  init() async throws {
    scratch = try TestFolder()
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

@Suite struct LossTests {
  private let scratch: TestFolder
  private let store: Store

  init() throws {
    scratch = try TestFolder()
    store = try Store(folder: scratch.path)
  }

  private func loss(
    _ cause: String, render: String = "one", content: String = "c", recipe: String = "r", at timestamp: Int64 = 1
  ) -> CrashRecord {
    CrashRecord(
      content: content, recipe: recipe, render: render, cause: cause, reason: "by \(cause)", timestamp: timestamp)
  }

  @Test func countsUntilACreativeIsPardoned() async throws {
    #expect(try await store.losses.count(loss("a")) == 1)
    #expect(try await store.losses.count(loss("b", render: "two", recipe: "other", at: 2)) == 2)
    #expect(try await store.losses.known(of: "c")?.reason == "by b")
    #expect(try await store.losses.quarantine().map(\.content) == ["c"])
    #expect(try await store.losses.quarantine().first?.renders == ["one", "two"])
    #expect(try await store.losses.release("c"))
    #expect(try await store.losses.known(of: "c") == nil)
    #expect(try await store.losses.release("c") == false)
  }

  @Test func countsADeathThatHitSeveralRendersOfACreativeOnce() async throws {
    try await store.losses.requeueRunning(after: [
      loss("server"), loss("server", render: "two"), loss("server", content: "d"),
    ])
    #expect(try await store.losses.known(of: "c")?.count == 1)
    #expect(try await store.losses.known(of: "d")?.count == 1)
  }

  @Test func aCompletionTakesBackWhatTheSameRenderLostAndNothingElse() async throws {
    for cause in ["a", "b"] { _ = try await store.losses.count(loss(cause)) }
    _ = try await store.losses.count(loss("c", render: "under way"))
    _ = try await store.losses.count(loss("d", render: "one", recipe: "on another device"))
    try await store.losses.clear("one", content: "c", recipe: "r")
    #expect(try await store.losses.known(of: "c")?.count == 2)
  }

  @Test func aCompletionTakesBackWhatTheSameRequestLostBeforeItGaveUp() async throws {
    for id in ["failed", "cancelled", "quarantined", "running"] {
      _ = try await store.accept(.sample(id))
      _ = try await store.losses.count(loss(id, render: id))
      if let status = RenderStatus(rawValue: id), status.isFinal {
        _ = try await store.end(id, RenderCompletion(status: status, finished: 5))
      }
    }
    try await store.losses.clear("one", content: "c", recipe: "another")
    #expect(try await store.losses.known(of: "c")?.count == 4)
    try await store.losses.clear("one", content: "c", recipe: "r")
    #expect(try await store.losses.quarantine().first?.renders == ["quarantined", "running"])
  }
}

@Suite struct RetentionTests {
  private let scratch: TestFolder
  private let data: DataFolder
  private let store: Store

  /// Three renders of ten bytes that ended at 100, 200 and 300, and one that runs.
  init() async throws {
    scratch = try TestFolder()
    data = try DataFolder(scratch.path)
    store = try Store(folder: scratch.path)
    for (id, end) in [("a", 100), ("b", 200), ("c", 300), ("runs", nil)] as [(String, Int64?)] {
      _ = try await store.accept(.sample(id, created: 1))
      try BlobStore(data.blobs).adopt(try scratch.write("renders/\(id)/file", "0123456-\(id.prefix(2))"))
      if let end { _ = try await store.end(id, .completed(at: end)) }
    }
  }

  private func kept(days: Double = 1, bytes: Int64 = 1000, at timestamp: Int64) async throws -> [String] {
    try await Retention(
      store: store, data: data, days: days, bytes: bytes, losses: 3,
      log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ).look(at: timestamp)
    return try FileManager.default.contentsOfDirectory(atPath: data.renders).sorted()
  }

  @Test func removesWhatIsTooOld() async throws {
    #expect(try await kept(at: 86_400_000 + 250) == ["c", "runs"])
    #expect(try await store.ids() == ["c", "runs"])
  }

  @Test(
    arguments: [
      (37, ["a", "b", "c", "runs"]), (30, ["b", "c", "runs"]), (20, ["c", "runs"]), (0, ["runs"]),
    ] as [(Int64, [String])])
  func removesTheOldestUntilTheRestIsSmallEnough(_ bytes: Int64, _ left: [String]) async throws {
    #expect(try await kept(bytes: bytes, at: 1000) == left)
  }

  @Test func contentsOfSeveralRendersGoWithTheLastOfThem() async throws {
    for id in ["a", "b"] {
      try BlobStore(data.blobs).adopt(try scratch.write("renders/\(id)/more", "the same of both"))
    }
    // 16 bytes that neither frees alone, and 9 of each of them.
    #expect(try await kept(bytes: 45, at: 1000) == ["b", "c", "runs"])
    #expect(try await kept(bytes: 43, at: 1000) == ["c", "runs"])
  }

  @Test func forgetsOldLossesOfWhatIsStillTried() async throws {
    for (content, deaths) in [("tried", 2), ("quarantined", 3)] {
      for death in 1...deaths {
        let loss = CrashRecord(
          content: content, recipe: "r", render: "c", cause: "\(death)", reason: "killed", timestamp: Int64(death))
        _ = try await store.losses.count(loss)
      }
    }
    _ = try await kept(at: 1000)
    #expect(try await store.losses.quarantine().count == 2)
    _ = try await kept(at: 86_400_000 + 250)
    #expect(try await store.losses.quarantine().map(\.content) == ["quarantined"])
  }

  @Test func leavesAloneWhatIsWithinItsBounds() async throws {
    #expect(try await kept(at: 1000) == ["a", "b", "c", "runs"])
  }
}
