package import Core
internal import GRDB

/// Losses of workers and servers under creatives, by which creatives are quarantined.
package struct LossStore: Sendable {
  let database: Store

  /// Records a loss for a creative, and returns its number of losses.
  package func count(_ loss: CrashRecord) async throws(Fault) -> Int {
    try await database.commit(CountLoss(loss: loss))
  }

  /// Records the losses of a crashed server and queues its renders again, in one transaction.
  package func requeueRunning(after losses: [CrashRecord]) async throws(Fault) {
    try await database.commit(RequeueRenders(losses: losses))
  }

  /// Number of losses of a creative and the reason of the last one; nil if there are none.
  package func known(of content: String) async throws(Fault) -> (count: Int, reason: String)? {
    try await database.read { db in
      try Row.fetchOne(db, sql: Self.suspects("WHERE content = ?"), arguments: [content]).map {
        ($0["losses"], $0["reason"])
      }
    }
  }

  /// Every creative with losses, the latest first.
  package func quarantine() async throws(Fault) -> [QuarantineRow] {
    try await database.read { db in
      try Row.fetchAll(db, sql: "\(Self.suspects()) ORDER BY since DESC LIMIT 1000").map(QuarantineRow.init)
    }
  }

  /// Removes the losses of a completed render, and those of failed or cancelled renders with the same recipe.
  ///
  /// Losses of renders still in progress and of quarantined ones stay.
  package func clear(_ render: String, content: String, recipe: String) async throws(Fault) {
    try await database.commit(ClearLosses(render: render, content: content, recipe: recipe))
  }

  /// Removes all losses of a creative; false if there were none.
  @discardableResult package func release(_ content: String) async throws(Fault) -> Bool {
    try await database.commit(ReleaseCreative(content: content))
  }

  /// Removes old losses of creatives with fewer than `limit`.
  package func forget(before timestamp: Int64, fewerThan limit: Int) async throws(Fault) {
    try await database.commit(ForgetLosses(timestamp: timestamp, limit: limit))
  }

  /// SQL for creatives with losses.
  ///
  /// SQLite takes the bare column `reason` from the row with the maximum, so it is the last reason.
  private static func suspects(_ condition: String = "") -> String {
    """
    SELECT content, count(DISTINCT cause) AS losses, reason, max(instant) AS since,
    group_concat(DISTINCT render) AS renders FROM loss \(condition) GROUP BY content
    """
  }

  static func insert(_ loss: CrashRecord, _ db: Database) throws {
    try db.run(
      sql: "INSERT INTO loss (content, recipe, render, cause, reason, instant) VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [loss.content, loss.recipe, loss.render, loss.cause, loss.reason, loss.timestamp])
  }
}

extension Store {
  /// Losses of workers and servers under creatives.
  package var losses: LossStore { LossStore(database: self) }
}

/// A creative with losses.
package struct QuarantineRow: Hashable, Sendable {
  /// Identity of the creative: its SHA-256, or that of its address.
  package let content: String
  /// Number of losses with different causes.
  package let losses: Int
  /// Reason of the last loss.
  package let reason: String
  /// Time of the last loss, in milliseconds since 1970.
  package let since: Int64
  /// Ids of the affected renders, as far as they are known.
  package let renders: [String]

  init(_ row: Row) {
    content = row["content"]
    losses = row["losses"]
    reason = row["reason"]
    since = row["since"]
    renders = (row["renders"] as String? ?? "").split(separator: ",").map(String.init).sorted()
  }
}

/// Loss of a worker, or of a whole server, while a creative was rendered.
package struct CrashRecord: Hashable, Sendable, Codable {
  /// Identity of the creative: its SHA-256, or that of its address.
  package var content: String
  /// Hash of the request's rendering parameters, equal for requests that treat a creative in the same way.
  package var recipe: String
  package var render: String
  /// Identity of the crash, equal for all renders affected by it, so that it counts once.
  package var cause: String
  package var reason: String
  /// Time in milliseconds since 1970.
  package var timestamp: Int64

  package init(content: String, recipe: String, render: String, cause: String, reason: String, timestamp: Int64) {
    (self.content, self.recipe, self.render) = (content, recipe, render)
    (self.cause, self.reason, self.timestamp) = (cause, reason, timestamp)
  }
}

struct CountLoss: StoreChange {
  static let kind = "loss"
  let loss: CrashRecord

  func apply(to db: Database) throws -> Int {
    try LossStore.insert(loss, db)
    return try Int.fetchOne(
      db, sql: "SELECT count(DISTINCT cause) FROM loss WHERE content = ?", arguments: [loss.content]) ?? 1
  }
}

struct ClearLosses: StoreChange {
  static let kind = "clear-losses"
  let render: String
  let content: String
  let recipe: String

  func apply(to db: Database) throws {
    try db.run(
      sql: """
        DELETE FROM loss WHERE content = ? AND recipe = ?
        AND (render = ? OR EXISTS (
          SELECT 1 FROM render AS other WHERE other.id = loss.render AND other.status IN ('failed', 'cancelled')))
        """, arguments: [content, recipe, render])
  }
}

struct ReleaseCreative: StoreChange {
  static let kind = "release"
  let content: String

  func apply(to db: Database) throws -> Bool {
    try db.run(sql: "DELETE FROM loss WHERE content = ?", arguments: [content])
    return db.changesCount > 0
  }
}

struct ForgetLosses: StoreChange {
  static let kind = "forget-losses"
  let timestamp: Int64
  let limit: Int

  func apply(to db: Database) throws {
    try db.run(
      sql: """
        DELETE FROM loss WHERE instant < ? AND content IN
        (SELECT content FROM loss GROUP BY content HAVING count(DISTINCT cause) < ?)
        """, arguments: [timestamp, limit])
  }
}
