internal import Baselines
internal import Comparison
internal import Jobs
internal import Planning
internal import Workers

/// Renders creatives and judges them by their baselines, those that aren't settled again.
struct BaselineRun: Sendable {
  let plan: BatchPlan
  /// By the job's id.
  let places: [Int: BaselinePlace]
  let machine: MachineFingerprint
  let settings: PoolSettings
  let comparer: ResultComparer
  /// Renders of one creative, at most.
  let renders: Int
  /// Whether pictures are compared though something else drew the baseline.
  let isAcross: Bool
  let output: OutputOptions

  /// Nil when a signal ended it.
  func run() async throws(Fault) -> [BaselineOutcome]? {
    var works: [Int: BaselineWork] = [:]
    for job in plan.jobs {
      guard let place = places[job.id] else { continue }
      works[job.id] = BaselineWork(job: job, place: place, isAcross: isAcross)
    }
    var waiting = plan.jobs
    for render in 0..<renders where !waiting.isEmpty {
      let jobs = try waiting.map { job throws(Fault) in try Self.job(job, render: render) }
      guard let records = await self.render(jobs) else { return nil }
      var unsettled: [RenderJob] = []
      for job in waiting {
        guard let record = records[job.id] else { continue }
        await works[job.id]?.take(record, folder: Self.folder(job, render: render), machine, comparer)
        if works[job.id]?.needsAnother == true { unsettled.append(job) }
      }
      waiting = unsettled
    }
    var outcomes: [BaselineOutcome] = []
    for item in plan.items { outcomes.append(try await outcome(item, works)) }
    return outcomes
  }

  private func render(_ jobs: [RenderJob]) async -> [Int: RenderRecord]? {
    var live =
      Console.error.isTerminal && !output.quiet ? LiveLines(names: plan.items.map(\.name), total: jobs.count) : nil
    let (records, interrupted) = await PoolRun(settings: settings.again).render(jobs) { event in
      if live?.take(event) == true, let text = live?.redraw(width: Console.error.width) { Console.error.write(text) }
    }
    if let text = live?.erase() { Console.error.write(text) }
    return interrupted ? nil : records
  }

  private func outcome(_ item: BatchPlan.Item, _ works: [Int: BaselineWork]) async throws(Fault) -> BaselineOutcome {
    switch item.work {
    case .refused(let record): return BaselineOutcome(name: item.name, failure: record)
    case .render(let job):
      guard let work = works[job.id] else { return BaselineOutcome(name: item.name, failure: nil) }
      return try await work.outcome(item.name, comparer)
    }
  }

  private static func folder(_ job: RenderJob, render: Int) -> String {
    render == 0 ? job.output : "\(ResultFolder(job.output).retries)/\(render + 1)"
  }

  private static func job(_ job: RenderJob, render: Int) throws(Fault) -> RenderJob {
    var other = job
    other.output = folder(job, render: render)
    if render > 0 { try ResultFolder(other.output).prepare() }
    return other
  }
}

extension PoolSettings {
  /// The same for another pool: a run's mark is used once.
  fileprivate var again: PoolSettings {
    var other = self
    other.run = RunIdentifier()
    return other
  }
}
