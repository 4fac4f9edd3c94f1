package import Core
package import Exploration
package import RenderModel
package import Workers

/// A plan's creatives on their way through exploration: trials through a pool until nothing is left to try.
package struct ExplorationRun: Sendable {
  private let plan: BatchPlan
  private let settings: PoolSettings
  private let budget: Budget

  package init(plan: BatchPlan, settings: PoolSettings, budget: Budget) {
    (self.plan, self.settings, self.budget) = (plan, settings, budget)
  }

  /// Records and finds by the plan's item; `tell` hears of each trial that came back.
  package func explore(
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

/// The explorations of a run, a few at a time, over one sequence of job ids.
private struct Fleet: Sendable {
  private var expeditions: [Int: Expedition] = [:]
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
  func expedition(_ item: Int) -> Expedition? { expeditions[item] }

  /// Sets out with as many as may be under way.
  mutating func begin() -> [RenderJob] {
    var jobs: [RenderJob] = []
    while expeditions.values.count(where: { !$0.isDone }) < width, let job = waiting.popFirst() {
      var expedition = Expedition(job: job, budget: budget)
      jobs.append(own(expedition.start(id: takeID()), job.id))
      expeditions[job.id] = expedition
    }
    return jobs
  }

  /// Takes a finished job in and says what to render next.
  mutating func take(_ record: RenderRecord, of job: Int) -> [RenderJob] {
    guard let item = owners.removeValue(forKey: job), var expedition = expeditions[item] else { return [] }
    let jobs = expedition.take(record, of: job, next: &nextID)
    expeditions[item] = expedition
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
