internal import Exploration
internal import Jobs
internal import Planning
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
    let run = ExplorationRun(plan: plan, settings: settings, budget: budget)
    let (records, explored, interrupted) = try await run.explore { reporter.take($1, of: $0) }
    let result = BatchResult(
      plan: plan, finished: records, interrupted: interrupted, wall: start.duration(to: clock.now))
    try reporter.end(result, explored)
    let failed = explored.values.contains(where: \.engineFailed)
    return ExitStatus(worstOf: [result.status] + (failed ? [.engine] : []))
  }
}
