internal import GRDB

/// The schema as a list of migrations; a released migration is never changed.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: first) }
    migrator.registerMigration("2") { try $0.execute(sql: losses) }
    migrator.registerMigration("3") { try $0.execute(sql: sessions) }
    migrator.registerMigration("4") { try $0.execute(sql: reviews) }
    migrator.registerMigration("5") { try $0.execute(sql: sharing) }
    migrator.registerMigration("6") { try $0.execute(sql: orders) }
    migrator.registerMigration("7") { try $0.execute(sql: shares) }
    migrator.registerMigration("8") { try $0.execute(sql: tickets) }
    return migrator
  }

  /// The first tables. Times are milliseconds since 1970; `number` orders renders by their acceptance.
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

  /// Losses, one row for each affected render; rows of the same crash have the same cause.
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

  /// Sessions of users, and the receivers of webhooks. For older webhooks the whole address counts as the receiver.
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

  /// Labels, reviews and decisions; decisions are kept even after their renders are deleted.
  private static let reviews = """
    ALTER TABLE render ADD COLUMN removed INTEGER;
    CREATE INDEX renderByRemoval ON render (removed) WHERE removed IS NOT NULL;
    CREATE TABLE label (
      render TEXT NOT NULL REFERENCES render (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (render, name)
    ) WITHOUT ROWID;
    CREATE INDEX labelByValue ON label (name, value, render);
    CREATE TABLE review (
      render TEXT PRIMARY KEY REFERENCES render (id) ON DELETE CASCADE,
      creative TEXT NOT NULL,
      variant TEXT NOT NULL,
      comparison TEXT NOT NULL,
      state TEXT NOT NULL,
      revision INTEGER NOT NULL,
      against TEXT,
      facts TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX reviewByState ON review (state, creative, variant);
    CREATE TABLE decision (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      creative TEXT NOT NULL,
      variant TEXT NOT NULL,
      render TEXT,
      action TEXT NOT NULL,
      who TEXT NOT NULL,
      instant INTEGER NOT NULL,
      comment TEXT,
      parts TEXT,
      before TEXT,
      after TEXT,
      undoes INTEGER,
      undone INTEGER
    );
    CREATE INDEX decisionByKey ON decision (creative, variant, number);
    CREATE INDEX decisionByRender ON decision (render, number);
    """

  /// Contents shared by servers, and the position up to which this server has applied the journal.
  private static let sharing = """
    ALTER TABLE render ADD COLUMN file TEXT;
    ALTER TABLE render ADD COLUMN parcel TEXT;
    ALTER TABLE render ADD COLUMN deadline INTEGER;
    CREATE INDEX renderByDeadline ON render (deadline) WHERE status = 'queued';
    CREATE TABLE comparison (
      id TEXT PRIMARY KEY,
      parcel TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE baseline (
      creative TEXT NOT NULL,
      variant TEXT NOT NULL,
      manifest TEXT,
      PRIMARY KEY (creative, variant)
    ) WITHOUT ROWID;
    CREATE TABLE position (
      journal TEXT NOT NULL,
      place INTEGER NOT NULL
    );
    """

  /// Indexes for the most frequent queries, in the order of their results, so that their time doesn't depend on the
  /// table size.
  private static let orders = """
    CREATE INDEX renderUnended ON render (owner) WHERE status IN ('queued', 'running');
    ALTER TABLE label ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
    UPDATE label SET number = coalesce((SELECT number FROM render WHERE id = label.render), 0);
    DROP INDEX labelByValue;
    CREATE INDEX labelByValue ON label (name, value, number);
    ALTER TABLE review ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE review ADD COLUMN owner TEXT NOT NULL DEFAULT '';
    UPDATE review SET number = coalesce((SELECT number FROM render WHERE id = review.render), 0),
      owner = coalesce((SELECT owner FROM render WHERE id = review.render), '');
    CREATE INDEX reviewOpen ON review (number) WHERE state = 'open';
    CREATE INDEX reviewOpenByOwner ON review (owner, number) WHERE state = 'open';
    """

  /// Tickets of recent changes, so that none is applied twice. Of the sessions only ended ones are stored from here on.
  private static let tickets = """
    CREATE TABLE ticket (
      ticket TEXT PRIMARY KEY,
      place INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX ticketByPlace ON ticket (place);
    DELETE FROM session;
    """
}
