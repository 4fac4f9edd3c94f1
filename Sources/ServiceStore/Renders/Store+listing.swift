internal import GRDB
package import Jobs

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
  package func ended(before instant: Int64, limit: Int) async throws(Fault) -> [String] {
    try await read { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM render WHERE finished < ? ORDER BY finished LIMIT ?", arguments: [instant, limit])
    }
  }

  /// Every render's id, to tell which folders are nobody's.
  package func ids() async throws(Fault) -> Set<String> {
    try await read { try String.fetchSet($0, sql: "SELECT id FROM render") }
  }

  private static func condition(_ filter: RenderFilter, before cursor: Int64?) -> (String, StatementArguments) {
    var parts: [String] = []
    var arguments = StatementArguments()
    func add(_ part: String, _ value: (any DatabaseValueConvertible)?) {
      guard let value else { return }
      parts.append(part)
      arguments += [value]
    }
    if !filter.statuses.isEmpty {
      parts.append("status IN (\(filter.statuses.map { "'\($0.rawValue)'" }.joined(separator: ", ")))")
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
    return (parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND "), arguments)
  }
}
