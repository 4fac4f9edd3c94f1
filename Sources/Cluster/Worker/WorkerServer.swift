package import Core
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
package import Telemetry
internal import UnixSignals

/// A machine that renders for a queue; it accepts no requests and keeps no results.
package struct WorkerServer: Sendable {
  private let settings: WorkSettings
  private let cluster: ClusterSettings
  private let caller: QueueCaller
  private let log: Logger
  /// Exporter of spans; nil if tracing is off.
  private let exporter: SpanExporter?

  package init(
    _ settings: WorkSettings, cluster: ClusterSettings, as caller: QueueCaller, tracing: TracingSettings? = nil,
    verbose: Bool = false
  ) {
    (self.settings, self.cluster, self.caller) = (settings, cluster, caller)
    log = ServiceLog.make(verbose: verbose)
    exporter = SpanExporter.begin(tracing, log: log)
  }

  /// Renders until a signal stops it; `ready` receives the address of the metrics, nil if there is none.
  package func run(ready: @escaping @Sendable (_ address: String?) -> Void) async throws(Fault) {
    let gauges = ServiceGauges()
    let client = try await QueueClient.connect(cluster, as: caller)
    let runner = QueueWorker(WorkerClient(client), settings, bounds: cluster.queue.bounds, gauges: gauges, log: log)
    var services: [any Service] = [runner]
    if let exporter { services.insert(exporter, at: 0) }
    if let (host, port) = settings.metrics {
      services.append(WorkMetrics(runner: runner, gauges: gauges, host: host, port: port, log: log, ready: ready))
    } else {
      ready(nil)
    }
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
    configuration.maximumGracefulShutdownDuration = Bounded.seconds(settings.bounds.drain + 20)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch {
      if let error = error as? Fault { throw error }
      if let error = error as? IOError, let (host, port) = settings.metrics {
        throw .request("address-unusable", "can't listen on \(host):\(port): \(error)")
      }
      throw .engine("server-failed", "the worker failed: \(error)")
    }
  }
}

/// HTTP service for a worker's health and metrics; it reveals nothing of what the worker renders.
private struct WorkMetrics: Service {
  let runner: QueueWorker
  let gauges: ServiceGauges
  let host: String
  let port: Int
  let log: Logger
  let ready: @Sendable (String?) -> Void

  func run() async throws {
    let router = Router()
    router.get("/healthz") { _, _ in Self.text("ok\n") }
    router.get("/readyz") { _, _ in
      await runner.state.isStopping ? Self.text("stopping\n", .serviceUnavailable) : Self.text("ready\n")
    }
    router.get("/metrics") { _, _ in Self.text(await measurements()) }
    let host = host
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), serverName: "galley/\(Galley.version)"),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        ready("http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
      }, logger: log)
    try await application.run()
  }

  private func measurements() async -> String {
    let card = await runner.card
    let now: [(String, Double)] = [("galley_slots", Double(card.slots)), ("galley_slots_busy", Double(card.busy))]
    return gauges.text(workers: await runner.metrics, process: OwnProcess())
      + now.map { "# TYPE \($0) gauge\n\($0) \($1.plain)\n" }.joined()
  }

  private static func text(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
