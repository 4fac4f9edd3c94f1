internal import Core
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RenderModel

/// The routes about renders.
struct RenderAPI: Sendable {
  let scheduler: RenderScheduler
  let store: Store
  let data: DataFolder
  let renderEvents: RenderEvents
  let authenticator: Authenticator
  let bounds: ServiceSettings.Bounds
  let allowsPrivate: Bool
  /// Where requests wait for their turn that take much memory.
  let large = AsyncSemaphore(1)

  func add(to router: some RouterMethods<ServiceContext>) {
    router.post("/v1/renders") { try await submit($0, $1) }
    router.get("/v1/renders") { try await list($0, $1) }
    router.get("/v1/renders/:id") { try await show($0, $1) }
    router.delete("/v1/renders/:id") { try await remove($0, $1) }
    router.get("/v1/renders/:id/events") { try await events($0, $1) }
    router.get("/v1/renders/:id/screenshots/:name") { try await screenshot($0, $1) }
    router.get("/v1/renders/:id/report") { try await report($0, $1) }
    router.get("/v1/renders/:id/files") { try await files($0, $1) }
    router.get("/v1/renders/:id/files/**") { try await file($0, $1) }
    router.post("/v1/screenshot") { try await picture($0, $1) }
  }

  /// A render the caller may see; somebody else's is as good as none.
  func row(_ context: ServiceContext) async throws -> RenderRow {
    try context.require(.read)
    let id = try context.renderID()
    return try await row(id, for: context.caller)
  }

  /// The same by an id that a caller named.
  func row(_ id: String, for caller: Caller) async throws -> RenderRow {
    let row = RenderID.isOne(id) ? try await store.render(id) : nil
    return try row.visible(as: id) { caller.maySee(of: $0.owner) }
  }

  private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    return try Answer.json(document(row))
  }

  /// The render with its whole result, where there is one.
  func document(_ row: RenderRow) -> RenderDocument {
    let path = data.result(of: row).result
    let result = row.status.isFinal ? FileContents.read(path).flatMap { JSONText.value($0) } : nil
    return RenderDocument(row, result: result)
  }

  /// Cancels a render that hasn't ended, and forgets one that has.
  private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.render)
    let row = try await row(context)
    guard row.owner == context.caller.name || context.caller.may(.admin) else {
      throw Problem(403, "render-not-owned", "only its owner and administrators may remove a render")
    }
    if !row.status.isFinal, try await scheduler.cancel(row.id), let ended = try await store.render(row.id) {
      return try Answer.json(document(ended))
    }
    guard try await store.forget(row.id) else {
      throw Problem(409, "render-still-ending", "it is just ending; try again", retryAfter: 1)
    }
    DurableFile.remove(data.render(row.id).path, by: data.newScratch())
    return Response(status: .noContent)
  }
}

extension RenderAPI {
  private struct Page: Encodable {
    let renders: [RenderDocument]
    /// What to ask for next; nil on the last page.
    let next: String?
  }

  /// Renders newest first, a page at a time.
  func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let query = try ListQuery(QueryText.parameters(request.uri.query ?? ""), for: context.caller)
    let (rows, next) = try await store.list(query.filter, before: query.cursor, limit: query.limit)
    return try Answer.json(Page(renders: rows.map { RenderDocument($0) }, next: next.map(ListQuery.text)))
  }
}

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
      guard let timestamp = Instant.parse(value) else { return "must be an instant like 2026-12-24T18:00:00Z" }
      if name == "since" { filter.since = timestamp } else { filter.until = timestamp }
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
