internal import Core
internal import HTTPTypes
internal import Hummingbird
internal import RenderModel
internal import Telemetry

/// The routes for operators of the server.
struct OperationsAPI: Sendable {
  private struct Health: Encodable {
    let status: String
    let galley: String
  }

  /// A creative under which processes died.
  private struct Suspect: Encodable {
    let content: String
    let losses: Int
    let reason: String
    let since: String
    let renders: [String]
    /// True if the creative isn't rendered any more.
    let quarantined: Bool

    init(_ row: QuarantineRow, most: Int) {
      (content, losses, reason, since) = (row.content, row.losses, row.reason, Instant.text(row.since))
      (renders, quarantined) = (row.renders, row.losses >= most)
    }
  }

  let scheduler: any RenderScheduling
  let store: Store
  let gauges: ServiceGauges

  func add(to router: some RouterMethods<ServiceContext>) {
    router.get("/healthz") { _, _ in try Answer.json(Health(status: "ok", galley: Galley.version)) }
    router.get("/readyz") { _, _ in try await ready() }
    router.get("/v1/pressure") { _, context in
      try context.require(.read)
      return try Answer.json(await scheduler.pressure())
    }
    router.get("/v1/quarantine") { _, context in
      try context.require(.readAll)
      return try Answer.json(["creatives": try await suspects()])
    }
    router.delete("/v1/quarantine/:content") { _, context in
      try context.require(.admin)
      let content = context.parameters.get("content") ?? ""
      guard try await scheduler.release(creative: content) else {
        throw Problem.missing("creative '\(content.prefix(64))' there")
      }
      return Response(status: .noContent)
    }
    router.get("/metrics") { _, context in
      try context.require(.read)
      let text = gauges.text(await scheduler.pressure(), process: OwnProcess()) + (await scheduler.measurements())
      return Answer.text(text, type: "text/plain; version=0.0.4; charset=utf-8")
    }
  }

  private func suspects() async throws -> [Suspect] {
    let most = scheduler.settings.bounds.losses
    return try await store.losses.quarantine().map { Suspect($0, most: most) }
  }

  /// Answers with 503 if another render would be rejected.
  private func ready() async throws -> Response {
    let pressure = await scheduler.pressure()
    guard pressure.isReady else {
      throw Problem(503, Self.reason(pressure), retryAfter: 5)
    }
    return try Answer.json(Health(status: "ready", galley: Galley.version))
  }

  private static func reason(_ pressure: Pressure) -> Fault {
    if pressure.isStopping { return .engine("server-stopping", "the server is shutting down") }
    if let problem = pressure.problem { return problem }
    if pressure.isFull { return .engine("queue-full", "the queue is full: \(pressure.queued) renders are waiting") }
    return .engine("outcomes-unwritten", "results of \(pressure.unwritten) renders can't be stored")
  }
}
