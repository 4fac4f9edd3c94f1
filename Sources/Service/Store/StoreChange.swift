internal import Comparison
internal import Core
internal import FoundationEssentials
internal import GRDB
internal import RenderModel

/// One change of a server's state, as a value.
///
/// Servers that share a journal apply the same changes in the same order and so reach the same state. A change
/// therefore depends only on its members and the database, not on the clock, random numbers or files.
protocol StoreChange: Codable, Sendable {
  associatedtype Outcome: Sendable
  /// The name of the change in the journal; a released name is never used for another change.
  static var kind: String { get }

  /// True if its names are safe as parts of paths.
  var isSound: Bool { get }

  func apply(to db: Database) throws -> Outcome
}

/// A change in the journal's format: a line with a server's signature, then JSON.
enum ChangeText {
  /// The format version of changes; journals with later versions can't be followed.
  static let currentVersion = 2

  private struct Head: Codable {
    let version: Int
    let kind: String
    /// Unique ticket, by which the server that wrote the change finds the waiting call.
    let ticket: String
    /// The position up to which the server had applied the journal when it wrote the change.
    let after: UInt64
  }
  private struct Whole<Change: StoreChange>: Codable {
    let version: Int
    let kind: String
    let ticket: String
    let after: UInt64
    let change: Change
  }

  /// A change signed by a server of this queue.
  struct Signed: Sendable {
    let change: any StoreChange
    let ticket: String
    let after: UInt64
  }

  /// All kinds of changes. Their names are never reused; `begin-session` is a former one.
  private static let kinds: [any StoreChange.Type] = [
    AcceptRender.self, StartRender.self, RequeueRenders.self, EndRender.self, ForgetRender.self, RemoveRender.self,
    RestoreRender.self, NoteDelivery.self, CountLoss.self, ClearLosses.self, ReleaseCreative.self, ForgetLosses.self,
    UpdateReview.self, KeepDecision.self, EndSession.self, SetBaseline.self, KeepComparison.self,
    KeepShare.self, EndShare.self,
  ]
  private static let types = Dictionary(kinds.map { ($0.kind, $0) }, uniquingKeysWith: { $1 })
  private static let purpose = "change"

  static func bytes<Change: StoreChange>(
    _ change: Change, ticket: String, after: UInt64, key: SigningKey
  ) throws(Fault) -> [UInt8] {
    let whole = Whole(
      version: currentVersion, kind: Change.kind, ticket: ticket, after: after, change: change)
    guard change.isSound, let bytes = try? JSONText.bytes(whole) else {
      throw .engine("data-failed", "a change of the kind \(Change.kind) can't be stored")
    }
    return Array(key.signature(purpose, bytes).utf8) + [10] + bytes
  }

  /// Reads a change; nil for bytes that no server of this queue has signed, or that don't contain a valid change.
  ///
  /// - Throws: `journal-newer` for a change of a later Galley, since skipping it would make this server's state differ.
  static func read(_ bytes: [UInt8], key: SigningKey) throws(Fault) -> Signed? {
    guard let end = bytes.prefix(65).firstIndex(of: 10) else { return nil }
    let text = Array(bytes[(end + 1)...])
    guard key.holds(String(decoding: bytes[..<end], as: UTF8.self), purpose, text),
      let head = try? JSONDecoder().decode(Head.self, from: Data(text))
    else { return nil }
    guard head.version <= currentVersion else {
      throw .engine(.journalNewer, "a newer Galley uses this queue: update this server")
    }
    guard let type = types[head.kind], let change = read(type, Data(text)), change.isSound else { return nil }
    return Signed(change: change, ticket: head.ticket, after: head.after)
  }

  private static func read<Change: StoreChange>(_: Change.Type, _ data: Data) -> (any StoreChange)? {
    try? JSONDecoder().decode(Whole<Change>.self, from: data).change
  }
}

struct AcceptRender: StoreChange {
  static let kind = "accept"
  let new: NewRender

  func apply(to db: Database) throws -> NewRender.Acceptance {
    if let known = new.idempotency,
      let row = try Row.fetchOne(
        db, sql: "SELECT fingerprint, render FROM idempotency WHERE owner = ? AND key = ?",
        arguments: [new.owner, known.key])
    {
      guard row["fingerprint"] == known.fingerprint else { return .conflict }
      return try Store.row(row["render"], db).map { .known($0) } ?? .conflict
    }
    try db.run(
      sql: """
        INSERT INTO render (id, status, name, content, request, owner, created, file, deadline)
        VALUES (?, 'queued', ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [new.id, new.name, new.content, new.request, new.owner, new.created, new.file, new.deadline])
    try Store.insert(labels: new.labels, of: new.id, db.lastInsertedRowID, db)
    if let key = new.idempotency {
      try db.run(
        sql: "INSERT INTO idempotency (owner, key, fingerprint, render) VALUES (?, ?, ?, ?)",
        arguments: [new.owner, key.key, key.fingerprint, new.id])
    }
    guard let row = try Store.row(new.id, db) else {
      throw Fault.engine("store-failed", "a render that was just stored is missing")
    }
    return .accepted(row)
  }
}

struct StartRender: StoreChange {
  static let kind = "start"
  let id: String
  let timestamp: Int64

  func apply(to db: Database) throws {
    try db.run(
      sql: """
        UPDATE render SET status = 'running', started = coalesce(started, ?), attempts = attempts + 1
        WHERE id = ? AND status IN ('queued', 'running')
        """, arguments: [timestamp, id])
  }
}

struct RequeueRenders: StoreChange {
  static let kind = "requeue"
  let losses: [CrashRecord]

  func apply(to db: Database) throws {
    for loss in losses { try LossStore.insert(loss, db) }
    try db.run(sql: "UPDATE render SET status = 'queued' WHERE status = 'running'")
  }
}

struct EndRender: StoreChange {
  static let kind = "end"
  let id: String
  let ending: RenderCompletion

  func apply(to db: Database) throws -> RenderRow? {
    try db.run(
      sql: """
        UPDATE render SET status = ?, finished = ?, blame = ?, code = ?, message = ?, summary = ?, parcel = ?
        WHERE id = ? AND status IN ('queued', 'running')
        """,
      arguments: [
        ending.status.rawValue, ending.finished, ending.fault?.origin.rawValue, ending.fault?.code,
        ending.fault?.message, ending.summary, ending.parcel, id,
      ])
    guard db.changesCount == 1 else { return nil }
    if let hook = ending.hook { try WebhookStore.insert(hook, of: id, due: ending.finished, db) }
    if let review = ending.review { try ReviewStore.begin(review, db) }
    return try Store.row(id, db)
  }
}

struct ForgetRender: StoreChange {
  static let kind = "forget"
  let id: String

  func apply(to db: Database) throws -> Bool {
    try db.run(sql: "DELETE FROM render WHERE id = ? AND status NOT IN ('queued', 'running')", arguments: [id])
    return db.changesCount == 1
  }
}

struct RemoveRender: StoreChange {
  static let kind = "remove"
  let id: String
  let timestamp: Int64

  func apply(to db: Database) throws -> Bool {
    try db.run(
      sql: "UPDATE render SET removed = ? WHERE id = ? AND removed IS NULL AND status NOT IN ('queued', 'running')",
      arguments: [timestamp, id])
    guard db.changesCount == 1 else { return false }
    try db.run(sql: "DELETE FROM idempotency WHERE render = ?", arguments: [id])
    return true
  }
}

struct RestoreRender: StoreChange {
  static let kind = "restore"
  let id: String

  func apply(to db: Database) throws -> Bool {
    try db.run(sql: "UPDATE render SET removed = NULL WHERE id = ? AND removed IS NOT NULL", arguments: [id])
    return db.changesCount == 1
  }
}
