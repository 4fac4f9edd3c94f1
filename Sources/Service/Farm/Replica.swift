internal import Core
internal import Foundation
internal import GRDB
internal import Logging
internal import Queue

/// A server's own copy of what all servers of a queue remember: it makes the journal's changes, each once and in order.
///
/// Whoever changes something waits until the change came back from the journal: what it returns is what came of it in
/// the order that holds for everybody.
actor Replica {
  /// A change that was made here, and what came of it.
  struct Made: Sendable {
    let change: any StoreChange
    let outcome: Result<any Sendable, Fault>
  }

  /// Changes that are made in one go.
  private static let most = 500
  /// How long a change may take to come back.
  private static let patience = Duration.seconds(30)
  private let journal: Journal
  private let store: Store
  private let log: Logger
  private var place: UInt64
  private var calls: [String: AsyncStream<Result<any Sendable, Fault>>.Continuation] = [:]
  private var arrivals: [(place: UInt64, arrived: AsyncStream<Void>.Continuation)] = []
  /// Why changes aren't made right now; nil while they are.
  private(set) var fault: Fault?
  /// Every change as it is made, in order.
  nonisolated let made: AsyncStream<Made>
  private let tell: AsyncStream<Made>.Continuation

  init(_ journal: Journal, _ store: Store, log: Logger) async throws(Fault) {
    (self.journal, self.store, self.log) = (journal, store, log)
    (made, tell) = AsyncStream.makeStream()
    place = try await store.place()
  }

  /// Has all servers make a change, and returns what came of it here.
  nonisolated func commit<Change: StoreChange>(_ change: Change) async throws(Fault) -> Change.Outcome {
    let ticket = UUID().uuidString
    let outcome = try await outcome(of: try ChangeText.bytes(change, ticket: ticket), ticket)
    guard let outcome = outcome as? MadeChange<Change> else {
      throw .engine("store-failed", "a change of the kind \(Change.kind) came to something else")
    }
    return outcome.value
  }

  private func outcome(of bytes: [UInt8], _ ticket: String) async throws(Fault) -> any Sendable {
    let (answers, answer) = AsyncStream.makeStream(
      of: Result<any Sendable, Fault>.self, bufferingPolicy: .bufferingNewest(1))
    // It may come back before the journal has said that it has it.
    calls[ticket] = answer
    defer { calls[ticket] = nil }
    do throws(Fault) {
      try await journal.append(bytes, ticket: ticket)
    } catch {
      throw error.code == "change-too-large" ? error : Self.unreachable(error)
    }
    let alarm = Task {
      if (try? await Task.sleep(for: Self.patience)) != nil { answer.finish() }
    }
    defer { alarm.cancel() }
    for await result in answers { return try result.get() }
    throw fault ?? .engine("queue-slow", "a change was kept, but wasn't made here within \(Self.patience)")
  }

  /// Codes of what isn't so for ever: the queue is away, or this server has to be updated.
  static let passing: Set = ["queue-unreachable", "queue-slow", "queue-busy", "journal-newer"]

  /// What a caller is told when the queue doesn't answer.
  static func unreachable(_ fault: Fault) -> Fault {
    .engine("queue-unreachable", "the queue can't be reached: \(fault.message)")
  }

  /// Waits until everything is made here that was in the journal when this was called.
  func catchUp() async throws(Fault) {
    let last: UInt64
    do throws(Fault) {
      last = try await journal.ends().last
    } catch {
      throw Self.unreachable(error)
    }
    guard last > place else { return }
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    self.arrivals.append((last, arrived))
    let alarm = Task {
      if (try? await Task.sleep(for: Self.patience)) != nil { arrived.finish() }
    }
    for await _ in arrivals {}
    alarm.cancel()
    guard place >= last else {
      throw fault ?? .engine("queue-slow", "changes of other servers didn't come within \(Self.patience)")
    }
  }

  /// Makes changes as they come, until the task is cancelled.
  func run() async {
    var pause = Duration.milliseconds(100)
    while !Task.isCancelled {
      do throws(Fault) {
        try await follow()
        pause = .milliseconds(100)
      } catch {
        if Task.isCancelled { break }
        if error.code != "journal-gap" || fault != nil {
          log.error("changes of other servers can't be followed", metadata: ["error": "\(error)"])
        }
        fault = error
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .seconds(5))
      }
    }
    tell.finish()
    for call in calls.values { call.finish() }
    for arrival in arrivals { arrival.arrived.finish() }
  }

  private func follow() async throws(Fault) {
    let ends = try await journal.ends()
    guard ends.last >= place, place + 1 >= ends.first else {
      throw .engine(
        "journal-differs",
        "this server has followed change \(place), and the queue has \(ends.first) to \(ends.last): start it anew")
    }
    let reader = try await journal.reader(after: place)
    fault = nil
    var silence = 0
    while !Task.isCancelled {
      let entries = try await reader.next(Self.most, after: place)
      if !entries.isEmpty {
        silence = 0
        try await make(entries)
        continue
      }
      silence += 1
      // A reader that a dying server of NATS left behind would be silent for ever.
      if silence >= 2, try await journal.ends().last > place {
        throw .engine("journal-gap", "there are changes after \(place) that didn't come")
      }
    }
  }

  private func make(_ entries: [Journal.Entry]) async throws(Fault) {
    var changes: [(change: any StoreChange, ticket: String)?] = []
    for entry in entries {
      let change = try ChangeText.read(entry.bytes)
      if change == nil { log.error("a message of the journal is no change", metadata: ["place": "\(entry.place)"]) }
      changes.append(change)
    }
    let last = entries.last?.place ?? place
    let known = changes
    let outcomes = try await store.make(known.map { $0?.change }, through: last)
    place = last
    for (change, outcome) in zip(changes, outcomes) {
      guard let change, let outcome else { continue }
      calls[change.ticket]?.yield(outcome)
      tell.yield(Made(change: change.change, outcome: outcome))
    }
    for arrival in arrivals where arrival.place <= place { arrival.arrived.finish() }
    arrivals.removeAll { $0.place <= place }
  }
}

/// What came of a change, of whose type it is.
private struct MadeChange<Change: StoreChange>: Sendable {
  let value: Change.Outcome

  init(_ change: Change, _ db: Database) throws { value = try change.apply(to: db) }
}

extension StoreChange {
  fileprivate func made(in db: Database) throws -> any Sendable { try MadeChange(self, db) }
}

extension Store {
  /// The place in the journal that this database has followed.
  func place() async throws(Fault) -> UInt64 {
    UInt64(clamping: try await read { try Int64.fetchOne($0, sql: "SELECT place FROM position") ?? 0 })
  }

  /// Whether the database follows the journal of this identity; one that never followed any does from now on, if new.
  func claim(journal: String) async throws(Fault) {
    try await write { db in
      if let known = try String.fetchOne(db, sql: "SELECT journal FROM position") {
        guard known == journal else {
          throw Fault.request("data-of-another-queue", "the folder belongs to another queue: choose another --data")
        }
        return
      }
      guard try Int.fetchOne(db, sql: "SELECT count(*) FROM render") == 0 else {
        throw Fault.request(
          "data-of-no-queue", "the folder is of a server that ran without --queue: choose another --data")
      }
      try db.execute(sql: "INSERT INTO position (journal, place) VALUES (?, 0)", arguments: [journal])
    }
  }

  /// Refuses a folder that a server with a queue kept.
  func checkIsAlone() async throws(Fault) {
    guard try await read({ try Int.fetchOne($0, sql: "SELECT count(*) FROM position") ?? 0 }) == 0 else {
      throw .request("data-of-another-queue", "the folder belongs to a server with --queue: choose another --data")
    }
  }

  /// Makes changes and notes how far they go: all of that or nothing. Nil stands for what is no change.
  fileprivate func make(
    _ changes: [(any StoreChange)?], through place: UInt64
  ) async throws(Fault) -> [Result<any Sendable, Fault>?] {
    try await write { db in
      var outcomes: [Result<any Sendable, Fault>?] = []
      for change in changes {
        guard let change else {
          outcomes.append(nil)
          continue
        }
        do {
          var outcome: any Sendable = ()
          try db.inSavepoint {
            outcome = try change.made(in: db)
            return .commit
          }
          outcomes.append(.success(outcome))
        } catch {
          // What fails for the change itself fails everywhere; what fails for this machine is tried again.
          if let error = error as? DatabaseError, error.resultCode != .SQLITE_CONSTRAINT { throw error }
          outcomes.append(.failure(StoreFault.of(error)))
        }
      }
      try db.run(sql: "UPDATE position SET place = ?", arguments: [Int64(clamping: place)])
      return outcomes
    }
  }
}
