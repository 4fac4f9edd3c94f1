internal import Jobs
internal import MRAID
internal import Workers

/// What came of a plan.
struct BatchResult: Sendable {
  /// One record for each of the plan's items, in its order.
  let records: [RenderRecord]
  let status: ExitStatus
  let wall: Duration

  /// Jobs without a record were cut short by an interruption.
  init(plan: BatchPlan, finished: [Int: RenderRecord], interrupted: Bool, wall: Duration) {
    records = plan.items.enumerated().map { index, item in
      switch item.work {
      case .refused(let record): record
      case .render(let job): finished[index] ?? Self.cutShort(job)
      }
    }
    let statuses = records.map { ExitStatus($0) }
    status = ExitStatus(worstOf: interrupted ? [.interrupted] : statuses)
    self.wall = wall
  }

  func count(_ outcome: RenderRecord.Outcome) -> Int {
    records.count { $0.outcome == outcome }
  }

  private static func cutShort(_ job: RenderJob) -> RenderRecord {
    RenderRecord(
      creative: RenderRecord.Creative(path: job.creative.argument), device: RenderRecord.DeviceSummary(job.device),
      container: job.container?.name, outcome: .failed,
      failure: .request("cancelled", "the run was interrupted before it was done"))
  }
}
