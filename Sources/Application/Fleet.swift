package import Exploration
package import RenderModel

/// The explorations of a run, a few at a time, over one sequence of job ids.
package struct Fleet: Sendable {
  private var expeditions: [Int: Expedition] = [:]
  /// Which item of the plan a job is for.
  private var owners: [Int: Int] = [:]
  private var waiting: ArraySlice<RenderJob>
  private var nextID: Int
  private let budget: Budget
  /// Explorations that are under way together, so that no worker waits for another's trial.
  private let width: Int

  package init(_ jobs: [RenderJob], budget: Budget, width: Int) {
    waiting = jobs[...]
    nextID = (jobs.map(\.id).max() ?? -1) + 1
    self.budget = budget
    self.width = width
  }

  package var isDone: Bool { waiting.isEmpty && owners.isEmpty }

  /// The item whose trial a job is.
  package func item(of job: Int) -> Int? { owners[job] }
  package func expedition(_ item: Int) -> Expedition? { expeditions[item] }

  /// Sets out with as many as may be under way.
  package mutating func begin() -> [RenderJob] {
    var jobs: [RenderJob] = []
    while expeditions.values.count(where: { !$0.isDone }) < width, let job = waiting.popFirst() {
      var expedition = Expedition(job: job, budget: budget)
      jobs.append(own(expedition.start(id: takeID()), job.id))
      expeditions[job.id] = expedition
    }
    return jobs
  }

  /// Takes a finished job in and says what to render next.
  package mutating func take(_ record: RenderRecord, of job: Int) -> [RenderJob] {
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
