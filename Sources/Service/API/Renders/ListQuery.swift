internal import Core
internal import Jobs
package import ServiceStore

/// What a list was asked to show.
package struct ListQuery: Hashable, Sendable {
  package var filter = RenderFilter()
  package var cursor: Int64?
  package var limit = 50

  /// Reads the parameters of a query for somebody who sees only some renders; what isn't known is refused.
  package init(_ parameters: [(name: String, value: String)], for caller: Caller) throws(Problem) {
    var problems: [Problem.Field] = []
    for (name, value) in parameters {
      if let problem = take(name, value) { problems.append(Problem.Field(name, problem)) }
    }
    guard problems.isEmpty else {
      var problem = Problem.invalid(problems)
      problem.fault.code = "query-invalid"
      throw problem
    }
    guard let sight = caller.sight else { return }
    if let owner = filter.owner, owner != sight {
      throw Problem(403, "scope-missing", "others' renders need a token with the scope '\(Scope.readAll.rawValue)'")
    }
    filter.owner = sight
  }

  /// Reads one; says what is wrong with it.
  private mutating func take(_ name: String, _ value: String) -> String? {
    switch name {
    case "status":
      let statuses = value.split(separator: ",").map { RenderStatus(rawValue: String($0)) }
      guard !statuses.isEmpty, !statuses.contains(nil) else {
        return "must be of \(RenderStatus.allCases.map(\.rawValue).joined(separator: ", "))"
      }
      filter.statuses = statuses.compactMap(\.self)
    case "since", "until":
      guard let instant = Instant.parse(value) else { return "must be an instant like 2026-12-24T18:00:00Z" }
      if name == "since" { filter.since = instant } else { filter.until = instant }
    case "owner": filter.owner = value
    case "q":
      guard (1...200).contains(value.count) else { return "must have 1 to 200 characters" }
      filter.text = value
    case "cursor":
      guard let cursor = Self.cursor(value) else { return "isn't one that a list gave" }
      self.cursor = cursor
    case "limit":
      guard let limit = Int(value), (1...200).contains(limit) else { return "must be from 1 to 200" }
      self.limit = limit
    default: return "isn't known"
    }
    return nil
  }

  /// A place in the list as clients hand it back.
  static func text(_ cursor: Int64) -> String { "c" + String(cursor, radix: 36) }
  private static func cursor(_ text: String) -> Int64? {
    text.first == "c" ? Int64(text.dropFirst(), radix: 36).flatMap { $0 >= 0 ? $0 : nil } : nil
  }
}
