internal import Jobs
internal import Workers

/// One run of `galley render`: the plan's jobs through a pool, told as they go and summed up at the end.
struct Batch: Sendable {
  let plan: BatchPlan
  let settings: PoolSettings
  let output: OutputOptions

  /// Renders everything and returns the exit status.
  func run() async throws(Fault) -> ExitStatus {
    let clock = ContinuousClock()
    let start = clock.now
    var reporter = BatchReporter(plan: plan, output: output, console: .output, errors: .error)
    reporter.begin()
    let (records, interrupted) = await render(&reporter)
    let result = BatchResult(
      plan: plan, finished: records, interrupted: interrupted, wall: start.duration(to: clock.now))
    try reporter.end(result)
    return result.status
  }

  private func render(_ reporter: inout BatchReporter) async -> (records: [Int: RenderRecord], interrupted: Bool) {
    let jobs = plan.jobs
    guard !jobs.isEmpty else { return ([:], false) }
    let pool = WorkerPool(settings)
    let work = Task {
      await RunGuard.during(settings.run, executable: Executables.own) { await pool.run(jobs) }
    }
    let interruption = Interruption { work.cancel() }
    var records: [Int: RenderRecord] = [:]
    for await event in pool.events {
      if case .finished(let job, let record) = event { records[job] = record }
      reporter.take(event)
    }
    await work.value
    return (records, interruption.hasHappened)
  }
}
