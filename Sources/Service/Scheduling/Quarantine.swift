internal import Core
internal import Logging

/// Counts the deaths that creatives cost, and says which aren't tried any more.
actor Quarantine {
  private let store: Store
  /// Deaths after which a creative isn't tried any more.
  private let limit: Int
  private let gauges: ServiceGauges
  private let log: Logger
  /// Creatives that cost workers and didn't complete since.
  private var suspects: Set<String> = []

  init(store: Store, limit: Int, gauges: ServiceGauges, log: Logger) {
    (self.store, self.limit, self.gauges, self.log) = (store, limit, gauges, log)
  }

  /// What is said of a creative that isn't tried any more.
  static func verdict(_ losses: Int, _ reason: String) -> Fault {
    .creative(
      "creative-quarantined", "\(losses) processes died under it and it isn't rendered any more; the last: \(reason)")
  }

  /// Why a render's creative isn't tried any more; nil when it is.
  func verdict(on row: RenderRow) async -> Fault? {
    do throws(Fault) {
      guard let losses = try await store.losses(of: row.content), losses.count >= limit else { return nil }
      return Self.verdict(losses.count, losses.reason)
    } catch {
      log.error("losses couldn't be read", metadata: ["render": "\(row.id)", "error": "\(error)"])
      return nil
    }
  }

  /// Counts what the death of the server before this one cost, and takes over what it had begun.
  ///
  /// A server that was told to stop leaves nothing as running, so that whatever is was hit.
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
    log.warning("the server before died", metadata: ["rendering": "\(losses.map(\.render))"])
  }

  /// Counts a worker against the creative it died under; returns why that isn't tried any more, if so.
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
      log.error("a lost worker couldn't be counted", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// Takes back what a render that completed after all has lost.
  func undoCrashRecords(of work: RenderWork) async {
    guard suspects.contains(work.content) else { return }
    do throws(Fault) {
      try await store.clearCrashes(work.id, content: work.content, recipe: work.request.recipe)
      if try await store.losses(of: work.content) == nil { suspects.remove(work.content) }
    } catch {
      log.error("losses couldn't be taken back", metadata: ["error": "\(error)"])
    }
  }
}
