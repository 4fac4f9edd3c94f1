internal import Application
internal import Checks
package import Core
internal import Exploration
internal import Foundation
internal import Pixels
package import RenderModel
internal import Reports
internal import Workers

/// Turns the result of a render into a report and a summary.
package struct ResultSummarizer: Sendable {
  private let work: RenderWork
  private let record: RenderRecord
  /// Folder of the report, which also contains the result's folder.
  private let results: String

  package init(_ work: RenderWork, _ record: RenderRecord, results: String) {
    (self.work, self.record, self.results) = (work, record, results)
  }

  /// Writes the results of exploring, checks, video, backup image and recording, if requested, and returns the summary.
  ///
  /// The result itself is on the disk already.
  package func summarise() async throws(Fault) -> RenderSummary {
    var summary = RenderSummary(record)
    let pictures = ResultFolder(work.job.output).screenshots
    for index in summary.pictures.indices {
      let path = "\(pictures)/\(summary.pictures[index].name)-ad.png"
      if FileManager.default.fileExists(atPath: path) { summary.pictures[index].hasAd = true }
    }
    var explored: [ExploredCreative?] = []
    for exploration in work.explorations { explored.append(try exploration.finish()) }
    if let explored = explored.first.flatMap(\.self) {
      summary.explored = RenderSummary.Explored(
        states: explored.found.states.count, actions: explored.found.actions,
        coverage: explored.found.vocabulary == nil ? nil : explored.found.coverage.percent)
    }
    if work.request.checks {
      let report = try judge(explored)
      summary.verdict = RenderSummary.Verdict(report)
    }
    try await film()
    try await backUp()
    if work.request.record == true {
      let result = ResultFolder(work.job.output)
      try RecordingFiles.keep(work.job, in: result.recordingFile)
    }
    return summary
  }

  /// Encodes the video in every requested format.
  private func film() async throws(Fault) {
    guard let film = work.request.film else { return }
    let folder = ResultFolder(work.job.output)
    defer { try? FileManager.default.removeItem(atPath: folder.film) }
    guard record.outcome == .completed else { return }
    for format in film.formats {
      try await FilmProgram.encode(folder.film, as: format, to: folder.file("film.\(format.rawValue)"))
    }
  }

  /// Writes the requested backup image. If it can't be kept within its size limit, the creative is at fault.
  private func backUp() async throws(Fault) {
    guard let backup = work.request.backup, record.outcome == .completed else { return }
    _ = try await BackupImage.write(backup, of: record, in: ResultFolder(work.job.output))
  }

  private func judge(_ explored: [ExploredCreative?]) throws(Fault) -> CheckReport {
    let profiles = try ProfileCatalogue.standard.named(work.request.checkedProfiles)
    let judge = ResultChecker(profiles: profiles)
    var report = judge.report
    report.creatives =
      work.hosts.isEmpty
      ? judge.judge(
        work.job, record: record, explored: explored.first.flatMap(\.self), unsteered: work.unsteered,
        name: work.request.name)
      : verdicts(judge, explored)
    try? FileManager.default.removeItem(atPath: work.folder.unsteered)
    do {
      try judge.keep(report, in: results)
    } catch {
      throw .writing(results, error)
    }
    return report
  }

  /// Returns the verdicts on a playable in each host; a host whose render didn't begin has none.
  private func verdicts(_ judge: ResultChecker, _ explored: [ExploredCreative?]) -> [CreativeReport] {
    zip(work.hosts, zip(work.explorations, explored)).enumerated().flatMap { index, found in
      let (host, (exploration, explored)) = found
      return judge.judging(host.trial).judge(
        host.job, record: exploration.record ?? record, explored: explored, name: host.name,
        folder: index == 0 ? work.request.name : host.name)
    }
  }
}
