internal import Application
internal import Comparison
internal import Core
internal import MRAID
internal import RenderModel
internal import Workers

/// One run of `galley compare-containers`: every job through a pool, then each creative's results compared.
struct ContainerRun: Sendable {
  let jobs: ContainerJobs
  let settings: PoolSettings
  let comparer: ResultComparer
  let output: OutputOptions

  /// Renders and compares all, tells what came of it, and returns the exit status.
  func run() async throws(Fault) -> ExitStatus {
    var live = Console.error.isTerminal && !output.quiet ? LiveLines(names: jobs.names, total: jobs.jobs.count) : nil
    let (records, interrupted) = await PoolRun(settings: settings).render(jobs.jobs) { event in
      if live?.take(event) == true, let text = live?.redraw(width: Console.error.width) { Console.error.write(text) }
    }
    if let text = live?.erase() { Console.error.write(text) }
    guard !interrupted else { return .interrupted }
    var verdicts: [ContainerVerdict] = []
    for item in jobs.plan.items { verdicts.append(try await verdict(item, records)) }
    let status = ExitStatus(worstOf: verdicts.map { ExitStatus($0) })
    try ContainerReporter(output: output, out: jobs.plan.out).tell(verdicts, status: status)
    return status
  }

  private func verdict(_ item: BatchPlan.Item, _ records: [Int: RenderRecord]) async throws(Fault) -> ContainerVerdict {
    switch item.work {
    case .refused(let record): return ContainerVerdict(name: item.name, refusal: record)
    case .render(let job):
      var showings: [ContainerVerdict.Showing] = []
      for (number, container) in jobs.containers.enumerated() {
        guard let record = records[job.id * jobs.containers.count + number] else { continue }
        let comparison = number == 0 ? nil : try await compare(job, container.name)
        let folder = "\(item.name)/\(container.name)"
        showings.append(.init(container: container.name, record: record, folder: folder, comparison: comparison))
      }
      return ContainerVerdict(name: item.name, showings: showings)
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

extension ExitStatus {
  /// A creative passes when any container shows it: that they differ is no fault.
  init(_ verdict: ContainerVerdict) {
    let statuses = (verdict.showings.map(\.record) + [verdict.refusal].compactMap(\.self)).map { ExitStatus($0) }
    self = statuses.contains(.engine) ? .engine : statuses.contains(.pass) ? .pass : ExitStatus(worstOf: statuses)
  }
}

/// A plan's jobs, once for each container, in folders of their own below the creative's.
struct ContainerJobs: Sendable {
  let plan: BatchPlan
  /// The reference first.
  let containers: [ContainerProfile]
  /// A job's id is its creative's number times the number of containers, plus its container's.
  private(set) var jobs: [RenderJob] = []

  /// Readies the folders.
  init(plan: BatchPlan, containers: [ContainerProfile]) throws(Fault) {
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
  var names: [String] {
    plan.items.flatMap { item in containers.map { "\(item.name) in \($0.name)" } }
  }
}
