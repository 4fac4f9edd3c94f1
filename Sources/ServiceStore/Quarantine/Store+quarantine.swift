internal import GRDB
package import Jobs

extension Store {
  /// Counts a worker that died under a creative, and returns how many those are now.
  package func countLoss(of content: String, reason: String, at instant: Int64) async throws(Fault) -> Int {
    try await write { db in
      try db.execute(
        sql: """
          INSERT INTO quarantine (content, losses, reason, since) VALUES (?, 1, ?, ?)
          ON CONFLICT (content) DO UPDATE SET losses = losses + 1, reason = excluded.reason, since = excluded.since
          """, arguments: [content, reason, instant])
      return try Int.fetchOne(db, sql: "SELECT losses FROM quarantine WHERE content = ?", arguments: [content]) ?? 1
    }
  }

  /// Workers that a creative has cost, and how the last of them ended.
  package func losses(of content: String) async throws(Fault) -> (count: Int, reason: String)? {
    try await read { db in
      try Row.fetchOne(db, sql: "SELECT losses, reason FROM quarantine WHERE content = ?", arguments: [content]).map {
        ($0["losses"], $0["reason"])
      }
    }
  }

  /// Every creative under which workers died, the latest first.
  package func quarantine() async throws(Fault) -> [QuarantineRow] {
    try await read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM quarantine ORDER BY since DESC LIMIT 1000").map(QuarantineRow.init)
    }
  }

  /// Gives a creative another chance; says whether there was anything against it.
  @discardableResult package func pardon(_ content: String) async throws(Fault) -> Bool {
    try await write { db in
      try db.execute(sql: "DELETE FROM quarantine WHERE content = ?", arguments: [content])
      return db.changesCount == 1
    }
  }
}
