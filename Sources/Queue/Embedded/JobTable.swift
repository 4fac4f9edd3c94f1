internal import Core
internal import FoundationEssentials
internal import GRDB

/// The jobs of one machine on the disk; each change is whole or isn't there, and survives the power.
struct JobTable: Sendable {
  private let pool: DatabasePool

  init(_ path: String) throws(Fault) {
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      pool = try DatabasePool(path: path, configuration: configuration)
      var migrator = DatabaseMigrator()
      migrator.registerMigration("1") { try $0.execute(sql: Self.tables) }
      try migrator.migrate(pool)
    } catch {
      throw Self.fault(error)
    }
  }

  /// `number` orders jobs as they were accepted; `record` is the job as a whole, the other columns are to find it by.
  private static let tables = """
    CREATE TABLE job (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      status TEXT NOT NULL,
      kind TEXT NOT NULL,
      priority INTEGER NOT NULL,
      owner TEXT NOT NULL,
      created INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      record BLOB NOT NULL
    );
    CREATE INDEX jobByTurn ON job (status, kind, priority, number);
    CREATE TABLE jobKey (
      owner TEXT NOT NULL,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      job TEXT NOT NULL,
      PRIMARY KEY (owner, key)
    ) WITHOUT ROWID;
    CREATE TABLE jobLoss (
      content TEXT PRIMARY KEY,
      losses BLOB NOT NULL
    ) WITHOUT ROWID;
    """

  func close() { try? pool.close() }

  /// Keeps a job that waits, or finds the one that the same key or id stands for.
  func insert(_ record: JobRecord, key: JobKey?, most: Int) async throws(Fault) -> JobAcceptance {
    let bytes = Data(try record.bytes)
    return try await write { db in
      if let known = try Self.known(key, record.job.id, db) { return .known(id: known) }
      let waiting = try Int.fetchOne(db, sql: "SELECT count(*) FROM job WHERE status = 'queued'") ?? 0
      guard waiting < most else { throw Fault.engine("queue-full", "\(most) renders are waiting already") }
      let job = record.job
      try db.execute(
        sql: """
          INSERT INTO job (id, status, kind, priority, owner, created, revision, record)
          VALUES (?, 'queued', ?, ?, ?, ?, 1, ?)
          """,
        arguments: [job.id, JobKind(of: job).text, job.priority.rank, job.owner, job.created, bytes])
      if let key {
        try db.execute(
          sql: "INSERT INTO jobKey (owner, key, fingerprint, job) VALUES (?, ?, ?, ?)",
          arguments: [key.owner, key.key, key.fingerprint, job.id])
      }
      return .accepted
    }
  }

  private static func known(_ key: JobKey?, _ id: String, _ db: Database) throws -> String? {
    if let key,
      let row = try Row.fetchOne(
        db, sql: "SELECT fingerprint, job FROM jobKey WHERE owner = ? AND key = ?", arguments: [key.owner, key.key])
    {
      guard row["fingerprint"] == key.fingerprint else { throw JobKey.reused }
      return row["job"]
    }
    return try String.fetchOne(db, sql: "SELECT id FROM job WHERE id = ?", arguments: [id])
  }

  /// Hands out the job whose turn it is; those that aren't tried any more end on the way.
  func lease(_ capabilities: Capabilities, as worker: String, bounds: QueueBounds) async throws(Fault) -> Lease? {
    try await write { db in
      let kinds = try String.fetchAll(db, sql: "SELECT DISTINCT kind FROM job WHERE status = 'queued'")
        .filter { JobKind($0).map(capabilities.covers) ?? false }
      while let (record, revision) = try Self.next(kinds, db) {
        let losses = try Self.losses(record.job.content, db)
        switch record.turn(for: worker, ticket: Lease.newTicket(), losses: losses, bounds: bounds) {
        case .lease(let next):
          try Self.update(next, revision: revision, db)
          return Lease(next, revision: revision + 1)
        case .end(let next): try Self.update(next, revision: revision, db)
        // Columns and record are written together, so that none that waits has ended.
        case .drop: throw Fault.engine("store-failed", "the job \(record.job.id) waits and has ended")
        }
      }
      return nil
    }
  }

  /// The first of the highest priority of whose owner the fewest are under way.
  private static func next(_ kinds: [String], _ db: Database) throws -> (JobRecord, UInt64)? {
    guard !kinds.isEmpty else { return nil }
    let places = kinds.map { _ in "?" }.joined(separator: ", ")
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT record, revision FROM job WHERE status = 'queued' AND kind IN (\(places)) ORDER BY priority,
        (SELECT count(*) FROM job AS other WHERE other.status = 'running' AND other.owner = job.owner), number LIMIT 1
        """, arguments: StatementArguments(kinds))
    return try row.map { (try read($0["record"]), $0["revision"]) }
  }

  /// Writes a job that is still in that state; says whether it was.
  func update(_ record: JobRecord, revision: UInt64) async throws(Fault) -> Bool {
    try await write { db in try Self.update(record, revision: revision, db) }
  }

  @discardableResult
  private static func update(_ record: JobRecord, revision: UInt64, _ db: Database) throws -> Bool {
    try db.execute(
      sql: "UPDATE job SET status = ?, record = ?, revision = revision + 1 WHERE id = ? AND revision = ?",
      arguments: [record.status.rawValue, Data(try record.bytes), record.job.id, revision])
    return db.changesCount == 1
  }

  /// Jobs that are under way, and in which state.
  func running() async throws(Fault) -> [(id: String, revision: UInt64)] {
    try await read { db in
      try Row.fetchAll(db, sql: "SELECT id, revision FROM job WHERE status = 'running'").map {
        ($0["id"], $0["revision"])
      }
    }
  }

  /// Puts jobs back whose holders are lost, and counts that against their creatives: both or neither.
  func giveUp(_ jobs: [(id: String, revision: UInt64)], because reason: String) async throws(Fault) {
    guard !jobs.isEmpty else { return }
    try await write { db in
      for (id, revision) in jobs {
        guard let (record, now) = try Self.record(id, db), now == revision, record.status == .running else { continue }
        try Self.countLoss(of: record.job.content, cause: record.cause, reason: reason, db)
        try Self.update(record.requeued(), revision: revision, db)
      }
    }
  }

  func record(_ id: String) async throws(Fault) -> (record: JobRecord, revision: UInt64)? {
    try await read { try Self.record(id, $0) }
  }

  private static func record(_ id: String, _ db: Database) throws -> (record: JobRecord, revision: UInt64)? {
    let row = try Row.fetchOne(db, sql: "SELECT record, revision FROM job WHERE id = ?", arguments: [id])
    return try row.map { (try read($0["record"]), $0["revision"]) }
  }

  func countLoss(of content: String, cause: String, reason: String) async throws(Fault) -> Losses {
    try await write { try Self.countLoss(of: content, cause: cause, reason: reason, $0) }
  }

  @discardableResult
  private static func countLoss(of content: String, cause: String, reason: String, _ db: Database) throws -> Losses {
    var losses = try losses(content, db) ?? Losses()
    losses.add(cause, reason)
    try db.execute(
      sql: "INSERT INTO jobLoss (content, losses) VALUES (?, ?) ON CONFLICT DO UPDATE SET losses = excluded.losses",
      arguments: [content, Data(try JSONText.bytes(losses))])
    return losses
  }

  private static func losses(_ content: String, _ db: Database) throws -> Losses? {
    let bytes = try Data.fetchOne(db, sql: "SELECT losses FROM jobLoss WHERE content = ?", arguments: [content])
    return try bytes.map { try JSONDecoder().decode(Losses.self, from: $0) }
  }

  func forgetLosses(of content: String) async throws(Fault) {
    try await write { try $0.execute(sql: "DELETE FROM jobLoss WHERE content = ?", arguments: [content]) }
  }

  func counts() async throws(Fault) -> QueueCounts {
    try await read { db in
      var counts = QueueCounts()
      for row in try Row.fetchAll(
        db, sql: "SELECT kind, count(*) AS count FROM job WHERE status = 'queued' GROUP BY kind")
      {
        if let kind = JobKind(row["kind"] as String) { counts.waiting[kind] = row["count"] }
      }
      counts.leased = try Int.fetchOne(db, sql: "SELECT count(*) FROM job WHERE status = 'running'") ?? 0
      counts.oldest = try Int64.fetchOne(db, sql: "SELECT min(created) FROM job WHERE status = 'queued'")
      return counts
    }
  }

  private static func read(_ bytes: Data) throws -> JobRecord { try JSONDecoder().decode(JobRecord.self, from: bytes) }

  private func read<Value>(_ body: @Sendable @escaping (Database) throws -> Value) async throws(Fault) -> Value
  where Value: Sendable {
    do {
      return try await pool.read(body)
    } catch {
      throw Self.fault(error)
    }
  }

  private func write<Value>(_ body: @Sendable @escaping (Database) throws -> Value) async throws(Fault) -> Value
  where Value: Sendable {
    do {
      return try await pool.write(body)
    } catch {
      throw Self.fault(error)
    }
  }

  private static func fault(_ error: any Error) -> Fault {
    if let fault = error as? Fault { return fault }
    let isFull = (error as? DatabaseError)?.resultCode == .SQLITE_FULL
    return .engine(isFull ? "disk-full" : "store-failed", "the queue's database failed: \(error)")
  }
}

extension QueuedJob.Priority {
  /// Lower goes first.
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension JobKey {
  /// What is said to who uses a key for two requests.
  static let reused = Fault.request("idempotency-key-reused", "this Idempotency-Key was used for another request")
}
