package import Checks
package import Core
package import Exploration
internal import Foundation
package import RenderModel
internal import Reports
package import Workers

/// Renders or explores a plan, judges the results, and stores the report.
package struct CheckRun: Sendable {
  /// Progress of the run.
  package enum Progress {
    case render(PoolEvent)
    /// Finished trial of a plan's item.
    case trial(item: Int, Crawler)
    /// Beginning of the recordings of playables, behind all trials.
    case filming
  }

  private let plan: BatchPlan
  private let settings: PoolSettings
  /// Limits of the exploration; nil to play scenarios only.
  private let budget: Budget?
  private let judge: ResultChecker
  /// Maximum number of hosts that are blocked one after the other for each creative; 0 for none.
  private let mostHosts: Int
  /// Indicates if the fullest way through each playable is recorded.
  private let filmsPlayables: Bool

  package init(
    plan: BatchPlan, settings: PoolSettings, budget: Budget?, judge: ResultChecker, mostHosts: Int = 0,
    filmsPlayables: Bool = false
  ) {
    (self.plan, self.settings, self.budget, self.judge) = (plan, settings, budget, judge)
    (self.mostHosts, self.filmsPlayables) = (mostHosts, filmsPlayables)
  }

  /// Returns the report, and true if a signal interrupted the run.
  ///
  /// `onProgress` is called for each event, `done` once all renders are finished.
  package func run(
    onProgress: (Progress) -> Void, done: () -> Void
  ) async throws(Fault) -> (report: CheckReport, interrupted: Bool) {
    var (records, explored, interrupted) = try await rendered(onProgress)
    var unsteered: [Int: UnsteeredRender] = [:]
    if budget == nil, !interrupted {
      (unsteered, interrupted) = try await UnsteeredRun(settings: settings).run(plan.jobs, records)
    }
    var outages: [Int: [Outage]] = [:]
    if mostHosts > 0, !interrupted {
      let tried = try await OutageRun(settings: settings, most: mostHosts).run(plan.jobs, records)
      outages = tried ?? [:]
      interrupted = tried == nil
    }
    var films: [Int: PlayableFilms.Film] = [:]
    if filmsPlayables, !interrupted {
      onProgress(.filming)
      (films, interrupted) = try await PlayableFilms(plan: plan, settings: settings).record(explored)
    }
    done()
    let result = BatchResult(plan: plan, finished: records, interrupted: interrupted, wall: .zero)
    var report = judge.report
    report.part = plan.shard.map { ReportPart(shard: $0, positions: plan.items.map(\.position), total: plan.found) }
    for (index, (item, record)) in zip(plan.items, result.records).enumerated() {
      let judge = judge.judging(item.trial)
      switch item.work {
      case .refused:
        report.creatives.append(
          judge.judge(CheckContext(record: record), name: item.name, folder: item.hasFolder ? item.name : ""))
      case .render(let job):
        let tried = mostHosts > 0 && job.feed == nil ? outages[job.id] ?? [] : nil
        var judged = judge.judge(
          job, record: record, explored: explored[index], outages: tried, unsteered: unsteered[job.id], name: item.name)
        judged[0].add(films[job.id])
        report.creatives += judged
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

extension CreativeReport {
  /// Adds the recording, or a warning that there is none.
  fileprivate mutating func add(_ film: PlayableFilms.Film?) {
    switch film {
    case .file(let name): self.film = name
    case .missing(let reason): record.warnings.append("no film was made: \(reason)")
    case nil: break
    }
  }
}

/// Judges the results of renders, and makes and stores the report.
package struct ResultChecker: Sendable {
  private let judge: CheckRunner
  private let policy: Policy
  private let today: String
  private let profiles: [Profile]
  private let source: PolicySource

  /// Makes a checker that uses the current date for the expiry of suppressions.
  package init(policy: Policy = Policy(), profiles: [Profile], source: PolicySource = .none) {
    let today = Date.now.formatted(.iso8601.year().month().day())
    self.init(
      CheckRunner(policy: policy, profiles: profiles, today: today), policy: policy, today: today, profiles: profiles,
      source: source)
  }

  private init(_ judge: CheckRunner, policy: Policy, today: String, profiles: [Profile], source: PolicySource) {
    (self.judge, self.policy, self.today) = (judge, policy, today)
    (self.profiles, self.source) = (profiles, source)
  }

  /// Returns the checker for the networks of a playable's trial; itself for nil.
  package func judging(_ trial: PlayableTrial?) -> ResultChecker {
    guard let trial else { return self }
    let runner = CheckRunner(policy: policy, profiles: profiles, today: today, trial: trial)
    return ResultChecker(runner, policy: policy, today: today, profiles: profiles, source: source)
  }

  /// Report without creatives.
  package var report: CheckReport {
    var report = CheckReport(
      galley: Galley.version, rules: judge.rules,
      profiles: profiles.map { CheckReport.ProfileSummary(id: $0.id, title: $0.title) }, creatives: [])
    (report.failsOn, report.strict, report.policy) = (judge.failsOn, judge.isStrict, source)
    return report
  }

  /// Returns the verdict on a render with results in `job`'s folder, and for a feed also those on each of its ads.
  ///
  /// - Parameter folder: path of the folder relative to the report; nil for the name.
  package func judge(
    _ job: RenderJob, record: RenderRecord, explored: ExploredCreative?, outages: [Outage]? = nil,
    unsteered: UnsteeredRender? = nil, name: String, folder: String? = nil
  ) -> [CreativeReport] {
    guard job.feed != nil else {
      var context = CheckContextReader.read(job, record: record, explored: explored, unsteered: unsteered)
      context.outages = outages
      return [judge(context, name: name, folder: folder ?? name)]
    }
    var feed = judge(CheckContext(record: record), name: name, folder: name)
    // Networks take ads, not feeds.
    (feed.acceptance, feed.notTried) = ([], nil)
    return [feed]
      + CheckContextReader.readFeed(job, record: record).map {
        judge($0.evidence, name: "\(name)/\($0.name)", folder: name)
      }
  }

  func judge(_ evidence: CheckContext, name: String, folder: String) -> CreativeReport {
    judge.report(on: evidence, name: name, folder: folder)
  }

  /// Writes the report from which the other formats are made.
  package func keep(_ report: CheckReport, in folder: String) throws {
    try OutputFile.write(JSONText.of(report), to: "\(folder)/\(ReportSource.fileName)")
  }
}
