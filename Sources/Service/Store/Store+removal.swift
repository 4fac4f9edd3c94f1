package import Core
internal import GRDB

extension Store {
  /// Takes a render that has ended out of all lists, from where it can be brought back; says whether it was there.
  ///
  /// Its key stands for nothing any more: the same request is another render.
  package func remove(_ id: String, at timestamp: Int64) async throws(Fault) -> Bool {
    try await commit(RemoveRender(id: id, timestamp: timestamp))
  }

  /// Brings a removed render back; says whether there was one.
  package func restore(_ id: String) async throws(Fault) -> Bool { try await commit(RestoreRender(id: id)) }

  /// Ids of renders that were removed before an instant, the first removed first.
  package func removed(before timestamp: Int64, limit: Int) async throws(Fault) -> [String] {
    try await read { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM render WHERE removed < ? ORDER BY removed LIMIT ?", arguments: [timestamp, limit])
    }
  }

  /// `number` is the render's.
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
