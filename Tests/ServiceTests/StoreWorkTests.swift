import Core
import GRDB
import GRDBSQLite
import RenderModel
import Synchronization
import TestFolders
import Testing

@testable import Service

/// Cost of frequent database queries, which take the same number of SQLite's steps for any number of stored renders.
@Suite struct StoreWorkTests {
  /// Operation that a server does for each render, each page or each minute.
  enum Deed: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case accepts, starts, ends, findsLosses, forgives, forgets, counts, countsOnesOwn
    case lists, listsOneStatus, listsStatuses, listsWhatRuns, listsOnesOwn, listsALabel, listsARareLabel, listsLabels
    case listsWhatFailedOfALabel, listsWhatRunsOfALabel, listsAnotherPage
    case looksForOverdue, looksForHooks, looksForOld, countsReviews, listsReviews, listsOnesReviews

    var testDescription: String { rawValue }

    /// Runs the operation for the latest of this many renders, which is still running.
    func callAsFunction(_ store: Store, _ latest: Int) async throws {
      let id = "r-\(latest)"
      switch self {
      case .accepts: _ = try await store.accept(.numbered(latest + 1))
      case .starts: try await store.start(id, at: 5000)
      case .ends:
        let ending = RenderCompletion(status: .completed, finished: 6000, review: .open(of: id, name: "banner-1"))
        #expect(try await store.end(id, ending)?.status == .completed)
        #expect(try await store.reviews.review("r-1")?.state == .superseded)
        #expect(try await store.reviews.review("r-2")?.state == .open)
      case .findsLosses: #expect(try await store.losses.known(of: "c-r-1")?.count == 1)
      case .forgives: try await store.losses.clear("r-1", content: "c-r-1", recipe: "{}")
      case .forgets: #expect(try await store.forget("r-1"))
      case .lists: try await list(store) { _ in }
      case .listsOneStatus: try await list(store) { $0.statuses = [.completed] }
      case .listsStatuses: try await list(store) { $0.statuses = [.completed, .failed] }
      case .listsWhatRuns:
        try await list(store, 1) { ($0.statuses, $0.owner) = ([.queued, .running], "a") }
      case .listsOnesOwn: try await list(store) { $0.owner = "a" }
      case .listsALabel: try await list(store) { $0.labels = ["project": "shop"] }
      case .listsARareLabel: try await list(store, 1) { $0.labels = ["run": "1"] }
      case .listsLabels: try await list(store, 1) { $0.labels = ["branch": "main", "project": "shop", "a-run": "1"] }
      case .listsWhatFailedOfALabel:
        try await list(store, 10) { ($0.labels, $0.statuses) = (["project": "shop"], [.failed]) }
      case .listsWhatRunsOfALabel:
        try await list(store, 1) { ($0.labels, $0.statuses) = (["project": "shop"], [.running]) }
      case .listsAnotherPage: try await list(store, before: 45) { $0.labels = ["project": "shop"] }
      case .counts: #expect(try await store.countUnended()[.running] == 1)
      case .countsOnesOwn: #expect(try await store.unended(of: "a") == 1)
      case .looksForOverdue: #expect(try await store.overdue(at: 9000, limit: 50).isEmpty)
      case .looksForHooks: #expect(try await store.webhooks.due(at: 9000, limit: 10).isEmpty)
      case .looksForOld: #expect(try await store.ended(before: 1, limit: 10).isEmpty)
      case .countsReviews: #expect(try await store.reviews.countOpen(owner: nil, most: 30) == 30)
      case .listsReviews: #expect(try await store.reviews.open(owner: nil, most: 30).first == "r-\(latest - 1)")
      case .listsOnesReviews: #expect(try await store.reviews.open(owner: "b", most: 30).isEmpty)
      }
    }

    /// Lists the newest renders that match a filter, before a cursor.
    private func list(
      _ store: Store, _ count: Int = 20, before cursor: Int64? = nil, _ change: (inout RenderFilter) -> Void
    ) async throws {
      var filter = RenderFilter()
      change(&filter)
      let rows = try await store.list(filter, before: cursor, limit: count).rows
      #expect(rows.count == count)
      #expect(rows.map(\.number) == rows.map(\.number).sorted(by: >))
      #expect(rows.allSatisfy { $0.number < cursor ?? .max })
    }
  }

  @Test(arguments: Deed.allCases) func staysTheSame(_ deed: Deed) async throws {
    let few = try await steps(of: deed, among: 50)
    let many = try await steps(of: deed, among: 250)
    // A list of twenty may look at some more before it has them.
    #expect(many <= few * 2 + 100, "\(few) steps among 50 renders, \(many) among 250")
  }

  /// Does all of a server's operations for a render, up to its current state.
  private static func render(_ number: Int, isLatest: Bool, _ db: Database) throws {
    let (id, instant) = ("r-\(number)", Int64(number))
    _ = try AcceptRender(new: .numbered(number)).apply(to: db)
    try StartRender(id: id, timestamp: instant).apply(to: db)
    guard !isLatest else { return }
    let loss = CrashRecord(content: "c-\(id)", recipe: "{}", render: id, cause: id, reason: "it died", timestamp: 5)
    _ = try CountLoss(loss: loss).apply(to: db)
    let ending = RenderCompletion(
      status: number % 4 == 0 ? .failed : .completed, finished: instant,
      review: .open(of: id, name: "banner-\(number)"))
    _ = try EndRender(id: id, ending: ending).apply(to: db)
  }

  /// Returns the number of SQLite's virtual machine instructions, which is the same on any computer.
  private func steps(of deed: Deed, among count: Int) async throws -> Int {
    let scratch = try TestFolder()
    let counter = StepCounter()
    let store = try Store(folder: scratch.path, isCopy: true) { counter.watch($0) }
    try await store.write { db in for number in 1...count { try Self.render(number, isLatest: number == count, db) } }
    counter.begin()
    try await deed(store, count)
    return counter.count
  }
}

/// Counter of the instructions of all watched connections.
private final class StepCounter: Sendable {
  private struct State {
    var steps: Int?
    /// Addresses of the watched connections.
    var watched: [UInt] = []
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.steps ?? 0 } }

  func watch(_ db: Database) {
    let connection = UInt(bitPattern: db.sqliteConnection)
    let isCounting = state.withLock { state in
      state.watched.append(connection)
      return state.steps != nil
    }
    if isCounting { count(on: connection) }
  }

  /// Begins to count; no other task may use the connections meanwhile.
  func begin() {
    let watched = state.withLock { state in
      state.steps = 0
      return state.watched
    }
    for connection in watched { count(on: connection) }
  }

  private func count(on connection: UInt) {
    // It outlives the connections: the test holds it until its store is gone.
    sqlite3_progress_handler(
      OpaquePointer(bitPattern: connection), 1,
      { counter in
        guard let counter else { return 0 }
        Unmanaged<StepCounter>.fromOpaque(counter).takeUnretainedValue().state.withLock { $0.steps? += 1 }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

extension Review {
  /// Creates an open review.
  fileprivate static func open(of render: String, name: String) -> Review {
    var review = Review(of: render, name: name, nil, showing: ["default"])
    review.state = .open
    return review
  }
}

extension NewRender {
  fileprivate static func numbered(_ number: Int) -> NewRender {
    var new = NewRender.sample("r-\(number)", created: Int64(number), name: "banner-\(number)")
    new.labels = ["project": "shop", "branch": "main"]
    if number == 1 { (new.labels["run"], new.labels["a-run"]) = ("1", "1") }
    new.deadline = 8000
    return new
  }
}
