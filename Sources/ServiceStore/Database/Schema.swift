internal import GRDB

/// The tables, as a list of steps; a step that was released is never changed.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: first) }
    migrator.registerMigration("2") { try $0.execute(sql: losses) }
    migrator.registerMigration("3") { try $0.execute(sql: sessions) }
    return migrator
  }

  /// Instants are milliseconds since 1970. `number` orders renders as they were accepted.
  private static let first = """
    CREATE TABLE render (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      status TEXT NOT NULL,
      name TEXT NOT NULL,
      content TEXT NOT NULL,
      request TEXT NOT NULL,
      owner TEXT NOT NULL,
      created INTEGER NOT NULL,
      started INTEGER,
      finished INTEGER,
      attempts INTEGER NOT NULL DEFAULT 0,
      blame TEXT,
      code TEXT,
      message TEXT,
      summary TEXT
    );
    CREATE INDEX renderByStatus ON render (status, number);
    CREATE INDEX renderByFinish ON render (finished);
    CREATE TABLE idempotency (
      owner TEXT NOT NULL,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      render TEXT NOT NULL REFERENCES render (id) ON DELETE CASCADE,
      PRIMARY KEY (owner, key)
    ) WITHOUT ROWID;
    CREATE INDEX idempotencyByRender ON idempotency (render);
    CREATE TABLE hook (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      render TEXT NOT NULL REFERENCES render (id) ON DELETE CASCADE,
      address TEXT NOT NULL,
      body TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      due INTEGER,
      delivered INTEGER,
      problem TEXT
    );
    CREATE INDEX hookByDue ON hook (due);
    CREATE INDEX hookByRender ON hook (render);
    CREATE TABLE quarantine (
      content TEXT PRIMARY KEY,
      losses INTEGER NOT NULL,
      reason TEXT NOT NULL,
      since INTEGER NOT NULL
    ) WITHOUT ROWID;
    """

  /// One row for each render under which something died; what one death cost several renders has one cause.
  private static let losses = """
    CREATE TABLE loss (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      content TEXT NOT NULL,
      recipe TEXT NOT NULL,
      render TEXT NOT NULL,
      cause TEXT NOT NULL,
      reason TEXT NOT NULL,
      instant INTEGER NOT NULL
    );
    CREATE INDEX lossByContent ON loss (content);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
    INSERT INTO loss (content, recipe, render, cause, reason, instant)
      SELECT content, '', '', 'earlier-' || i, reason, since FROM quarantine JOIN n ON i <= losses WHERE losses >= 3;
    DROP TABLE quarantine;
    CREATE INDEX renderByOwner ON render (owner, number);
    """

  /// People's log-ins, and whose turn it is among receivers of webhooks; older webhooks have their whole address.
  private static let sessions = """
    CREATE TABLE session (
      hash TEXT PRIMARY KEY,
      token TEXT NOT NULL,
      expires INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX sessionByToken ON session (token, expires);
    ALTER TABLE hook ADD COLUMN receiver TEXT NOT NULL DEFAULT '';
    UPDATE hook SET receiver = address;
    """
}
