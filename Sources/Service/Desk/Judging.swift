internal import Checks
internal import Exploration
internal import Foundation
internal import Jobs
internal import Planning
internal import Reports
internal import Workers

/// Turns what a render left behind into a report and a summary.
struct Judging: Sendable {
  let work: RenderWork
  let record: RenderRecord
  /// The folder of the report, which the result's own is in.
  let results: String

  /// Writes what exploring found and what checks say, where they were asked for; the rest is on disk already.
  func summarise() async throws(Fault) -> RenderSummary {
    var summary = RenderSummary(record)
    let pictures = ResultFolder(work.job.output).screenshots
    for index in summary.pictures.indices {
      let path = "\(pictures)/\(summary.pictures[index].name)-ad.png"
      if FileManager.default.fileExists(atPath: path) { summary.pictures[index].hasAd = true }
    }
    let explored = try work.expedition?.finish()
    if let explored {
      summary.explored = RenderSummary.Explored(
        states: explored.found.states.count, actions: explored.found.actions,
        coverage: explored.found.vocabulary == nil ? nil : explored.found.coverage.percent)
    }
    if work.request.checks {
      let report = try judge(explored)
      summary.verdict = report.creatives.first.map(RenderSummary.Verdict.init)
    }
    return summary
  }

  private func judge(_ explored: ExploredCreative?) throws(Fault) -> CheckReport {
    let names = work.request.profiles.isEmpty ? ProfileCatalogue.defaultNames : work.request.profiles
    let profiles = try ProfileCatalogue.standard.named(names)
    let today = Date.now.formatted(.iso8601.year().month().day())
    let judge = Judge(profiles: profiles, today: today)
    let evidence = EvidenceReader.read(work.job, record: record, explored: explored)
    var report = CheckReport(
      galley: Galley.version, rules: judge.rules,
      profiles: profiles.map { CheckReport.ProfileSummary(id: $0.id, title: $0.title) }, creatives: [])
    report.failsOn = judge.failsOn
    report.creatives = [judge.report(on: evidence, name: work.request.name, folder: work.request.name)]
    do {
      let path = "\(results)/\(ReportSource.fileName)"
      try Data(JSONText.of(report).utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw .engine("output-failed", "the report can't be written: \(error.localizedDescription)")
    }
    return report
  }
}
