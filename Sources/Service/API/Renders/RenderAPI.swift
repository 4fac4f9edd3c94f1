internal import HTTPTypes
internal import Hummingbird
internal import Jobs
internal import MRAID
internal import NIOCore
internal import ServiceStore

/// The routes about renders.
struct RenderAPI: Sendable {
  let desk: RenderDesk
  let store: Store
  let data: DataFolder
  let bulletin: Bulletin
  let gatekeeper: Gatekeeper
  let bounds: ServiceSettings.Bounds
  let allowsPrivate: Bool
  /// Where requests wait for their turn that take much memory.
  let large = Turnstile(1)

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
    guard RenderID.isOne(id), let row = try await store.render(id), caller.maySee(of: row.owner) else {
      throw Problem.missing("render '\(id.prefix(40))'")
    }
    return row
  }

  private func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let row = try await row(context)
    return try Answer.json(document(row))
  }

  /// The render with its whole result, where there is one.
  func document(_ row: RenderRow) -> RenderDocument {
    let path = ResultPaths(row, data).file("result.json")
    let result = row.status.isFinal ? FileContents.read(path).flatMap { JSONText.value($0) } : nil
    return RenderDocument(row, result: result)
  }

  /// Cancels a render that hasn't ended, and forgets one that has.
  private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
    try context.require(.render)
    let row = try await row(context)
    guard row.owner == context.caller.name || context.caller.may(.admin) else {
      throw Problem(403, "not-yours", "only its owner and administrators may remove a render")
    }
    if !row.status.isFinal, try await desk.cancel(row.id), let ended = try await store.render(row.id) {
      return try Answer.json(document(ended))
    }
    guard try await store.forget(row.id) else {
      throw Problem(409, "still-ending", "it is just ending; try again", retryAfter: 1)
    }
    Durable.remove(data.render(row.id).path, by: data.newScratch())
    return Response(status: .noContent)
  }
}
