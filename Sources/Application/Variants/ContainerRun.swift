package import Comparison
package import Core
package import MRAID
internal import RenderModel
package import Workers

/// Renders every job in each container, then compares each creative's results.
package struct ContainerRun: Sendable {
  private let jobs: JobVariants
  private let settings: PoolSettings
  private let comparer: ResultComparer

  package init(jobs: JobVariants, settings: PoolSettings, comparer: ResultComparer) {
    (self.jobs, self.settings, self.comparer) = (jobs, settings, comparer)
  }

  /// Renders and compares all creatives; nil if a signal ended the run.
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
      for (number, container) in jobs.variants.enumerated() {
        guard let record = jobs.job(job, number).flatMap({ records[$0.id] }) else { continue }
        let comparison = number == 0 ? nil : try await compare(job, container)
        let folder = "\(item.name)/\(container)"
        runs.append(.init(container: container, record: record, folder: folder, comparison: comparison))
      }
      return ContainerVerdict(name: item.name, runs: runs)
    }
  }

  private func compare(_ job: RenderJob, _ container: String) async throws(Fault) -> ResultVerdict {
    let sides: ([ResultListing], [ResultListing])
    do throws(Fault) {
      sides = (
        try ResultTree.results(below: "\(job.output)/\(jobs.variants[0])"),
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

extension JobVariants {
  /// Makes the jobs of a plan in containers, with the reference first.
  package init(plan: BatchPlan, containers: [ContainerProfile]) throws(Fault) {
    try self.init(plan: plan, variants: containers.map(\.name)) { job, number in
      let container = containers[number]
      job.container = container.differences.isEmpty ? nil : container
      job.show(in: container)
    }
  }
}
