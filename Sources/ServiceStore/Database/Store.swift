internal import Foundation
internal import GRDB
package import Jobs

/// What a server has to remember: renders, what is to be told of them, and what mustn't be tried again.
///
/// SQLite in WAL mode with full synchronisation: what a call has returned from survives the process and the power.
package final class Store: Sendable {
  let pool: DatabasePool

  /// Opens the database in a folder, and brings an older one up to date; a later one is refused.
  ///
  /// Where `mayBegin` is false, one without tables is refused as well: there were results that it ought to know.
  package init(folder: String, mayBegin: Bool = true) throws(Fault) {
    let path = "\(folder)/galley.sqlite"
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
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

  /// Reads in one consistent view.
  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws(Fault) -> Value {
    do {
      return try await pool.read(body)
    } catch {
      throw StoreFault.of(error)
    }
  }

  /// Writes all or nothing.
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
      "\(path) was written by a later Galley: start that one, or go back to a copy of the folder from before it")
  }

  private static func missing(_ path: String) -> Fault {
    .request(
      "database-missing",
      "\(path) is missing or empty, but there are results beside it: put it back from a backup, or, to begin anew, "
        + "move the folders renders and blobs elsewhere")
  }
}
