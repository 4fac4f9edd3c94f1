internal import Core
internal import CoreMetrics
internal import FoundationEssentials
internal import Glibc
internal import Metrics
internal import Workers

/// What a server counts and times.
final class ServiceGauges: Sendable {
  let registry = PrometheusRegistry()

  /// Why requests are turned away.
  private static let rejections = ["queue-full", "rate-exceeded", "renders-too-many"]

  /// What alarms watch is there from the start: an increase is one of a series that was there before.
  init() {
    for code in Self.rejections { _ = counter("galley_rejections_total", [("reason", code)]) }
    for status in RenderStatus.allCases where status.isFinal {
      _ = counter("galley_renders_total", [("status", status.rawValue), ("code", "")])
    }
    for process in ["server", "web", "worker"] { _ = counter("galley_attempts_lost_total", [("process", process)]) }
    for outcome in ["delivered", "failed", "given-up"] { _ = counter("galley_webhooks_total", [("outcome", outcome)]) }
    for cut in ConnectionCut.allCases { _ = counter("galley_connections_cut_total", [("reason", cut.rawValue)]) }
  }

  /// A request was turned away.
  func rejected(_ code: String) { counter("galley_rejections_total", [("reason", code)]).increment() }

  /// A render ended; an empty code for one that completed.
  func ended(_ status: RenderStatus, code: String?) {
    counter("galley_renders_total", [("status", status.rawValue), ("code", code ?? "")]).increment()
  }

  /// A process died under a render.
  func lost(_ what: PoolEvent.Loss) { lost(process: what == .worker ? "worker" : "web") }

  /// A process died under renders: `worker`, `web`, or `server` for the one before this.
  func lost(process: String) { counter("galley_attempts_lost_total", [("process", process)]).increment() }

  /// A worker was done with a render.
  func rendered(seconds: Double) {
    timer("galley_render_seconds").recordNanoseconds(Int64(Bounded.int(seconds * 1e9, in: 0...Int.max)))
  }
  /// A worker took a render up that had waited so long.
  func waited(milliseconds: Int64) { timer("galley_queue_wait_seconds").recordMilliseconds(milliseconds) }

  /// An attempt to tell an address: delivered, failed or given-up.
  func delivered(_ outcome: String) { counter("galley_webhooks_total", [("outcome", outcome)]).increment() }

  /// A request was answered; `route` is the pattern and never the path.
  func answered(_ method: String, _ route: String, status: Int, seconds: Double) {
    counter("galley_http_requests_total", [("method", method), ("route", route), ("status", "\(status)")]).increment()
    timer("galley_http_request_seconds", [("route", route)]).recordNanoseconds(
      Int64(Bounded.int(seconds * 1e9, in: 0...Int.max)))
  }

  /// A connection was closed or refused to keep room for others.
  func cut(_ reason: ConnectionCut) {
    counter("galley_connections_cut_total", [("reason", reason.rawValue)]).increment()
  }

  /// Everything in Prometheus' text format, with how things stand now.
  func text(_ pressure: Pressure, process: OwnProcess) -> String {
    let now: [(String, Double)] = [
      ("galley_renders_running", Double(pressure.running)), ("galley_renders_queued", Double(pressure.queued)),
      ("galley_queue_capacity", Double(pressure.capacity.queued)),
      ("galley_outcomes_unwritten", Double(pressure.unwritten)),
    ]
    return text(workers: pressure.workers, process: process)
      + now.map { "# TYPE \($0) gauge\n\($0) \($1.plain)\n" }.joined()
  }

  /// The same of a machine that renders and accepts nothing.
  func text(workers: PoolMetrics, process: OwnProcess) -> String {
    let now: [(String, Double)] = [
      ("galley_workers_busy", Double(workers.busy)), ("galley_workers_idle", Double(workers.idle)),
      ("galley_workers_starting", Double(workers.starting)),
      ("galley_workers_resident_bytes", Double(workers.mebibytes << 20)),
      ("process_resident_memory_bytes", Double(process.residentBytes)),
      ("process_open_fds", Double(process.descriptors)),
    ]
    let totals: [(String, Double)] = [
      ("galley_workers_started_total", Double(workers.started)), ("galley_workers_lost_total", Double(workers.lost)),
      ("galley_workers_recycled_total", Double(workers.recycled)),
    ]
    return registry.text + now.map { "# TYPE \($0) gauge\n\($0) \($1.plain)\n" }.joined()
      + totals.map { "# TYPE \($0) counter\n\($0) \($1.plain)\n" }.joined()
  }

  private func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
    Counter(label: label, dimensions: dimensions, factory: registry)
  }

  private func timer(_ label: String, _ dimensions: [(String, String)] = []) -> Timer {
    Timer(label: label, dimensions: dimensions, factory: registry)
  }
}

/// What the server's own process uses.
struct OwnProcess: Sendable {
  let residentBytes: Int
  let descriptors: Int

  /// As it is now.
  init() {
    residentBytes = ProcFS.residentBytes(of: getpid()) ?? 0
    descriptors = ProcFS.openFiles(of: getpid())
  }
}
