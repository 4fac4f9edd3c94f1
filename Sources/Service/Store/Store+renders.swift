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

  /// How many renders wait, and how many run.
  package func countUnended() async throws(Fault) -> [RenderStatus: Int] {
    try await read { db in
      let rows = try Row.fetchAll(
        db,
        sql: "SELECT status, count(*) AS count FROM render WHERE status IN ('queued', 'running') GROUP BY status")
      return rows.reduce(into: [:]) { counts, row in
        if let status = RenderStatus(rawValue: row["status"]) { counts[status] = row["count"] }
      }
    }
  }

  static func row(_ id: String, _ db: Database) throws -> RenderRow? {
    let statement = try db.cachedStatement(sql: "SELECT * FROM render WHERE id = ?")
    return try Row.fetchOne(statement, arguments: [id]).map(RenderRow.init)
  }
}

extension Store {
  /// Renders newest first, those before `cursor`; one more than `limit` says that there are further ones.
  package func list(
    _ filter: RenderFilter, before cursor: Int64?, limit: Int
  ) async throws(Fault) -> (rows: [RenderRow], next: Int64?) {
    let found = RenderSearch(filter, before: cursor)
    let rows = try await read { db in
      try Row.fetchAll(
        db, sql: "SELECT render.* \(found.text) DESC LIMIT \(limit + 1)", arguments: found.arguments
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

  /// Those of some names that are no render's, to tell which folders are nobody's.
  func unknown(of names: [String]) async throws(Fault) -> [String] {
    var unknown: [String] = []
    for begin in stride(from: 0, to: names.count, by: 500) {
      let some = Array(names[begin..<min(begin + 500, names.count)])
      let known = try await read { db in
        try String.fetchSet(
          db, sql: "SELECT id FROM render WHERE id IN (\(databaseQuestionMarks(count: some.count)))",
          arguments: StatementArguments(some))
      }
      unknown += some.filter { !known.contains($0) }
    }
    return unknown
  }
}

/// Where renders are looked for, so that the newest are found first and nothing is sorted but what hasn't ended.
///
/// SQLite knows of no value how common it is: it would look through all of a status or a label for twenty of them.
private struct RenderSearch {
  /// From `FROM` to what orders them.
  private(set) var text: String
  private(set) var arguments = StatementArguments()
  private var parts = ["render.removed IS NULL"]

  init(_ filter: RenderFilter, before cursor: Int64?) {
    var labels = filter.labels.sorted { $0.key < $1.key }
    var number = "render.number"
    let areUnended = !filter.statuses.isEmpty && filter.statuses.allSatisfy { !$0.isFinal }
    if areUnended {
      // Few wait or run.
      text = "FROM render INDEXED BY renderByStatus"
    } else if let first = labels.first {
      labels.removeFirst()
      text = "FROM label INDEXED BY labelByValue CROSS JOIN render ON render.number = label.number"
      number = "label.number"
      parts.append("label.name = ? AND label.value = ?")
      arguments += [first.key, first.value]
    } else {
      text = "FROM render"
    }
    if !filter.statuses.isEmpty {
      let statuses = filter.statuses.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      // Those of one status lie in their order; several would be sorted.
      let isIndexed = areUnended || filter.statuses.count == 1
      parts.append("\(isIndexed ? "" : "+")render.status IN (\(statuses))")
    }
    for (name, value) in labels {
      parts.append("EXISTS (SELECT 1 FROM label AS own WHERE own.render = render.id AND own.name = ? AND own.value = ?)")
      arguments += [name, value]
    }
    add("\(number) < ?", cursor)
    add("render.owner = ?", filter.owner)
    add("render.created >= ?", filter.since)
    add("render.created < ?", filter.until)
    if let text = filter.text {
      let escaped = text.map { "%_\\".contains($0) ? "\\\($0)" : String($0) }.joined()
      let likes = ["name", "id", "code"].map { "render.\($0) LIKE ? ESCAPE '\\'" }
      parts.append("(\(likes.joined(separator: " OR ")))")
      arguments += ["%\(escaped)%", "%\(escaped)%", "%\(escaped)%"]
    }
    text += " WHERE \(parts.joined(separator: " AND ")) ORDER BY \(number)"
  }

  private mutating func add(_ part: String, _ value: (any DatabaseValueConvertible)?) {
    guard let value else { return }
    parts.append(part)
    arguments += [value]
  }
}
