package import Core
internal import GRDB

/// Sessions that were ended before their expiry.
package struct SessionStore: Sendable {
  let database: Store

  /// Indicates if a session was ended before its expiry.
  package func isEnded(_ hash: String) async throws(Fault) -> Bool {
    try await database.read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM session WHERE hash = ? AND token = '')", arguments: [hash])
        ?? false
    }
  }

  /// Ends a session before its expiry at `expires`.
  package func end(_ hash: String, expires: Int64, at timestamp: Int64) async throws(Fault) {
    try await database.commit(EndSession(hash: hash, expires: expires, timestamp: timestamp))
  }
}

extension Store {
  /// Sessions that were ended before their expiry.
  package var sessions: SessionStore { SessionStore(database: self) }
}

/// The end of a session before its expiry, remembered until the expiry.
struct EndSession: StoreChange {
  static let kind = "end-session"
  /// Maximum number of remembered ended sessions; those with the latest expiry are kept.
  private static let most = 100_000
  let hash: String
  let expires: Int64
  let timestamp: Int64

  func apply(to db: Database) throws {
    try db.run(
      sql: """
        DELETE FROM session WHERE expires <= ? OR hash IN (SELECT hash FROM session ORDER BY expires DESC LIMIT -1 OFFSET ?)
        """, arguments: [timestamp, Self.most - 1])
    try db.run(
      sql: "INSERT OR REPLACE INTO session (hash, token, expires) VALUES (?, '', ?)", arguments: [hash, expires])
  }
}
