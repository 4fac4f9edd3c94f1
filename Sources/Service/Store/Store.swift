package import Core
internal import Foundation
internal import GRDB
internal import Synchronization

/// What a server has to remember: renders, what is to be told of them, and what mustn't be tried again.
///
/// SQLite in WAL mode: what a call has returned from survives the process and the power. A copy of what servers agree on
/// may lose its latest changes with the power, since the journal has them and the copy knows how far it is.
package final class Store: Sendable {
  let pool: DatabasePool
  /// Where several servers agree on what changes and in which order; nil where there is one.
  private let replica = Mutex<Replica?>(nil)

  /// Opens the database in a folder, and brings an older one up to date; a later one is refused.
  ///
  /// Where `mayBegin` is false, one without tables is refused as well: there were results that it ought to know.
  /// `isCopy` says that everything in it stands in a journal as well. `watch` sees each connection before it is used.
  init(
    folder: String, mayBegin: Bool = true, isCopy: Bool = false, watch: (@Sendable (Database) -> Void)? = nil
  ) throws(Fault) {
    let path = "\(folder)/galley.sqlite"
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      let synchronisation = isCopy ? "NORMAL" : "FULL"
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA synchronous = \(synchronisation)")
        watch?(db)
      }
      // Not even opened: that would make one, or throw away what else is left of it.
      if !mayBegin, !Self.hasContents(path) { throw Self.missing(path) }
      pool = try DatabasePool(path: path, configuration: configuration)
      let (isNew, isLater) = try pool.read { db in
        (try !db.tableExists("render"), try Schema.migrator.hasBeenSuperseded(db))
      }
      if isLater { throw Self.later(path) }
      if isNew, !mayBegin { throw Self.missing(path) }
      try Schema.migrator.migrate(pool)
    } catch {
      throw StoreFault.of(error)
    }
  }

  /// Reads in one consistent view.
  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws(Fault) -> Value {
    do {
      return try await pool.read(body)
    } catch {
      throw StoreFault.of(error)
    }
  }

  /// Has changes go by way of all servers from now on.
  func follow(_ replica: Replica) { self.replica.withLock { $0 = replica } }

  /// Makes a change, all of it or nothing, here or wherever else this is remembered; returns what came of it here.
  func commit<Change: StoreChange>(_ change: Change) async throws(Fault) -> Change.Outcome {
    if let replica = replica.withLock({ $0 }) { return try await replica.commit(change) }
    return try await write { try change.apply(to: $0) }
  }

  /// A render that another server may have accepted just now; nil when there is none.
  func latest(_ id: String) async throws(Fault) -> RenderRow? {
    if let row = try await render(id) { return row }
    guard let replica = replica.withLock({ $0 }) else { return nil }
    try await replica.catchUp()
    return try await render(id)
  }

  /// Writes all or nothing.
  func write<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws(Fault) -> Value {
    do {
      return try await pool.write(body)
    } catch {
      throw StoreFault.of(error)
    }
  }

  private static func hasContents(_ path: String) -> Bool {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    return (size?.int64Value ?? 0) > 0
  }

  private static func later(_ path: String) -> Fault {
    .request(
      "database-newer",
      "\(path) was written by a later Galley: start that one, or go back to a copy of the folder from before it")
  }

  private static func missing(_ path: String) -> Fault {
    .request(
      "database-missing",
      "\(path) is missing or empty, but there are results beside it: put it back from a backup, or, to begin anew, "
        + "move the folders renders and blobs elsewhere")
  }
}

extension Database {
  /// Runs a statement that each connection compiles once: to compile it takes longer than most changes themselves.
  func run(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

/// Whose fault it is when the database can't be used: always the machine's.
enum StoreFault {
  static func of(_ error: any Error) -> Fault {
    if let fault = error as? Fault { return fault }
    guard let error = error as? DatabaseError else { return .engine("store-failed", "the database failed: \(error)") }
    let reason = error.message ?? "SQLite's error \(error.extendedResultCode.rawValue)"
    return error.resultCode == .SQLITE_FULL
      ? .engine("disk-full", "there is no room left for the database: \(reason)")
      : .engine("store-failed", "the database failed: \(reason)")
  }
}

extension Store {
  /// Keeps a log-in by its hash, and forgets what has expired or is beyond the latest `most` of the same token.
  package func beginSession(
    _ hash: String, token: String, expires: Int64, at timestamp: Int64, most: Int
  ) async throws(Fault) {
    try await commit(BeginSession(hash: hash, token: token, expires: expires, timestamp: timestamp, most: most))
  }

  /// The hash of the token that a log-in stands for; nil for none, or one that is over.
  package func session(_ hash: String, at timestamp: Int64) async throws(Fault) -> String? {
    try await read {
      try String.fetchOne(
        $0, sql: "SELECT token FROM session WHERE hash = ? AND expires > ?", arguments: [hash, timestamp])
    }
  }

  /// Ends a log-in.
  package func endSession(_ hash: String) async throws(Fault) { try await commit(EndSession(hash: hash)) }
}

/// The tables, as a list of steps; a step that was released is never changed.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: first) }
    migrator.registerMigration("2") { try $0.execute(sql: losses) }
    migrator.registerMigration("3") { try $0.execute(sql: sessions) }
    migrator.registerMigration("4") { try $0.execute(sql: reviews) }
    migrator.registerMigration("5") { try $0.execute(sql: sharing) }
    migrator.registerMigration("6") { try $0.execute(sql: orders) }
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

  /// Labels, comparisons with baselines and decisions about them; decisions outlive the renders they are about.
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

  /// Where files of renders and comparisons are that servers share, and how far this one has followed their changes.
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

  /// What is asked for all day long is found in the order in which it is shown, however much there is besides.
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
}
