package import Core
package import Exploration
package import RenderModel
package import Workers

/// Exploration of a plan's creatives: runs trials in a pool until nothing is left to try.
package struct ExplorationRun: Sendable {
  /// Jobs of the plan, with their recordings if there are any.
  private let jobs: [RenderJob]
  private let settings: PoolSettings
  private let budget: Budget

  package init(plan: BatchPlan, settings: PoolSettings, budget: Budget) {
    (self.settings, self.budget) = (settings, budget)
    jobs = settings.prepared(plan.jobs)
  }

  /// Returns records and explorations by the plan's item; `onProgress` is called for each finished trial.
  package func explore(
    onProgress: (Int, Crawler) -> Void
  ) async throws(Fault) -> (records: [Int: RenderRecord], explored: [Int: ExploredCreative], interrupted: Bool) {
    let (explorationPool, interrupted) = await explorationPool(onProgress: onProgress)
    var records: [Int: RenderRecord] = [:]
    var explored: [Int: ExploredCreative] = [:]
    for job in jobs {
      guard let explorationJob = explorationPool.explorationJob(job.id) else { continue }
      let problem = settings.recordings?.keep(trialsOf: explorationJob, ofSeveral: jobs.count > 1)
      if explorationJob.isDone { records[job.id] = explorationJob.record }
      if let problem { records[job.id]?.warnings.append(problem) }
      explored[job.id] = try explorationJob.finish()
    }
    return (records, explored, interrupted)
  }

  private func explorationPool(onProgress: (Int, Crawler) -> Void) async -> (ExplorationPool, interrupted: Bool) {
    var explorationPool = ExplorationPool(jobs, budget: budget, width: settings.capacity)
    guard !explorationPool.isDone else { return (explorationPool, false) }
    let pool = settings.pool()
    await pool.submit(explorationPool.begin())
    let work = Task {
      await Watchdog.during(settings.run, executable: Executables.own) { await pool.run() }
    }
    let interruption = Interruption { work.cancel() }
    for await event in pool.events {
      guard case .finished(let job, let record) = event else { continue }
      let item = explorationPool.item(of: job)
      await pool.submit(explorationPool.handleResult(record, of: job))
      if let item, let explorationJob = explorationPool.explorationJob(item) {
        onProgress(item, explorationJob.crawler)
      }
      if explorationPool.isDone { await pool.close() }
    }
    await work.value
    return (explorationPool, interruption.hasHappened)
  }
}

/// Explorations of a run, of which a few run concurrently, with one sequence of job ids.
private struct ExplorationPool: Sendable {
  private var expeditions: [Int: ExplorationJob] = [:]
  /// Items of the plan by the ids of their jobs.
  private var owners: [Int: Int] = [:]
  private var waiting: ArraySlice<RenderJob>
  private var nextID: Int
  private let budget: Budget
  /// Maximum number of concurrent explorations, so that no worker waits for another's trial.
  private let width: Int

  init(_ jobs: [RenderJob], budget: Budget, width: Int) {
    waiting = jobs[...]
    nextID = (jobs.map(\.id).max() ?? -1) + 1
    self.budget = budget
    self.width = width
  }

  var isDone: Bool { waiting.isEmpty && owners.isEmpty }

  /// Returns the item to which a job's trial belongs.
  func item(of job: Int) -> Int? { owners[job] }
  func explorationJob(_ item: Int) -> ExplorationJob? { expeditions[item] }

  /// Starts as many explorations as may run, and returns their first jobs.
  mutating func begin() -> [RenderJob] {
    var jobs: [RenderJob] = []
    while expeditions.values.count(where: { !$0.isDone }) < width, let job = waiting.popFirst() {
      var explorationJob = ExplorationJob(job: job, budget: budget)
      jobs.append(own(explorationJob.start(id: takeID()), job.id))
      expeditions[job.id] = explorationJob
    }
    return jobs
  }

  /// Processes a finished job and returns the next jobs to render.
  mutating func handleResult(_ record: RenderRecord, of job: Int) -> [RenderJob] {
    guard let item = owners.removeValue(forKey: job), var explorationJob = expeditions[item] else { return [] }
    let jobs = explorationJob.handleResult(record, of: job, next: &nextID)
    expeditions[item] = explorationJob
    for job in jobs { _ = own(job, item) }
    return jobs + begin()
  }

  private mutating func takeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  private mutating func own(_ job: RenderJob, _ item: Int) -> RenderJob {
    owners[job.id] = item
    return job
  }
}
