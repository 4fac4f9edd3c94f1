package import Core
package import Exploration
package import RenderModel
package import Workers

/// A plan's creatives on their way through exploration: trials through a pool until nothing is left to try.
package struct ExplorationRun: Sendable {
  /// With their recordings, where they have any.
  private let jobs: [RenderJob]
  private let settings: PoolSettings
  private let budget: Budget

  package init(plan: BatchPlan, settings: PoolSettings, budget: Budget) {
    (self.settings, self.budget) = (settings, budget)
    jobs = settings.prepared(plan.jobs)
  }

  /// Records and finds by the plan's item; `onProgress` hears of each trial that came back.
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

/// The explorations of a run, a few at a time, over one sequence of job ids.
private struct ExplorationPool: Sendable {
  private var expeditions: [Int: ExplorationJob] = [:]
  /// Which item of the plan a job is for.
  private var owners: [Int: Int] = [:]
  private var waiting: ArraySlice<RenderJob>
  private var nextID: Int
  private let budget: Budget
  /// Explorations that are under way together, so that no worker waits for another's trial.
  private let width: Int

  init(_ jobs: [RenderJob], budget: Budget, width: Int) {
    waiting = jobs[...]
    nextID = (jobs.map(\.id).max() ?? -1) + 1
    self.budget = budget
    self.width = width
  }

  var isDone: Bool { waiting.isEmpty && owners.isEmpty }

  /// The item whose trial a job is.
  func item(of job: Int) -> Int? { owners[job] }
  func explorationJob(_ item: Int) -> ExplorationJob? { expeditions[item] }

  /// Sets out with as many as may be under way.
  mutating func begin() -> [RenderJob] {
    var jobs: [RenderJob] = []
    while expeditions.values.count(where: { !$0.isDone }) < width, let job = waiting.popFirst() {
      var explorationJob = ExplorationJob(job: job, budget: budget)
      jobs.append(own(explorationJob.start(id: takeID()), job.id))
      expeditions[job.id] = explorationJob
    }
    return jobs
  }

  /// Takes a finished job in and says what to render next.
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
