internal import Core
internal import Logging
internal import RenderModel
internal import Scheduling
internal import Telemetry

/// Counts the processes lost under each creative, and quarantines creatives with too many.
actor Quarantine {
  private let store: LossStore
  /// Number of losses after which a creative isn't rendered any more.
  private let limit: Int
  private let gauges: ServiceGauges
  private let log: Logger
  /// Creatives under which workers were lost and that haven't completed since.
  private var suspects: Set<String> = []

  init(store: LossStore, limit: Int, gauges: ServiceGauges, log: Logger) {
    (self.store, self.limit, self.gauges, self.log) = (store, limit, gauges, log)
  }

  /// The fault of a quarantined creative.
  static func verdict(_ losses: Int, _ reason: String) -> Fault {
    .creative(
      "creative-quarantined", "\(losses) processes died while they rendered the creative; it is quarantined: \(reason)")
  }

  /// The fault of a render whose creative is quarantined; nil if it isn't.
  func verdict(on row: RenderRow) async -> Fault? {
    do throws(Fault) {
      guard let losses = try await store.known(of: row.content), losses.count >= limit else { return nil }
      return Self.verdict(losses.count, losses.reason)
    } catch {
      log.error("losses can't be read", metadata: ["render": "\(row.id)", "error": "\(error)"])
      return nil
    }
  }

  /// Counts losses from a crash of the previous server, and queues its running renders again.
  ///
  /// A server that shuts down orderly leaves no render as running, so all that are running were affected by a crash.
  func takeOver(_ rows: [RenderRow]) async throws(Fault) {
    let now = Instant.now
    let losses = rows.filter { $0.status == .running }.map {
      CrashRecord(
        content: $0.content, recipe: RenderRequest.read($0.request)?.recipe ?? "", render: $0.id,
        cause: "server-\(now)", reason: "the server died", timestamp: now)
    }
    try await store.requeueRunning(after: losses)
    suspects = Set(try await store.quarantine().map(\.content))
    guard !losses.isEmpty else { return }
    gauges.lost(process: "server")
    log.warning("the previous server died", metadata: ["rendering": "\(losses.map(\.render))"])
  }

  /// Counts a lost worker against the creative; returns a fault if the creative is quarantined by that.
  func count(_ work: RenderWork, _ reason: String) async -> Fault? {
    suspects.insert(work.content)
    let now = Instant.now
    let loss = CrashRecord(
      content: work.content, recipe: work.request.recipe, render: work.id, cause: RenderID.make(at: now),
      reason: reason, timestamp: now)
    do throws(Fault) {
      let losses = try await store.count(loss)
      return losses >= limit ? Self.verdict(losses, reason) : nil
    } catch {
      log.error("a worker's death can't be recorded", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// Clears the recorded losses of a creative that was rendered completely after all.
  func undoCrashRecords(of work: RenderWork) async {
    guard suspects.contains(work.content) else { return }
    do throws(Fault) {
      try await store.clear(work.id, content: work.content, recipe: work.request.recipe)
      if try await store.known(of: work.content) == nil { suspects.remove(work.content) }
    } catch {
      log.error("losses can't be cleared", metadata: ["error": "\(error)"])
    }
  }
}
