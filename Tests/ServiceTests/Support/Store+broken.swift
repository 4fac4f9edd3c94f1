import GRDB

@testable import ServiceStore

extension Store {
  /// Has every change of a table fail, as on a full disk.
  func breakDown(_ table: String = "render") async throws {
    try await write { db in
      for what in ["UPDATE", "INSERT"] {
        try db.execute(
          sql: "CREATE TRIGGER broken\(what) BEFORE \(what) ON \(table) BEGIN SELECT RAISE(ABORT, 'no room'); END")
      }
    }
  }

  /// Has them work again.
  func recover() async throws {
    try await write { db in for what in ["UPDATE", "INSERT"] { try db.execute(sql: "DROP TRIGGER broken\(what)") } }
  }

  /// Has it be as a later Galley left it.
  func grow() async throws {
    try await write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('later')") }
  }
}
