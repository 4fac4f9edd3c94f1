package import Comparison
package import Core
package import MRAID
internal import RenderModel
package import Workers

/// Renders every job in each container, then compares each creative's results.
package struct ContainerRun: Sendable {
  private let jobs: ContainerJobs
  private let settings: PoolSettings
  private let comparer: ResultComparer

  package init(jobs: ContainerJobs, settings: PoolSettings, comparer: ResultComparer) {
    (self.jobs, self.settings, self.comparer) = (jobs, settings, comparer)
  }

  /// Renders and compares all; nil when a signal ended it.
  package func run(onProgress: (PoolProgress) -> Void) async throws(Fault) -> [ContainerVerdict]? {
    let (records, interrupted) = await PoolRun(settings: settings).render(jobs.jobs, progress: onProgress)
    guard !interrupted else { return nil }
    var verdicts: [ContainerVerdict] = []
    for item in jobs.plan.items { verdicts.append(try await verdict(item, records)) }
    return verdicts
  }

  private func verdict(_ item: BatchPlan.Item, _ records: [Int: RenderRecord]) async throws(Fault) -> ContainerVerdict {
    switch item.work {
    case .refused(let record): return ContainerVerdict(name: item.name, refusal: record)
    case .render(let job):
      var runs: [ContainerVerdict.Run] = []
      for (number, container) in jobs.containers.enumerated() {
        guard let record = records[job.id * jobs.containers.count + number] else { continue }
        let comparison = number == 0 ? nil : try await compare(job, container.name)
        let folder = "\(item.name)/\(container.name)"
        runs.append(.init(container: container.name, record: record, folder: folder, comparison: comparison))
      }
      return ContainerVerdict(name: item.name, runs: runs)
    }
  }

  private func compare(_ job: RenderJob, _ container: String) async throws(Fault) -> ResultVerdict {
    let sides: ([ResultListing], [ResultListing])
    do throws(Fault) {
      sides = (
        try ResultTree.results(below: "\(job.output)/\(jobs.containers[0].name)"),
        try ResultTree.results(below: "\(job.output)/\(container)")
      )
    } catch {
      var verdict = ResultVerdict(name: "")
      verdict.problems.append(error.message)
      return verdict
    }
    return try await comparer.compare(sides.0, sides.1).first ?? ResultVerdict(name: "")
  }
}

/// A plan's jobs, once for each container, in folders of their own below the creative's.
package struct ContainerJobs: Sendable {
  package let plan: BatchPlan
  /// The reference first.
  fileprivate let containers: [ContainerProfile]
  /// A job's id is its creative's number times the number of containers, plus its container's.
  fileprivate private(set) var jobs: [RenderJob] = []

  /// Readies the folders.
  package init(plan: BatchPlan, containers: [ContainerProfile]) throws(Fault) {
    (self.plan, self.containers) = (plan, containers)
    for job in plan.jobs {
      for (number, container) in containers.enumerated() {
        jobs.append(try Self.job(job, in: container, id: job.id * containers.count + number))
      }
    }
  }

  private static func job(_ job: RenderJob, in container: ContainerProfile, id: Int) throws(Fault) -> RenderJob {
    var other = job
    other.id = id
    other.output = "\(job.output)/\(container.name)"
    other.container = container.differences.isEmpty ? nil : container
    other.show(in: container)
    try ResultFolder(other.output).prepare()
    return other
  }

  /// What live lines call each job, by its id.
  package var names: [String] {
    plan.items.flatMap { item in containers.map { "\(item.name) in \($0.name)" } }
  }
}
