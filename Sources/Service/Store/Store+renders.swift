package import Core
internal import GRDB
package import RenderModel

extension Store {
  /// Accepts a render, or finds the one accepted earlier with the same key.
  package func accept(_ new: NewRender) async throws(Fault) -> NewRender.Acceptance {
    try await commit(AcceptRender(new: new))
  }

  /// The render accepted with a key, and the fingerprint of its request; nil if there is none.
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

  /// Renders that a starting server must resume, oldest first.
  package func unfinished() async throws(Fault) -> [RenderRow] {
    try await read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM render WHERE status IN ('queued', 'running') ORDER BY number").map(
        RenderRow.init)
    }
  }

  /// Notes that a worker has begun a render; does nothing for one that has ended.
  package func start(_ id: String, at timestamp: Int64) async throws(Fault) {
    try await commit(StartRender(id: id, timestamp: timestamp))
  }

  /// Queues running renders again after their workers have stopped.
  package func requeueRunning() async throws(Fault) { try await commit(RequeueRenders(losses: [])) }

  /// Ends a render permanently; nil, without any change, if it had ended before.
  package func end(_ id: String, _ ending: RenderCompletion) async throws(Fault) -> RenderRow? {
    try await commit(EndRender(id: id, ending: ending))
  }

  /// Deletes an ended render with all its data; false if there is none.
  @discardableResult package func forget(_ id: String) async throws(Fault) -> Bool {
    try await commit(ForgetRender(id: id))
  }

  /// Number of waiting and of running renders.
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

  /// Inserts the labels of a render.
  ///
  /// - Parameter number: the render's number.
  static func insert(labels: [String: String], of render: String, _ number: Int64, _ db: Database) throws {
    for (name, value) in labels {
      try db.run(
        sql: "INSERT INTO label (render, name, value, number) VALUES (?, ?, ?, ?)",
        arguments: [render, name, value, number])
    }
  }
}

extension Store {
  /// Renders before `cursor`, newest first, with the cursor of the next page; nil for the cursor on the last page.
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

  /// Ids of renders that ended before a given time, oldest first.
  package func ended(before timestamp: Int64, limit: Int) async throws(Fault) -> [String] {
    try await read { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM render WHERE finished < ? ORDER BY finished LIMIT ?", arguments: [timestamp, limit])
    }
  }

  /// The given names that aren't ids of renders, for finding folders without a render.
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

extension Store {
  /// Hides an ended render from all lists, until it is restored; false if it doesn't exist or hasn't ended.
  ///
  /// Its idempotency key becomes free, so the same request leads to a new render.
  package func remove(_ id: String, at timestamp: Int64) async throws(Fault) -> Bool {
    try await commit(RemoveRender(id: id, timestamp: timestamp))
  }

  /// Restores a removed render; false if there is none.
  package func restore(_ id: String) async throws(Fault) -> Bool { try await commit(RestoreRender(id: id)) }

  /// Ids of renders removed before a given time, in the order of their removal.
  package func removed(before timestamp: Int64, limit: Int) async throws(Fault) -> [String] {
    try await read { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM render WHERE removed < ? ORDER BY removed LIMIT ?", arguments: [timestamp, limit])
    }
  }
}

extension Store {
  /// Number of renders that wait.
  func countWaiting() async throws(Fault) -> Int {
    try await read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM render WHERE status = 'queued'") ?? 0 }
  }

  /// Number of an owner's renders that wait or run.
  func unended(of owner: String) async throws(Fault) -> Int {
    try await read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM render INDEXED BY renderUnended WHERE status IN ('queued', 'running') AND owner = ?
          """, arguments: [owner]) ?? 0
    }
  }

  /// Renders past their deadline in the queue, the earliest deadline first.
  func overdue(at timestamp: Int64, limit: Int) async throws(Fault) -> [RenderRow] {
    try await read { db in
      try Row.fetchAll(
        db,
        // Without being told, SQLite reads all that waits, four times a second.
        sql: """
          SELECT * FROM render INDEXED BY renderByDeadline
          WHERE status = 'queued' AND deadline <= ? ORDER BY deadline LIMIT ?
          """,
        arguments: [timestamp, limit]
      ).map(RenderRow.init)
    }
  }

  /// Renders that were accepted before an instant and haven't ended, oldest first.
  func unended(before timestamp: Int64, limit: Int) async throws(Fault) -> [RenderRow] {
    try await read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM render WHERE status IN ('queued', 'running') AND created < ? ORDER BY number LIMIT ?
          """,
        arguments: [timestamp, limit]
      ).map(RenderRow.init)
    }
  }
}

/// SQL for a list of renders, written so that SQLite finds the newest first and sorts only renders that haven't ended.
///
/// SQLite has no statistics about the values: it would read all renders of a status or label to find twenty of them.
private struct RenderSearch {
  /// SQL from `FROM` to `ORDER BY`.
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
      parts.append(
        "EXISTS (SELECT 1 FROM label AS own WHERE own.render = render.id AND own.name = ? AND own.value = ?)")
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
