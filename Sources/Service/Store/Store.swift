internal import Core
internal import Foundation
internal import GRDB
internal import Synchronization

/// The database of a server, and the renders in it.
///
/// Reviews, webhooks, losses, links and sessions each have a type with their statements, such as `ReviewStore`.
///
/// It is SQLite in WAL mode, so committed changes survive crashes and power failures. A copy of the servers' shared
/// state may lose its latest changes in a power failure; they are applied again from the journal.
package final class Store: Sendable {
  let pool: DatabasePool
  /// The replica that submits changes to all servers of a queue; nil for a single server.
  private let replica = Mutex<Replica?>(nil)

  /// Opens the database in a folder and migrates an older one; a database of a later version is rejected.
  ///
  /// If `mayBegin` is false, a database without tables is rejected too, because there are results that it should
  /// contain. `isCopy` indicates that a journal has all its contents as well. `watch` receives each connection before
  /// its first use.
  init(
    folder: String, mayBegin: Bool = true, isCopy: Bool = false, watch: (@Sendable (Database) -> Void)? = nil
  ) throws(Fault) {
    let path = "\(folder)/galley.sqlite"
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      let synchronisation = isCopy ? "NORMAL" : "FULL"
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA synchronous = \(synchronisation)")
        watch?(db)
      }
      // Not even opened: that would make one, or throw away what else is left of it.
      if !mayBegin, !Self.hasContents(path) { throw Self.missing(path) }
      pool = try DatabasePool(path: path, configuration: configuration)
      let (isNew, isLater) = try pool.read { db in
        (try !db.tableExists("render"), try Schema.migrator.hasBeenSuperseded(db))
      }
      if isLater { throw Self.later(path) }
      if isNew, !mayBegin { throw Self.missing(path) }
      try Schema.migrator.migrate(pool)
    } catch {
      throw StoreFault.of(error)
    }
  }

  /// Reads from one consistent snapshot.
  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws(Fault) -> Value {
    do {
      return try await pool.read(body)
    } catch {
      throw StoreFault.of(error)
    }
  }

  /// Submits changes to all servers of a queue from now on.
  func follow(_ replica: Replica) { self.replica.withLock { $0 = replica } }

  /// Applies a change in one transaction, here or on all servers; returns its outcome on this one.
  func commit<Change: StoreChange>(_ change: Change) async throws(Fault) -> Change.Outcome {
    if let replica = replica.withLock({ $0 }) { return try await replica.commit(change) }
    return try await write { try change.apply(to: $0) }
  }

  /// A render that another server may have accepted just now; nil if there is none.
  func latest(_ id: String) async throws(Fault) -> RenderRow? {
    if let row = try await render(id) { return row }
    guard let replica = replica.withLock({ $0 }) else { return nil }
    try await replica.catchUp()
    return try await render(id)
  }

  /// Writes in one transaction.
  func write<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws(Fault) -> Value {
    do {
      return try await pool.write(body)
    } catch {
      throw StoreFault.of(error)
    }
  }

  private static func hasContents(_ path: String) -> Bool {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    return (size?.int64Value ?? 0) > 0
  }

  private static func later(_ path: String) -> Fault {
    .request(
      "database-newer",
      "\(path) was written by a newer Galley: use that version, or restore an older backup of the folder")
  }

  private static func missing(_ path: String) -> Fault {
    .request(
      "database-missing",
      "\(path) is missing or empty, but there are results beside it: restore it from a backup, or, to start over, "
        + "move the folders renders and blobs elsewhere")
  }
}

extension Database {
  /// Runs a statement that each connection compiles only once, since compiling takes longer than most changes.
  func run(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

/// Faults for errors of the database, whose origin is always the machine.
enum StoreFault {
  static func of(_ error: any Error) -> Fault {
    if let fault = error as? Fault { return fault }
    guard let error = error as? DatabaseError else { return .engine("store-failed", "the database failed: \(error)") }
    let reason = error.message ?? "SQLite's error \(error.extendedResultCode.rawValue)"
    return error.resultCode == .SQLITE_FULL
      ? .engine(.diskFull, "no disk space is left for the database: \(reason)")
      : .engine("store-failed", "the database failed: \(reason)")
  }
}
