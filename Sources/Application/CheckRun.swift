package import Checks
package import Core
package import Exploration
internal import Foundation
package import RenderModel
internal import Reports
package import Workers

/// Renders or explores a plan, judges what came of it, and keeps the report.
package struct CheckRun: Sendable {
  /// What is told on the way.
  package enum Progress {
    case render(PoolEvent)
    /// A trial of a plan's item came back.
    case trial(item: Int, Crawler)
  }

  private let plan: BatchPlan
  private let settings: PoolSettings
  /// How far to explore; nil to play scenarios only.
  private let budget: Budget?
  private let judge: ResultChecker
  /// Hosts that are taken away from each creative one after the other; 0 for none.
  private let mostHosts: Int

  package init(
    plan: BatchPlan, settings: PoolSettings, budget: Budget?, judge: ResultChecker, mostHosts: Int = 0
  ) {
    (self.plan, self.settings, self.budget, self.judge) = (plan, settings, budget, judge)
    self.mostHosts = mostHosts
  }

  /// Everything judged, and whether a signal cut it short; `onProgress` hears how it goes, `done` when all is rendered.
  package func run(
    onProgress: (Progress) -> Void, done: () -> Void
  ) async throws(Fault) -> (report: CheckReport, interrupted: Bool) {
    var (records, explored, interrupted) = try await rendered(onProgress)
    var outages: [Int: [Outage]] = [:]
    if mostHosts > 0, !interrupted {
      let tried = try await OutageRun(settings: settings, most: mostHosts).run(plan.jobs, records)
      outages = tried ?? [:]
      interrupted = tried == nil
    }
    done()
    let result = BatchResult(plan: plan, finished: records, interrupted: interrupted, wall: .zero)
    var report = judge.report
    report.part = plan.shard.map { ReportPart(shard: $0, positions: plan.items.map(\.position), total: plan.found) }
    for (index, (item, record)) in zip(plan.items, result.records).enumerated() {
      switch item.work {
      case .refused:
        report.creatives.append(
          judge.judge(CheckContext(record: record), name: item.name, folder: item.hasFolder ? item.name : ""))
      case .render(let job):
        let tried = mostHosts > 0 && job.feed == nil ? outages[job.id] ?? [] : nil
        report.creatives += judge.judge(
          job, record: record, explored: explored[index], outages: tried, name: item.name)
      }
    }
    do {
      try judge.keep(report, in: plan.out)
    } catch {
      throw Fault.writing("\(plan.out)/\(ReportSource.fileName)", error, isNamed: true)
    }
    return (report, interrupted)
  }

  private func rendered(
    _ onProgress: (Progress) -> Void
  ) async throws(Fault) -> (records: [Int: RenderRecord], explored: [Int: ExploredCreative], interrupted: Bool) {
    if let budget {
      let run = ExplorationRun(plan: plan, settings: settings, budget: budget)
      return try await run.explore { onProgress(.trial(item: $0, $1)) }
    }
    let (records, interrupted) = await PoolRun(settings: settings).render(plan.jobs) { onProgress(.render($0)) }
    return (records, [:], interrupted)
  }
}

/// Judges what renders left, and makes and keeps the report.
package struct ResultChecker: Sendable {
  private let judge: CheckRunner
  private let profiles: [Profile]

  /// Judges by the day that it is, by which suppressions expire.
  package init(policy: Policy = Policy(), profiles: [Profile]) {
    let today = Date.now.formatted(.iso8601.year().month().day())
    judge = CheckRunner(policy: policy, profiles: profiles, today: today)
    self.profiles = profiles
  }

  /// A report without creatives.
  package var report: CheckReport {
    var report = CheckReport(
      galley: Galley.version, rules: judge.rules,
      profiles: profiles.map { CheckReport.ProfileSummary(id: $0.id, title: $0.title) }, creatives: [])
    report.failsOn = judge.failsOn
    return report
  }

  /// The verdict on a render whose results are in `job`'s folder; of a feed also those on each of its ads.
  package func judge(
    _ job: RenderJob, record: RenderRecord, explored: ExploredCreative?, outages: [Outage]? = nil, name: String
  ) -> [CreativeReport] {
    guard job.feed != nil else {
      var context = CheckContextReader.read(job, record: record, explored: explored)
      context.outages = outages
      return [judge(context, name: name, folder: name)]
    }
    var feed = judge(CheckContext(record: record), name: name, folder: name)
    // Networks take ads, not feeds.
    feed.acceptance = []
    return [feed]
      + CheckContextReader.readFeed(job, record: record).map {
        judge($0.evidence, name: "\(name)/\($0.name)", folder: name)
      }
  }

  func judge(_ evidence: CheckContext, name: String, folder: String) -> CreativeReport {
    judge.report(on: evidence, name: name, folder: folder)
  }

  /// Writes the report that others are made from.
  package func keep(_ report: CheckReport, in folder: String) throws {
    try OutputFile.write(JSONText.of(report), to: "\(folder)/\(ReportSource.fileName)")
  }
}
