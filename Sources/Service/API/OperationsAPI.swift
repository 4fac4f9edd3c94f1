internal import HTTPTypes
internal import Hummingbird
internal import Jobs

/// The routes for whoever runs the server.
struct OperationsAPI: Sendable {
  private struct Health: Encodable {
    let status: String
    let galley: String
  }

  let desk: RenderDesk
  let gauges: ServiceGauges

  func add(to router: some RouterMethods<ServiceContext>) {
    router.get("/healthz") { _, _ in try Answer.json(Health(status: "ok", galley: Galley.version)) }
    router.get("/readyz") { _, _ in try await ready() }
    router.get("/v1/pressure") { _, context in
      try context.require(.read)
      return try Answer.json(await desk.pressure())
    }
    router.get("/metrics") { _, context in
      try context.require(.read)
      let text = gauges.text(await desk.pressure(), process: OwnProcess())
      return Answer.text(text, type: "text/plain; version=0.0.4; charset=utf-8")
    }
  }

  /// 503 when another render would be turned away.
  private func ready() async throws -> Response {
    let pressure = await desk.pressure()
    guard pressure.isReady else {
      let (code, message) =
        pressure.isStopping
        ? ("shutting-down", "the server is shutting down") : ("queue-full", "\(pressure.queued) renders are waiting")
      throw Problem(503, .engine(code, message), retryAfter: 5)
    }
    return try Answer.json(Health(status: "ready", galley: Galley.version))
  }
}
