internal import Cluster
internal import Core
internal import Workers

/// The workers of a queue, and the jobs that wait for them.
struct WorkerMetrics: Sendable {
  var cards: [WorkerHeartbeat] = []
  var counts = QueueCounts()
  var taken: ContinuousClock.Instant?
  /// Messages of the journal that this server rejected.
  var refused = 0

  var isOld: Bool { taken.map { $0.duration(to: .now) > .seconds(3) } ?? true }
  var slots: Int { cards.reduce(0) { $0 + max(0, $1.slots) } }
  private var busy: Int { cards.reduce(0) { $0 + max(0, $1.busy) } }

  /// Average seconds per render of late, over all workers; nil if none has rendered.
  var seconds: Double? {
    let known = cards.compactMap(\.seconds).filter { $0 > 0 && $0 < 86_400 }
    return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
  }

  var metrics: PoolMetrics {
    var metrics = PoolMetrics()
    (metrics.busy, metrics.idle) = (busy, max(0, slots - busy))
    return metrics
  }

  /// Metrics for scaling, in Prometheus' text format.
  var text: String {
    var lines: [String] = []
    func add(_ name: String, _ values: [(labels: String, value: Double)]) {
      lines.append("# TYPE \(name) gauge")
      for (labels, value) in values { lines.append("\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value.plain)") }
    }
    add(
      "galley_jobs_waiting",
      counts.waiting.sorted { $0.key < $1.key }.map { ("kind=\"\($0.key.text)\"", Double($0.value)) })
    add("galley_jobs_leased", [("", Double(counts.leased))])
    add("galley_oldest_wait_seconds", [("", Double(counts.oldest.map { max(0, Instant.now - $0) } ?? 0) / 1000)])
    add("galley_workers", [("", Double(cards.count))])
    add("galley_slots", [("", Double(slots))])
    add("galley_slots_busy", [("", Double(busy))])
    add("galley_work_queued_seconds", [("", Double(counts.allWaiting) * (seconds ?? 0))])
    lines += ["# TYPE galley_journal_refused_total counter", "galley_journal_refused_total \(refused)"]
    return lines.map { $0 + "\n" }.joined()
  }
}
