internal import Core
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RenderModel

/// The routes about renders.
struct RenderAPI: Sendable {
  let scheduler: any RenderDesk
  let store: Store
  let data: DataFolder
  let renderEvents: RenderEvents
  let authenticator: Authenticator
  let gauges: ServiceGauges
  let bounds: ServiceSettings.Bounds
  let allowsPrivate: Bool
  /// Where requests wait for their turn that take much memory.
  let large = AsyncSemaphore(1)
  /// Where traces wait for their turn, each of which holds a result's pictures.
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

  /// A render the caller may see; somebody else's is as good as none.
  func row(_ context: ServiceContext) async throws -> RenderRow {
    try context.require(.read)
    let id = try context.renderID()
    return try await row(id, for: context.caller)
  }

  /// The same by an id that a caller named.
  func row(_ id: String, for caller: Caller) async throws -> RenderRow {
    let row = RenderID.isOne(id) ? try await store.latest(id) : nil
    return try await data.atHome(try row.visible(as: id) { caller.maySee(of: $0.owner) })
  }

  private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    return try Answer.json(try await document(row))
  }

  /// The render with its whole result and its review, where there are any.
  func document(_ row: RenderRow) async throws(Fault) -> RenderDocument {
    let path = data.result(of: row).result
    let result = row.status.isFinal ? FileContents.read(path).flatMap { JSONText.value($0) } : nil
    return RenderDocument(row, result: result, review: try await store.review(row.id))
  }

  /// Cancels a render that hasn't ended, and removes one that has: for a while it can be brought back.
  private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.render)
    let row = try await row(context)
    try Self.requireOwner(row, context.caller)
    let isForever = try Self.isForever(QueryText.parameters(request.uri.query ?? ""))
    if !row.status.isFinal, try await scheduler.cancel(row.id), let ended = try await store.render(row.id) {
      return try Answer.json(try await document(ended))
    }
    guard isForever ? try await store.forget(row.id) : try await store.remove(row.id, at: Instant.now) else {
      throw Problem(409, "render-still-ending", "it is just ending; try again", retryAfter: 1)
    }
    if isForever { DurableFile.remove(data.render(row.id).path, by: data.newScratch()) }
    return Response(status: .noContent)
  }

  /// Brings a removed render back.
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
      throw Problem(422, "query-invalid", "only forever=true and forever=false are known here")
    }
    return value == "true"
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
    let reviews = try await store.reviews(of: rows.map(\.id))
    let documents = rows.map { RenderDocument($0, review: reviews[$0.id]) }
    return try Answer.json(Page(renders: documents, next: next.map(ListQuery.text)))
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
    var given: Set<String> = []
    for (name, value) in parameters {
      // Which of two would count, nobody could see in the answer.
      let isFirst = given.insert(name).inserted || name == "label"
      if let problem = isFirst ? take(name, value) : "is there twice" { problems.append(Problem.Field(name, problem)) }
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
    case "label":
      guard let (name, value) = RenderLabels.pair(value) else { return "must be like branch=main" }
      guard filter.labels.count < RenderLabels.most, filter.labels.updateValue(value, forKey: name) == nil else {
        return "must have each name once"
      }
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
