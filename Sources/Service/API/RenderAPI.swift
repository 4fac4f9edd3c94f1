internal import Core
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RenderModel
internal import Scheduling
internal import Telemetry

/// The routes about renders.
struct RenderAPI: Sendable {
  let scheduler: any RenderScheduling
  let store: Store
  let data: DataFolder
  let renderEvents: RenderEvents
  let authenticator: Authenticator
  let gauges: ServiceGauges
  let bounds: ServiceSettings.Bounds
  let allowsPrivate: Bool
  /// Lets one request at a time through that needs much memory.
  let large = AsyncSemaphore(1)
  /// Lets two traces at a time through, since each holds all images of a result in memory.
  let traces = AsyncSemaphore(2)

  func add(to router: some RouterMethods<ServiceContext>) {
    router.post("/v1/renders") { try await submit($0, $1) }
    router.get("/v1/renders") { try await list($0, $1) }
    router.get("/v1/renders/:id") { try await show($0, $1) }
    router.delete("/v1/renders/:id") { try await remove($0, $1) }
    router.post("/v1/renders/:id/restore") { try await restore($0, $1) }
    router.get("/v1/renders/:id/events") { try await events($0, $1) }
    router.get("/v1/renders/:id/screenshots/:name") { try await screenshot($0, $1) }
    router.get("/v1/renders/:id/result") { try await result($0, $1) }
    router.get("/v1/renders/:id/report") { try await report($0, $1) }
    router.get("/v1/renders/:id/trace") { try await trace($0, $1) }
    router.get("/v1/renders/:id/recording") { try await recording($0, $1) }
    router.get("/v1/renders/:id/files") { try await files($0, $1) }
    router.get("/v1/renders/:id/files/**") { try await file($0, $1) }
    router.post("/v1/screenshot") { try await picture($0, $1) }
  }

  /// The render in the path, if the caller may see it; others' renders count as missing.
  func row(_ context: ServiceContext) async throws -> RenderRow {
    try context.require(.read)
    let id = try context.renderID()
    return try await row(id, for: context.caller)
  }

  /// The render of an id, if the caller may see it.
  func row(_ id: String, for caller: Caller) async throws -> RenderRow {
    let row = RenderID.isOne(id) ? try await store.latest(id) : nil
    return try await data.atHome(try row.visible(as: id) { caller.maySee(of: $0.owner) })
  }

  private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    return try Answer.json(try await document(row))
  }

  /// The render with its complete result and its review, if it has these.
  func document(_ row: RenderRow) async throws(Fault) -> RenderDocument {
    let path = data.result(of: row).result
    let result = row.status.isFinal ? FileContents.read(path).flatMap { JSONText.value($0) } : nil
    return RenderDocument(row, result: result, review: try await store.reviews.review(row.id))
  }

  /// Cancels a render that hasn't ended, or removes one that has; for a while it can be restored.
  private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.render)
    let row = try await row(context)
    try Self.requireOwner(row, context.caller)
    let isForever = try Self.isForever(QueryText.parameters(request.uri.query ?? ""))
    if !row.status.isFinal, try await scheduler.cancel(row.id), let ended = try await store.render(row.id) {
      return try Answer.json(try await document(ended))
    }
    guard isForever ? try await store.forget(row.id) : try await store.remove(row.id, at: Instant.now) else {
      throw Problem(409, "render-still-ending", "the render is about to end; try again", retryAfter: 1)
    }
    if isForever { DurableFile.remove(data.render(row.id).path, by: data.newScratch()) }
    return Response(status: .noContent)
  }

  /// Restores a removed render.
  private func restore(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.render)
    let id = try context.renderID()
    guard let row = try await store.latest(id), context.caller.maySee(of: row.owner) else {
      throw Problem.missing("render '\(id)'")
    }
    try Self.requireOwner(row, context.caller)
    guard try await store.restore(id), let back = try await store.render(id) else {
      throw Problem(409, "render-not-removed", "render '\(id)' wasn't removed")
    }
    return try Answer.json(try await document(back))
  }

  private static func requireOwner(_ row: RenderRow, _ caller: Caller) throws(Problem) {
    guard row.owner == caller.name || caller.may(.admin) else {
      throw Problem(403, "render-not-owned", "only its owner and administrators may remove a render")
    }
  }

  private static func isForever(_ parameters: [(name: String, value: String)]) throws(Problem) -> Bool {
    guard let (name, value) = parameters.first else { return false }
    guard parameters.count == 1, name == "forever", ["true", "false"].contains(value) else {
      throw Problem(422, "query-invalid", "the only allowed parameters are forever=true and forever=false")
    }
    return value == "true"
  }
}

extension RenderAPI {
  private struct Page: Encodable {
    let renders: [RenderDocument]
    /// The cursor of the next page; nil on the last page.
    let next: String?
  }

  /// Lists renders, newest first, in pages.
  func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.read)
    let query = try ListQuery(QueryText.parameters(request.uri.query ?? ""), for: context.caller)
    let (rows, next) = try await store.list(query.filter, before: query.cursor, limit: query.limit)
    let reviews = try await store.reviews.all(of: rows.map(\.id))
    let documents = rows.map { RenderDocument($0, review: reviews[$0.id]) }
    return try Answer.json(Page(renders: documents, next: next.map(ListQuery.text)))
  }
}

/// The parsed query of a list of renders.
package struct ListQuery: Hashable, Sendable {
  package var filter = RenderFilter()
  package var cursor: Int64?
  package var limit = 50

  /// Reads the parameters of a query, restricted to the renders that the caller may see. Unknown parameters are
  /// rejected.
  package init(_ parameters: [(name: String, value: String)], for caller: Caller) throws(Problem) {
    var problems: [Problem.Field] = []
    var given: Set<String> = []
    for (name, value) in parameters {
      // Which of two would count, nobody could see in the answer.
      let isFirst = given.insert(name).inserted || name == "label"
      if let problem = isFirst ? take(name, value) : "must not be repeated" {
        problems.append(Problem.Field(name, problem))
      }
    }
    guard problems.isEmpty else {
      var problem = Problem.invalid(problems)
      problem.fault.code = "query-invalid"
      throw problem
    }
    guard let sight = caller.sight else { return }
    if let owner = filter.owner, owner != sight {
      throw Problem(
        403, "scope-missing", "to see renders of other tokens, use a token with the scope '\(Scope.readAll.rawValue)'")
    }
    filter.owner = sight
  }

  /// Reads one parameter; returns a description of its fault, or nil if it is valid.
  private mutating func take(_ name: String, _ value: String) -> String? {
    switch name {
    case "status":
      let statuses = value.split(separator: ",").map { RenderStatus(rawValue: String($0)) }
      guard !statuses.isEmpty, !statuses.contains(nil) else {
        return "must be one of \(RenderStatus.allCases.map(\.rawValue).joined(separator: ", "))"
      }
      filter.statuses = statuses.compactMap(\.self)
    case "since", "until":
      guard let timestamp = Instant.parse(value) else { return "must be an instant like 2026-12-24T18:00:00Z" }
      if name == "since" { filter.since = timestamp } else { filter.until = timestamp }
    case "owner": filter.owner = value
    case "q":
      guard (1...200).contains(value.count) else { return "must have 1 to 200 characters" }
      filter.text = value
    case "label":
      guard let (name, value) = RenderLabels.pair(value) else { return "must be like branch=main" }
      guard filter.labels.count < RenderLabels.most, filter.labels.updateValue(value, forKey: name) == nil else {
        return "must not repeat a name"
      }
    case "cursor":
      guard let cursor = Self.cursor(value) else { return "must be the next cursor of a list" }
      self.cursor = cursor
    case "limit":
      guard let limit = Int(value), (1...200).contains(limit) else { return "must be from 1 to 200" }
      self.limit = limit
    default: return "isn't known"
    }
    return nil
  }

  /// The cursor as text, in the form in which clients send it back.
  static func text(_ cursor: Int64) -> String { "c" + String(cursor, radix: 36) }
  private static func cursor(_ text: String) -> Int64? {
    text.first == "c" ? Int64(text.dropFirst(), radix: 36).flatMap { $0 >= 0 ? $0 : nil } : nil
  }
}
