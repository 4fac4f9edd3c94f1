internal import Conformance
internal import Jobs
internal import Workers

/// One run of the suite: its cases through a pool, and what their pages said.
struct Selftest: Sendable {
  /// What came of it.
  struct Outcome: Sendable {
    let report: ConformanceReport
    let interrupted: Bool
    let wall: Duration
  }

  let cases: [ConformanceCase]
  /// One for each case, with its index as id.
  let jobs: [RenderJob]
  let settings: PoolSettings

  /// Renders all; a terminal sees on `errors` how far it is.
  func run(errors: Console = .error) async -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    var live = errors.isTerminal ? LiveLines(names: cases.map(\.name), total: cases.count) : nil
    let (records, interrupted) = await PoolRun(settings: settings).render(jobs) { event in
      if live?.take(event) == true, let text = live?.redraw(width: errors.width) { errors.write(text) }
    }
    if let text = live?.erase() { errors.write(text) }
    let rows = zip(cases, jobs).flatMap { subject, job in
      let console = ConsoleLines.read(ResultFolder(job.output).events)
      return CaseVerdict(subject, console: console, record: records[job.id] ?? Self.cutShort(job)).rows
    }
    return Outcome(
      report: ConformanceReport(rows), interrupted: interrupted, wall: start.duration(to: clock.now))
  }

  private static func cutShort(_ job: RenderJob) -> RenderRecord {
    RenderRecord(
      creative: RenderRecord.Creative(path: job.creative.argument), device: RenderRecord.DeviceSummary(job.device),
      outcome: .failed, failure: .request("cancelled", "the run was interrupted before it was done"))
  }
}
