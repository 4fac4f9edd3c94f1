package import Core
internal import GRDB

extension Store {
  /// Hides an ended render from all lists, until it is restored; false if it doesn't exist or hasn't ended.
  ///
  /// Its idempotency key becomes free, so the same request leads to a new render.
  package func remove(_ id: String, at timestamp: Int64) async throws(Fault) -> Bool {
    try await commit(RemoveRender(id: id, timestamp: timestamp))
  }

  /// Restores a removed render; false if there is none.
  package func restore(_ id: String) async throws(Fault) -> Bool { try await commit(RestoreRender(id: id)) }

  /// Ids of renders removed before a given time, in the order of their removal.
  package func removed(before timestamp: Int64, limit: Int) async throws(Fault) -> [String] {
    try await read { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM render WHERE removed < ? ORDER BY removed LIMIT ?", arguments: [timestamp, limit])
    }
  }

  /// Inserts the labels of a render.
  ///
  /// - Parameter number: the render's number.
  static func insert(labels: [String: String], of render: String, _ number: Int64, _ db: Database) throws {
    for (name, value) in labels {
      try db.run(
        sql: "INSERT INTO label (render, name, value, number) VALUES (?, ?, ?, ?)",
        arguments: [render, name, value, number])
    }
  }

  static func insert(_ hook: RenderCompletion.Message, of render: String, due: Int64, _ db: Database) throws {
    try db.run(
      sql: "INSERT INTO hook (id, render, address, receiver, body, due) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [hook.id, render, hook.address, hook.receiver, hook.body, due])
  }
}
