package import Checks
package import Core
package import Device
internal import MRAID
package import RenderModel
internal import Workers

/// Plan of a call: jobs to render, and arguments that can't be rendered.
package struct BatchPlan: Sendable {
  /// Planned result.
  package struct Item: Sendable {
    /// Name in tables: that of the result folder, or the argument if there is none.
    package let name: String
    /// Job to render, or the record with the reason why there is none.
    package let work: Work
    /// Index of the creative among all that were found, including those of other shards.
    package var position = 0
    /// Indicates if there is a result folder; a creative that wasn't found has none.
    package var hasFolder = true
    /// Networks that judge the render; nil for those that the call chose.
    package var trial: PlayableTrial?

    package init(
      name: String, work: Work, position: Int = 0, hasFolder: Bool = true, trial: PlayableTrial? = nil
    ) {
      (self.name, self.work, self.position, self.hasFolder) = (name, work, position, hasFolder)
      self.trial = trial
    }
  }

  /// Job or refusal of an item.
  package enum Work: Sendable {
    case render(RenderJob)
    case refused(RenderRecord)
  }

  /// Folder of the results as the caller wrote it.
  package let out: String
  /// Items in the order of the arguments; a job's id is its item's index.
  package var items: [Item]
  /// Shard of the creatives that the plan covers, nil for all; `found` is the number of all creatives found.
  package var shard: Shard?
  package var found = 0
  /// Names of the creatives whose own scenario was found beside them.
  package var withOwnScenario: [String] = []
  /// Files in the call's folders that look like creatives but aren't rendered by themselves.
  package var leftOut: [String] = []

  package init(
    out: String, items: [Item], shard: Shard? = nil, found: Int = 0, withOwnScenario: [String] = [],
    leftOut: [String] = []
  ) {
    (self.out, self.items, self.shard, self.found) = (out, items, shard, found)
    (self.withOwnScenario, self.leftOut) = (withOwnScenario, leftOut)
  }

  /// Lines on the files that are left out and on creatives with their own scenario; nil for none.
  package var remark: String? {
    let left = leftOut.isEmpty ? "" : "left out, because they aren't creatives: \(leftOut.listed)\n"
    let played = withOwnScenario.isEmpty ? "" : "with a scenario of their own: \(withOwnScenario.listed)\n"
    return left.isEmpty && played.isEmpty ? nil : left + played
  }

  /// Jobs to render.
  package var jobs: [RenderJob] {
    items.compactMap { if case .render(let job) = $0.work { job } else { nil } }
  }
}

extension BatchPlan {
  /// Records in the results' folder which results belong to this run.
  ///
  /// A shard, which is only part of a batch, removes the list instead.
  package func noteResults() throws(Fault) {
    guard shard == nil else { return RunListing.remove(in: out) }
    try RunListing(results: items.filter(\.hasFolder).map(\.name)).write(in: out)
  }

  /// Returns the plan with each creative once for every device, in subfolders; a single device changes nothing.
  package func crossed(with devices: [Device]) throws(Fault) -> BatchPlan {
    guard devices.count > 1 else { return self }
    var crossed = BatchPlan(
      out: out, items: [], shard: shard, found: found, withOwnScenario: withOwnScenario, leftOut: leftOut)
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
          Item(
            name: "\(item.name)/\(device.name)", work: .render(other), position: item.position, trial: item.trial))
      }
    }
    return crossed
  }
}

/// Results of a plan.
package struct BatchResult: Sendable {
  /// Records of the plan's items, in their order.
  package let records: [RenderRecord]
  /// Indicates if a signal ended the run early.
  package let interrupted: Bool
  package let wall: Duration

  /// Makes the result; jobs without a record were cancelled by an interruption.
  package init(plan: BatchPlan, finished: [Int: RenderRecord], interrupted: Bool, wall: Duration) {
    records = plan.items.enumerated().map { index, item in
      switch item.work {
      case .refused(let record): record
      case .render(let job): finished[index] ?? RenderRecord.cutShort(job)
      }
    }
    (self.interrupted, self.wall) = (interrupted, wall)
  }

  /// Returns the number of records with an outcome.
  package func count(_ outcome: RenderRecord.Outcome) -> Int {
    records.count { $0.outcome == outcome }
  }
}

extension RenderRecord {
  /// Code of renders that a signal cancelled.
  package static let cancelledCode = "render-cancelled"

  /// Returns the record of a job that a signal cancelled.
  static func cutShort(_ job: RenderJob) -> RenderRecord {
    RenderRecord(
      creative: RenderRecord.Creative(path: job.creative.argument), device: RenderRecord.DeviceSummary(job.device),
      container: job.container?.name, outcome: .failed,
      failure: .request("render-cancelled", "the run was interrupted before it finished"))
  }
}
