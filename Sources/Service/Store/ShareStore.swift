internal import Core
internal import GRDB

/// A link to a render, without its secret part, for users who may create links.
struct GivenShare: Hashable, Sendable, Codable {
  let id: String
  let render: String
  /// The name of the token that created it.
  let owner: String
  /// Times in milliseconds since 1970.
  let created: Int64
  let expires: Int64
}

/// Stores a new link, so that it can be listed and revoked; false if the render has the maximum number already.
struct KeepShare: StoreChange {
  static let kind = "keep-share"
  let share: GivenShare
  /// Maximum number of valid links of a render.
  let most: Int

  func apply(to db: Database) throws -> Bool {
    try db.run(
      sql: "DELETE FROM share WHERE render = ? AND expires <= ?", arguments: [share.render, share.created])
    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM share WHERE render = ?", arguments: [share.render])
    guard count ?? 0 < most else { return false }
    try db.run(
      sql: """
        INSERT OR IGNORE INTO share (render, id, owner, created, expires)
        SELECT id, ?, ?, ?, ? FROM render WHERE id = ?
        """, arguments: [share.id, share.owner, share.created, share.expires, share.render])
    return true
  }
}

/// Revokes a link, or all links of a render. An unknown link, created before links were stored, is stored as revoked.
struct EndShare: StoreChange {
  static let kind = "end-share"
  let render: String
  /// The link's id; nil for all known links.
  let id: String?
  let owner: String
  let timestamp: Int64
  /// Latest possible expiry of an unknown link.
  let expires: Int64
  /// Maximum number of links stored for a render.
  let most: Int

  func apply(to db: Database) throws -> Bool {
    try db.run(
      sql: "UPDATE share SET ended = ? WHERE render = ? AND ended IS NULL AND (id = ? OR ? IS NULL)",
      arguments: [timestamp, render, id, id])
    guard let id, db.changesCount == 0 else { return true }
    try db.run(
      sql: """
        INSERT OR IGNORE INTO share (render, id, owner, created, expires, ended)
        SELECT id, ?, ?, ?, ?, ? FROM render
        WHERE id = ? AND (SELECT count(*) FROM share WHERE share.render = render.id) < ?
        """, arguments: [id, owner, timestamp, expires, timestamp, render, most])
    return try ShareStore.isEnded(id, of: render, db)
  }
}

/// Links to renders that users created.
struct ShareStore: Sendable {
  let database: Store

  /// Valid links of a render at a given time, oldest first.
  func valid(of render: String, at timestamp: Int64) async throws(Fault) -> [GivenShare] {
    try await database.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT * FROM share WHERE render = ? AND ended IS NULL AND expires > ? ORDER BY created, id",
        arguments: [render, timestamp]
      ).map { row in
        GivenShare(
          id: row["id"], render: row["render"], owner: row["owner"], created: row["created"], expires: row["expires"])
      }
    }
  }

  /// Indicates if a link was revoked.
  func isEnded(_ id: String, of render: String) async throws(Fault) -> Bool {
    try await database.read { try Self.isEnded(id, of: render, $0) }
  }

  fileprivate static func isEnded(_ id: String, of render: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT ended IS NOT NULL FROM share WHERE render = ? AND id = ?", arguments: [render, id]) ?? false
  }
}

extension Store {
  /// Links to renders that users created.
  var shares: ShareStore { ShareStore(database: self) }
}

extension Schema {
  /// Links to renders, including revoked ones.
  static let shares = """
    CREATE TABLE share (
      render TEXT NOT NULL REFERENCES render (id) ON DELETE CASCADE,
      id TEXT NOT NULL,
      owner TEXT NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL,
      ended INTEGER,
      PRIMARY KEY (render, id)
    ) WITHOUT ROWID;
    """
}
