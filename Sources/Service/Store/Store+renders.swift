package import Core
internal import GRDB

extension Store {
  /// Accepts a render, or finds the one that the same key stands for.
  package func accept(_ new: NewRender) async throws(Fault) -> NewRender.Acceptance {
    try await commit(AcceptRender(new: new))
  }

  /// The render a key stands for, and what was asked for then.
  package func render(
    owner: String, key: String
  ) async throws(Fault) -> (row: RenderRow, fingerprint: String)? {
    try await read { db in
      let known = try Row.fetchOne(
        db, sql: "SELECT fingerprint, render FROM idempotency WHERE owner = ? AND key = ?", arguments: [owner, key])
      guard let known, let row = try Self.row(known["render"], db) else { return nil }
      return (row, known["fingerprint"])
    }
  }

  /// The render of an id; nil when there is none.
  package func render(_ id: String) async throws(Fault) -> RenderRow? {
    try await read { try Self.row(id, $0) }
  }

  /// What a server that starts has to take up again, oldest first.
  package func unfinished() async throws(Fault) -> [RenderRow] {
    try await read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM render WHERE status IN ('queued', 'running') ORDER BY number").map(
        RenderRow.init)
    }
  }

  /// Notes that a worker took a render up; nothing happens to one that has ended.
  package func start(_ id: String, at timestamp: Int64) async throws(Fault) {
    try await commit(StartRender(id: id, timestamp: timestamp))
  }

  /// Hands renders that nobody works on any more back to the queue.
  package func requeueRunning() async throws(Fault) { try await commit(RequeueRenders(losses: [])) }

  /// Ends a render once and for all; nil when it had ended before, which changes nothing.
  package func end(_ id: String, _ ending: RenderCompletion) async throws(Fault) -> RenderRow? {
    try await commit(EndRender(id: id, ending: ending))
  }

  /// Forgets a render that has ended, and everything about it; says whether it was there.
  @discardableResult package func forget(_ id: String) async throws(Fault) -> Bool {
    try await commit(ForgetRender(id: id))
  }

  /// How many renders stand where.
  package func counts() async throws(Fault) -> [RenderStatus: Int] {
    try await read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT status, count(*) AS count FROM render GROUP BY status")
      return rows.reduce(into: [:]) { counts, row in
        if let status = RenderStatus(rawValue: row["status"]) { counts[status] = row["count"] }
      }
    }
  }

  static func row(_ id: String, _ db: Database) throws -> RenderRow? {
    try Row.fetchOne(db, sql: "SELECT * FROM render WHERE id = ?", arguments: [id]).map(RenderRow.init)
  }
}

extension Store {
  /// Renders newest first, those before `cursor`; one more than `limit` says that there are further ones.
  package func list(
    _ filter: RenderFilter, before cursor: Int64?, limit: Int
  ) async throws(Fault) -> (rows: [RenderRow], next: Int64?) {
    let (condition, arguments) = Self.condition(filter, before: cursor)
    let rows = try await read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM render\(condition) ORDER BY number DESC LIMIT \(limit + 1)", arguments: arguments
      ).map(RenderRow.init)
    }
    let shown = Array(rows.prefix(limit))
    return (shown, rows.count > limit ? shown.last?.number : nil)
  }

  /// Ids of renders that ended before an instant, oldest first.
  package func ended(before timestamp: Int64, limit: Int) async throws(Fault) -> [String] {
    try await read { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM render WHERE finished < ? ORDER BY finished LIMIT ?", arguments: [timestamp, limit])
    }
  }

  /// Every render's id, to tell which folders are nobody's.
  package func ids() async throws(Fault) -> Set<String> {
    try await read { try String.fetchSet($0, sql: "SELECT id FROM render") }
  }

  private static func condition(_ filter: RenderFilter, before cursor: Int64?) -> (String, StatementArguments) {
    var parts = ["removed IS NULL"]
    var arguments = StatementArguments()
    func add(_ part: String, _ value: (any DatabaseValueConvertible)?) {
      guard let value else { return }
      parts.append(part)
      arguments += [value]
    }
    if !filter.statuses.isEmpty {
      parts.append("status IN (\(filter.statuses.map { "'\($0.rawValue)'" }.joined(separator: ", ")))")
    }
    for (name, value) in filter.labels.sorted(by: { $0.key < $1.key }) {
      parts.append("id IN (SELECT render FROM label WHERE name = ? AND value = ?)")
      arguments += [name, value]
    }
    add("number < ?", cursor)
    add("owner = ?", filter.owner)
    add("created >= ?", filter.since)
    add("created < ?", filter.until)
    if let text = filter.text {
      let escaped = text.map { "%_\\".contains($0) ? "\\\($0)" : String($0) }.joined()
      parts.append("(name LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\' OR code LIKE ? ESCAPE '\\')")
      arguments += ["%\(escaped)%", "%\(escaped)%", "%\(escaped)%"]
    }
    return (" WHERE " + parts.joined(separator: " AND "), arguments)
  }
}
