internal import Jobs
internal import Logging
internal import ServiceStore

extension RenderDesk {
  /// What is said of a creative that isn't tried any more.
  static func quarantine(_ losses: Int, _ reason: String) -> Fault {
    .creative("quarantined", "\(losses) processes died under it and it isn't rendered any more; the last: \(reason)")
  }

  /// Counts what the death of the server before this one cost, and takes over what it had begun.
  ///
  /// A server that was told to stop leaves nothing as running, so that whatever is was hit.
  func takeOver(_ rows: [RenderRow]) async throws(Fault) {
    let now = Instant.now
    let losses = rows.filter { $0.status == .running }.map {
      Loss(
        content: $0.content, recipe: RenderRequest.read($0.request)?.recipe ?? "", render: $0.id,
        cause: "server-\(now)", reason: "the server died", instant: now)
    }
    try await store.handBack(after: losses)
    suspects = Set(try await store.quarantine().map(\.content))
    guard !losses.isEmpty else { return }
    gauges.lost(process: "server")
    log.warning("the server before died", metadata: ["rendering": "\(losses.map(\.render))"])
  }

  /// Counts a worker against the creative it died under; the number is of all that died under it.
  func countLoss(_ work: RenderWork, _ reason: String) async -> Int {
    suspects.insert(work.content)
    let now = Instant.now
    let loss = Loss(
      content: work.content, recipe: work.request.recipe, render: work.id, cause: RenderID.make(at: now),
      reason: reason, instant: now)
    do throws(Fault) {
      return try await store.count(loss)
    } catch {
      log.error("a lost worker couldn't be counted", metadata: ["error": "\(error)"])
      return 0
    }
  }

  /// Ends what waits of a creative that isn't tried any more; what runs is ended by its own next loss.
  func endWaiting(of content: String, _ fault: Fault) async {
    for work in works.values where work.content == content && !work.hasStarted {
      await release(work.id)
      await end(work.id, .quarantined, fault)
    }
  }

  /// Takes back what a render that completed after all has lost.
  func acquit(_ work: RenderWork) async {
    guard suspects.contains(work.content) else { return }
    do throws(Fault) {
      try await store.acquit(work.id, content: work.content, recipe: work.request.recipe)
      if try await store.losses(of: work.content) == nil { suspects.remove(work.content) }
    } catch {
      log.error("losses couldn't be taken back", metadata: ["error": "\(error)"])
    }
  }
}
