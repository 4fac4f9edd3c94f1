internal import Application
internal import Checks
internal import Core
internal import Device
internal import Exploration
internal import Foundation
internal import RenderModel
internal import Reports
internal import Workers

/// One run of `galley check`: renders or explores a plan, judges what came of it, and keeps the report.
struct CheckRun: Sendable {
  let plan: BatchPlan
  let settings: PoolSettings
  /// How far to explore; nil to play scenarios only.
  let budget: Budget?
  let judge: Judge
  let profiles: [Profile]

  /// Everything judged, and whether a signal cut it short.
  func run(_ progress: CheckProgress) async throws(Fault) -> (report: CheckReport, interrupted: Bool) {
    let (records, explored, interrupted) = try await rendered(progress)
    let result = BatchResult(plan: plan, finished: records, interrupted: interrupted, wall: .zero)
    var report = CheckReport(
      galley: Galley.version, rules: judge.rules,
      profiles: profiles.map { CheckReport.ProfileSummary(id: $0.id, title: $0.title) }, creatives: [])
    report.failsOn = judge.failsOn
    report.part = plan.shard.map { ReportPart(shard: $0, positions: plan.items.map(\.position), total: plan.found) }
    for (index, (item, record)) in zip(plan.items, result.records).enumerated() {
      let evidence: Evidence
      switch item.work {
      case .refused: evidence = Evidence(record: record)
      case .render(let job) where job.feed != nil: evidence = Evidence(record: record)
      case .render(let job): evidence = EvidenceReader.read(job, record: record, explored: explored[index])
      }
      report.creatives.append(judge.report(on: evidence, name: item.name, folder: item.hasFolder ? item.name : ""))
      guard case .render(let job) = item.work, job.feed != nil else { continue }
      // Networks take ads, not feeds.
      report.creatives[report.creatives.count - 1].acceptance = []
      report.creatives += EvidenceReader.readFeed(job, record: record).map {
        judge.report(on: $0.evidence, name: "\(item.name)/\($0.name)", folder: item.name)
      }
    }
    try keep(report)
    return (report, interrupted)
  }

  private func rendered(
    _ progress: CheckProgress
  ) async throws(Fault) -> (records: [Int: RenderRecord], explored: [Int: ExploredCreative], interrupted: Bool) {
    var progress = progress
    defer { progress.end() }
    if let budget {
      let run = ExplorationRun(plan: plan, settings: settings, budget: budget)
      return try await run.explore { progress.take($1, of: $0) }
    }
    let (records, interrupted) = await PoolRun(settings: settings).render(plan.jobs) { progress.take($0) }
    return (records, [:], interrupted)
  }

  /// Reports and merging are made from it.
  private func keep(_ report: CheckReport) throws(Fault) {
    let path = "\(plan.out)/\(ReportSource.fileName)"
    do {
      try OutputFile.write(JSONText.of(report), to: path)
    } catch {
      throw Fault.writing(path, error, isNamed: true)
    }
  }
}

extension BatchPlan {
  /// The same creatives once for each device, in folders of their own below the creative's; one device changes nothing.
  func crossed(with devices: [Device]) throws(Fault) -> BatchPlan {
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
