package import Checks
package import Core
package import Device
internal import MRAID
package import RenderModel
internal import Workers

/// What a command line comes down to: jobs to render and arguments that can't be.
package struct BatchPlan: Sendable {
  /// One result to come.
  package struct Item: Sendable {
    /// What tables call it: the result folder's name, or the argument when there is none.
    package let name: String
    /// The job, or the record of why there is none.
    package let work: Work
    /// Where its creative stands among all that were found, whichever shard they are in.
    package var position = 0
    /// Whether there is a folder of its name: what couldn't even be found has none.
    package var hasFolder = true

    package init(name: String, work: Work, position: Int = 0, hasFolder: Bool = true) {
      (self.name, self.work, self.position, self.hasFolder) = (name, work, position, hasFolder)
    }
  }

  /// What becomes of an item.
  package enum Work: Sendable {
    case render(RenderJob)
    case refused(RenderRecord)
  }

  /// The results' folder as the caller wrote it.
  package let out: String
  /// In the order of the arguments; a job's id is its item's index.
  package var items: [Item]
  /// The share of the creatives found that this is, and how many those were.
  package var shard: Shard?
  package var found = 0
  /// Names of the creatives whose own scenario was found beside them.
  package var withOwnScenario: [String] = []

  package init(out: String, items: [Item], shard: Shard? = nil, found: Int = 0, withOwnScenario: [String] = []) {
    (self.out, self.items, self.shard, self.found) = (out, items, shard, found)
    self.withOwnScenario = withOwnScenario
  }

  /// What is rendered of it.
  package var jobs: [RenderJob] {
    items.compactMap { if case .render(let job) = $0.work { job } else { nil } }
  }
}

extension BatchPlan {
  /// The same creatives once for each device, in folders of their own below the creative's; one device changes nothing.
  package func crossed(with devices: [Device]) throws(Fault) -> BatchPlan {
    guard devices.count > 1 else { return self }
    var crossed = BatchPlan(out: out, items: [], shard: shard, found: found, withOwnScenario: withOwnScenario)
    for item in items {
      guard case .render(let job) = item.work else {
        crossed.items.append(item)
        continue
      }
      for device in devices {
        var other = job
        other.id = crossed.items.count
        other.device = device
        other.output = "\(job.output)/\(device.name)"
        try ResultFolder(other.output).prepare()
        crossed.items.append(
          Item(name: "\(item.name)/\(device.name)", work: .render(other), position: item.position))
      }
    }
    return crossed
  }
}

/// What came of a plan.
package struct BatchResult: Sendable {
  /// One record for each of the plan's items, in its order.
  package let records: [RenderRecord]
  /// Whether a signal ended it early.
  package let interrupted: Bool
  package let wall: Duration

  /// Jobs without a record were cut short by an interruption.
  package init(plan: BatchPlan, finished: [Int: RenderRecord], interrupted: Bool, wall: Duration) {
    records = plan.items.enumerated().map { index, item in
      switch item.work {
      case .refused(let record): record
      case .render(let job): finished[index] ?? RenderRecord.cutShort(job)
      }
    }
    (self.interrupted, self.wall) = (interrupted, wall)
  }

  /// How many ended so.
  package func count(_ outcome: RenderRecord.Outcome) -> Int {
    records.count { $0.outcome == outcome }
  }
}

extension RenderRecord {
  /// The code of what a signal ended before it was done.
  package static let cancelledCode = "render-cancelled"

  /// The record of a job that a signal cut short.
  static func cutShort(_ job: RenderJob) -> RenderRecord {
    RenderRecord(
      creative: RenderRecord.Creative(path: job.creative.argument), device: RenderRecord.DeviceSummary(job.device),
      container: job.container?.name, outcome: .failed,
      failure: .request("render-cancelled", "the run was interrupted before it was done"))
  }
}
