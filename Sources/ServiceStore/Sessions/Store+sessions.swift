internal import GRDB
package import Jobs

extension Store {
  /// Keeps a log-in by its hash, and forgets what has expired or is beyond the latest `most` of the same token.
  package func beginSession(
    _ hash: String, token: String, expires: Int64, at instant: Int64, most: Int
  ) async throws(Fault) {
    try await write { db in
      try db.execute(
        sql: """
          DELETE FROM session WHERE expires <= ? OR hash IN
          (SELECT hash FROM session WHERE token = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)
          """, arguments: [instant, token, most - 1])
      try db.execute(
        sql: "INSERT INTO session (hash, token, expires) VALUES (?, ?, ?)", arguments: [hash, token, expires])
    }
  }

  /// The hash of the token that a log-in stands for; nil for none, or one that is over.
  package func session(_ hash: String, at instant: Int64) async throws(Fault) -> String? {
    try await read {
      try String.fetchOne(
        $0, sql: "SELECT token FROM session WHERE hash = ? AND expires > ?", arguments: [hash, instant])
    }
  }

  /// Ends a log-in.
  package func endSession(_ hash: String) async throws(Fault) {
    try await write { try $0.execute(sql: "DELETE FROM session WHERE hash = ?", arguments: [hash]) }
  }
}
