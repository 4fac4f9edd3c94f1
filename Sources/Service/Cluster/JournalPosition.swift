internal import Core
internal import GRDB

/// Position of a server's database in the journal, up to which the changes of all servers are applied.
struct JournalPosition: Sendable {
  let database: Store

  /// The position in the journal up to which this database has applied changes.
  func place() async throws(Fault) -> UInt64 {
    UInt64(clamping: try await database.read { try Int64.fetchOne($0, sql: "SELECT place FROM position") ?? 0 })
  }

  /// Binds a new database to the journal with an identity, or checks the binding of an existing one.
  ///
  /// - Throws: if the database follows another journal, or has renders from a server without a queue.
  func claim(journal: String) async throws(Fault) {
    try await database.write { db in
      if let known = try String.fetchOne(db, sql: "SELECT journal FROM position") {
        guard known == journal else {
          throw Fault.request("data-of-another-queue", "the folder belongs to another queue: choose another --data")
        }
        return
      }
      guard try Int.fetchOne(db, sql: "SELECT count(*) FROM render") == 0 else {
        throw Fault.request(
          "data-of-no-queue", "the folder belongs to a server without --queue: choose another --data")
      }
      try db.execute(sql: "INSERT INTO position (journal, place) VALUES (?, 0)", arguments: [journal])
    }
  }

  /// Rejects a folder that belongs to a server with a queue.
  func checkIsAlone() async throws(Fault) {
    guard try await database.read({ try Int.fetchOne($0, sql: "SELECT count(*) FROM position") ?? 0 }) == 0 else {
      throw .request("data-of-another-queue", "the folder belongs to a server with --queue: choose another --data")
    }
  }

  /// Number of journal positions for which applied changes are remembered; older changes are rejected.
  private static let memory: UInt64 = 50_000

  /// Records the ticket of a change; false if it was applied before, or is too old to be sure.
  private static func isFirst(_ signed: ChangeText.Signed, at place: UInt64, _ db: Database) throws -> Bool {
    guard signed.after < place, place - signed.after <= memory, signed.ticket.utf8.count <= 64 else { return false }
    try db.run(
      sql: "INSERT OR IGNORE INTO ticket (ticket, place) VALUES (?, ?)",
      arguments: [signed.ticket, Int64(clamping: place)])
    guard db.changesCount == 1 else { return false }
    if place % 1000 == 0 {
      try db.run(sql: "DELETE FROM ticket WHERE place < ?", arguments: [Int64(clamping: place) - Int64(memory) - 1000])
    }
    return true
  }

  /// Applies changes and stores the journal's position in one transaction. Nil stands for a rejected change.
  func apply(
    _ changes: [JournalMessage], through place: UInt64
  ) async throws(Fault) -> [Result<any Sendable, Fault>?] {
    try await database.write { db in
      var outcomes: [Result<any Sendable, Fault>?] = []
      for message in changes {
        guard let signed = message.signed, try Self.isFirst(signed, at: message.place, db) else {
          outcomes.append(nil)
          continue
        }
        let change = signed.change
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

extension Store {
  /// Position of the database in the journal.
  var position: JournalPosition { JournalPosition(database: self) }
}

/// A message of the journal; `signed` is nil if no server of the queue has signed it.
struct JournalMessage: Sendable {
  let place: UInt64
  let signed: ChangeText.Signed?
}

/// The typed outcome of a change.
struct MadeChange<Change: StoreChange>: Sendable {
  let value: Change.Outcome

  init(_ change: Change, _ db: Database) throws { value = try change.apply(to: db) }
}

extension StoreChange {
  fileprivate func made(in db: Database) throws -> any Sendable { try MadeChange(self, db) }
}
