internal import Application
internal import Core
internal import Exploration
internal import RenderModel
internal import Workers

/// A plan's creatives on their way through exploration: trials through a pool until nothing is left to try.
struct ExplorationRun: Sendable {
  let plan: BatchPlan
  let settings: PoolSettings
  let budget: Budget

  /// Records and finds by the plan's item; `tell` hears of each trial that came back.
  func explore(
    tell: (Int, Explorer) -> Void
  ) async throws(Fault) -> (records: [Int: RenderRecord], explored: [Int: ExploredCreative], interrupted: Bool) {
    let (fleet, interrupted) = await fleet(tell: tell)
    var records: [Int: RenderRecord] = [:]
    var explored: [Int: ExploredCreative] = [:]
    for job in plan.jobs {
      guard let expedition = fleet.expedition(job.id) else { continue }
      if expedition.isDone { records[job.id] = expedition.record }
      explored[job.id] = try expedition.finish()
    }
    return (records, explored, interrupted)
  }

  private func fleet(tell: (Int, Explorer) -> Void) async -> (Fleet, interrupted: Bool) {
    var fleet = Fleet(plan.jobs, budget: budget, width: settings.capacity)
    guard !fleet.isDone else { return (fleet, false) }
    let pool = WorkerPool(settings)
    await pool.submit(fleet.begin())
    let work = Task {
      await RunGuard.during(settings.run, executable: Executables.own) { await pool.run() }
    }
    let interruption = Interruption { work.cancel() }
    for await event in pool.events {
      guard case .finished(let job, let record) = event else { continue }
      let item = fleet.item(of: job)
      await pool.submit(fleet.take(record, of: job))
      if let item, let expedition = fleet.expedition(item) { tell(item, expedition.explorer) }
      if fleet.isDone { await pool.close() }
    }
    await work.value
    return (fleet, interruption.hasHappened)
  }
}
