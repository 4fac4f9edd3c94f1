package import Core
internal import GRDB

extension Store {
  /// Counts a death against a creative, and returns how many those are now.
  package func count(_ loss: CrashRecord) async throws(Fault) -> Int { try await commit(CountLoss(loss: loss)) }

  /// Counts what an earlier server's death cost, and hands its renders back to the queue: both or neither.
  package func requeueRunning(after losses: [CrashRecord]) async throws(Fault) {
    try await commit(RequeueRenders(losses: losses))
  }

  /// Deaths that a creative has cost, and how the last of them came about.
  package func losses(of content: String) async throws(Fault) -> (count: Int, reason: String)? {
    try await read { db in
      try Row.fetchOne(db, sql: Self.suspects("WHERE content = ?"), arguments: [content]).map {
        ($0["losses"], $0["reason"])
      }
    }
  }

  /// Every creative under which something died, the latest first.
  package func quarantine() async throws(Fault) -> [QuarantineRow] {
    try await read { db in
      try Row.fetchAll(db, sql: "\(Self.suspects()) ORDER BY since DESC LIMIT 1000").map(QuarantineRow.init)
    }
  }

  /// Takes back what a render that completed has lost, and those before it that were asked for the same and gave up.
  ///
  /// What renders that are still under way have lost stays, and so does what was quarantined.
  package func clearCrashes(_ render: String, content: String, recipe: String) async throws(Fault) {
    try await commit(ClearLosses(render: render, content: content, recipe: recipe))
  }

  /// Gives a creative another chance; says whether there was anything against it.
  @discardableResult package func releaseFromQuarantine(_ content: String) async throws(Fault) -> Bool {
    try await commit(ReleaseCreative(content: content))
  }

  /// Forgets old losses of creatives that haven't cost `limit` of them.
  package func forgetCrashes(before timestamp: Int64, fewerThan limit: Int) async throws(Fault) {
    try await commit(ForgetLosses(timestamp: timestamp, limit: limit))
  }

  /// SQLite takes a bare column from the row that has the maximum: the reason is the last one.
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

/// A creative under which something died.
package struct QuarantineRow: Hashable, Sendable {
  /// What it is known by.
  package let content: String
  /// Deaths, each once.
  package let losses: Int
  /// How the last of them came about.
  package let reason: String
  /// The last loss, in milliseconds since 1970.
  package let since: Int64
  /// Ids of the renders that were hit, as far as they are known.
  package let renders: [String]

  init(_ row: Row) {
    content = row["content"]
    losses = row["losses"]
    reason = row["reason"]
    since = row["since"]
    renders = (row["renders"] as String? ?? "").split(separator: ",").map(String.init).sorted()
  }
}

/// A worker, or a whole server, that died while a creative was rendered.
package struct CrashRecord: Hashable, Sendable, Codable {
  /// What the creative is known by.
  package var content: String
  /// What was asked for of it: the same for renders that do the same.
  package var recipe: String
  package var render: String
  /// What died; the same for every render that one death hit, so that it counts once.
  package var cause: String
  package var reason: String
  /// In milliseconds since 1970.
  package var timestamp: Int64

  package init(content: String, recipe: String, render: String, cause: String, reason: String, timestamp: Int64) {
    (self.content, self.recipe, self.render) = (content, recipe, render)
    (self.cause, self.reason, self.timestamp) = (cause, reason, timestamp)
  }
}
