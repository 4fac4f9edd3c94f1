internal import Checks
internal import Core
internal import MRAID
internal import RenderModel
internal import Workers

/// What a command line comes down to: jobs to render and arguments that can't be.
struct BatchPlan: Sendable {
  /// One result to come.
  struct Item: Sendable {
    /// What tables call it: the result folder's name, or the argument when there is none.
    let name: String
    /// The job, or the record of why there is none.
    let work: Work
    /// Where its creative stands among all that were found, whichever shard they are in.
    var position = 0
    /// Whether there is a folder of its name: what couldn't even be found has none.
    var hasFolder = true
  }
  enum Work: Sendable {
    case render(RenderJob)
    case refused(RenderRecord)
  }

  /// The results' folder as the caller wrote it.
  let out: String
  /// In the order of the arguments; a job's id is its item's index.
  var items: [Item]
  /// The share of the creatives found that this is, and how many those were.
  var shard: Shard?
  var found = 0

  var jobs: [RenderJob] {
    items.compactMap { if case .render(let job) = $0.work { job } else { nil } }
  }

  /// Names of the creatives whose own scenario was found beside them.
  var withOwnScenario: [String] = []
}

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
