internal import GRDB
package import Jobs

extension Store {
  /// What is due by an instant, longest waiting first.
  package func hooks(due instant: Int64, limit: Int) async throws(Fault) -> [Hook] {
    try await read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM hook WHERE due <= ? ORDER BY due, number LIMIT ?", arguments: [instant, limit]
      ).map(Hook.init)
    }
  }

  /// When the next one is due; nil when none is.
  package func nextHook() async throws(Fault) -> Int64? {
    try await read { try Int64.fetchOne($0, sql: "SELECT min(due) FROM hook WHERE due IS NOT NULL") }
  }

  /// Notes that it was taken: nothing more is due.
  package func delivered(_ hook: String, at instant: Int64) async throws(Fault) {
    try await write { db in
      try db.execute(
        sql: "UPDATE hook SET delivered = ?, due = NULL, problem = NULL, attempts = attempts + 1 WHERE id = ?",
        arguments: [instant, hook])
    }
  }

  /// Notes a failed attempt; `due` is nil when it was the last.
  package func failed(_ hook: String, problem: String, due: Int64?) async throws(Fault) {
    try await write { db in
      try db.execute(
        sql: "UPDATE hook SET due = ?, problem = ?, attempts = attempts + 1 WHERE id = ?",
        arguments: [due, problem, hook])
    }
  }
}
