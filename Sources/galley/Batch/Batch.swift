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
    let (records, interrupted) = await PoolRun(settings: settings).render(plan.jobs) { reporter.take($0) }
    let result = BatchResult(
      plan: plan, finished: records, interrupted: interrupted, wall: start.duration(to: clock.now))
    try reporter.end(result)
    return result.status
  }
}
