internal import GRDB
package import Jobs

/// What a server has to remember: renders, what is to be told of them, and what mustn't be tried again.
///
/// SQLite in WAL mode with full synchronisation: what a call has returned from survives the process and the power.
package final class Store: Sendable {
  let pool: DatabasePool

  /// Opens the database in a folder, and brings an older one up to date.
  package init(folder: String) throws(Fault) {
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      pool = try DatabasePool(path: "\(folder)/galley.sqlite", configuration: configuration)
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
}
