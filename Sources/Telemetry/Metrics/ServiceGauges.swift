internal import Core
internal import CoreMetrics
internal import FoundationEssentials
internal import Glibc
internal import Metrics
package import RenderModel
package import Workers

/// Counters and timers of a server.
package final class ServiceGauges: Sendable {
  let registry = PrometheusRegistry()

  /// Codes with which requests are rejected.
  private static let rejections = ["queue-full", "rate-exceeded", "renders-too-many", "requests-too-many"]

  /// Creates the counters that alarms watch, because an increase is only seen in a series that existed before.
  package init() {
    for code in Self.rejections { _ = counter("galley_rejections_total", [("reason", code)]) }
    for status in RenderStatus.allCases where status.isFinal {
      _ = counter("galley_renders_total", [("status", status.rawValue), ("code", "")])
    }
    for process in ["server", "web", "worker"] { _ = counter("galley_attempts_lost_total", [("process", process)]) }
    for outcome in ["delivered", "failed", "given-up"] { _ = counter("galley_webhooks_total", [("outcome", outcome)]) }
    for reason in ["invalid", "forbidden", "busy"] {
      _ = counter("galley_queue_requests_refused_total", [("reason", reason)])
    }
    for cut in ConnectionCut.allCases { _ = counter("galley_connections_cut_total", [("reason", cut.rawValue)]) }
  }

  /// Counts a rejected request.
  package func rejected(_ code: String) { counter("galley_rejections_total", [("reason", code)]).increment() }

  /// Counts an ended render; the code is empty for a completed one.
  package func ended(_ status: RenderStatus, code: String?) {
    counter("galley_renders_total", [("status", status.rawValue), ("code", code ?? "")]).increment()
  }

  /// Counts a refused request of a worker or sender: `invalid`, `forbidden` or `busy`.
  package func refusedRequest(_ reason: String) {
    counter("galley_queue_requests_refused_total", [("reason", reason)]).increment()
  }

  /// Counts a process that died during a render.
  package func lost(_ what: PoolEvent.Loss) { lost(process: what == .worker ? "worker" : "web") }

  /// Counts a process that died during renders: `worker`, `web`, or `server` for an earlier run of this server.
  package func lost(process: String) { counter("galley_attempts_lost_total", [("process", process)]).increment() }

  /// Records the duration of a render.
  package func rendered(seconds: Double) {
    timer("galley_render_seconds").recordNanoseconds(Int64(Bounded.int(seconds * 1e9, in: 0...Int.max)))
  }
  /// Records the time that a render waited before a worker began it.
  package func waited(milliseconds: Int64) { timer("galley_queue_wait_seconds").recordMilliseconds(milliseconds) }

  /// Counts an attempt to send a webhook: delivered, failed or given-up.
  package func delivered(_ outcome: String) { counter("galley_webhooks_total", [("outcome", outcome)]).increment() }

  /// Counts and times an answered request; `route` is the pattern and never the path.
  package func answered(_ method: String, _ route: String, status: Int, seconds: Double) {
    counter("galley_http_requests_total", [("method", method), ("route", route), ("status", "\(status)")]).increment()
    timer("galley_http_request_seconds", [("route", route)]).recordNanoseconds(
      Int64(Bounded.int(seconds * 1e9, in: 0...Int.max)))
  }

  /// Counts a connection that was closed or refused in favour of others.
  package func cut(_ reason: ConnectionCut) {
    counter("galley_connections_cut_total", [("reason", reason.rawValue)]).increment()
  }

  /// All metrics in Prometheus' text format, with the current values of the workers and of this process.
  package func text(workers: PoolMetrics, process: OwnProcess) -> String {
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

/// Resources used by the server's own process.
package struct OwnProcess: Sendable {
  let residentBytes: Int
  let descriptors: Int

  /// Reads the current values.
  package init() {
    residentBytes = ProcFS.residentBytes(of: getpid()) ?? 0
    descriptors = ProcFS.openFiles(of: getpid())
  }
}

/// Reason for which a connection was closed or refused; the raw values are a stable vocabulary.
package enum ConnectionCut: String, Sendable, CaseIterable {
  /// All places were taken and no connection could be displaced.
  case refused
  /// The connection was idle or waited for news when another needed its place.
  case displaced
  /// The head of a request wasn't complete in time.
  case slowHead = "slow-head"
  /// The client sent nothing more of a body for too long.
  case slowBody = "slow-body"
  /// The client read nothing of an answer for too long.
  case stalled
}
