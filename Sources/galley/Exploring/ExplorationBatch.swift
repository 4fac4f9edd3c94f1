internal import Exploration
internal import Jobs
internal import Workers

/// One run of `galley render --explore`: trials through a pool until nothing is left to try.
struct ExplorationBatch: Sendable {
  let plan: BatchPlan
  let settings: PoolSettings
  let budget: Budget
  let output: OutputOptions

  /// Explores everything and returns the exit status.
  func run() async throws(Fault) -> ExitStatus {
    let clock = ContinuousClock()
    let start = clock.now
    var reporter = ExplorationReporter(plan: plan, output: output, console: .output, errors: .error)
    let (fleet, interrupted) = await explore(&reporter)
    var records: [Int: RenderRecord] = [:]
    var explored: [Int: ExploredCreative] = [:]
    for job in plan.jobs {
      guard let expedition = fleet.expedition(job.id) else { continue }
      if expedition.isDone { records[job.id] = expedition.record }
      explored[job.id] = try expedition.finish()
    }
    let result = BatchResult(
      plan: plan, finished: records, interrupted: interrupted, wall: start.duration(to: clock.now))
    try reporter.end(result, explored)
    let failed = explored.values.contains(where: \.engineFailed)
    return ExitStatus(worstOf: [result.status] + (failed ? [.engine] : []))
  }

  private func explore(_ reporter: inout ExplorationReporter) async -> (Fleet, interrupted: Bool) {
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
      if let item, let expedition = fleet.expedition(item) { reporter.take(expedition.explorer, of: item) }
      if fleet.isDone { await pool.close() }
    }
    await work.value
    return (fleet, interruption.hasHappened)
  }
}
