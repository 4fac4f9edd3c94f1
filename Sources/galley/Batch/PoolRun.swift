internal import Jobs
internal import Workers

/// Jobs on their way through a pool, watched by the guard and ended early by a signal.
struct PoolRun: Sendable {
  let settings: PoolSettings

  /// Renders all, telling each event; returns the records by job, and whether a signal ended it.
  func render(
    _ jobs: [RenderJob], tell: (PoolEvent) -> Void = { _ in }
  ) async -> (records: [Int: RenderRecord], interrupted: Bool) {
    guard !jobs.isEmpty else { return ([:], false) }
    let pool = WorkerPool(settings)
    // A signal may come before there is anything to end.
    let (signals, signal) = AsyncStream.makeStream(of: Void.self)
    let interruption = Interruption { signal.yield() }
    let work = Task {
      await RunGuard.during(settings.run, executable: Executables.own) { await pool.run(jobs) }
    }
    let ending = Task {
      for await _ in signals { work.cancel() }
    }
    defer { ending.cancel() }
    var records: [Int: RenderRecord] = [:]
    for await event in pool.events {
      if case .finished(let job, let record) = event { records[job] = record }
      tell(event)
    }
    await work.value
    return (records, interruption.hasHappened)
  }
}
