internal import Application
internal import Checks
internal import Core
internal import Exploration
internal import Foundation
internal import Pixels
internal import RenderModel
internal import Reports
internal import Workers

/// A render that workers are done with, and its record.
struct FinishedRender: Sendable {
  let work: RenderWork
  let record: RenderRecord

  /// Why it didn't complete; nil when it did.
  var fault: Fault? { record.fault }
}

/// Turns what a render left behind into a report and a summary.
struct ResultSummarizer: Sendable {
  private let work: RenderWork
  private let record: RenderRecord
  /// The folder of the report, which the result's own is in.
  private let results: String

  init(_ conclusion: FinishedRender, results: String) {
    (work, record, self.results) = (conclusion.work, conclusion.record, results)
  }

  /// Writes what exploring found and what checks say, where they were asked for, and has the store of contents take all
  /// of it over; the rest is on disk already.
  func summarise(into blobs: BlobStore? = nil) async throws(Fault) -> RenderSummary {
    var summary = RenderSummary(record)
    let pictures = ResultFolder(work.job.output).screenshots
    for index in summary.pictures.indices {
      let path = "\(pictures)/\(summary.pictures[index].name)-ad.png"
      if FileManager.default.fileExists(atPath: path) { summary.pictures[index].hasAd = true }
    }
    let explored = try work.explorationJob?.finish()
    if let explored {
      summary.explored = RenderSummary.Explored(
        states: explored.found.states.count, actions: explored.found.actions,
        coverage: explored.found.vocabulary == nil ? nil : explored.found.coverage.percent)
    }
    if work.request.checks {
      let report = try judge(explored)
      summary.verdict = report.creatives.first.map(RenderSummary.Verdict.init)
    }
    try await film()
    try await backUp()
    if work.request.record == true {
      let result = ResultFolder(work.job.output)
      try RecordingFiles.keep(work.job, in: result.recordingFile)
    }
    try blobs?.adopt(below: results)
    return summary
  }

  /// Encodes what was filmed, as everything that was asked for.
  private func film() async throws(Fault) {
    guard let film = work.request.film else { return }
    let folder = ResultFolder(work.job.output)
    defer { try? FileManager.default.removeItem(atPath: folder.film) }
    guard record.outcome == .completed else { return }
    for format in film.formats {
      try await FilmProgram.encode(folder.film, as: format, to: folder.file("film.\(format.rawValue)"))
    }
  }

  /// Leaves the backup image that was asked for; one that can't be had in its bytes is the creative's fault.
  private func backUp() async throws(Fault) {
    guard let backup = work.request.backup, record.outcome == .completed else { return }
    _ = try await BackupImage.write(backup, of: record, in: ResultFolder(work.job.output))
  }

  private func judge(_ explored: ExploredCreative?) throws(Fault) -> CheckReport {
    let names = work.request.profiles.isEmpty ? ProfileCatalogue.defaultNames : work.request.profiles
    let profiles = try ProfileCatalogue.standard.named(names)
    let judge = ResultChecker(profiles: profiles)
    var report = judge.report
    report.creatives = judge.judge(work.job, record: record, explored: explored, name: work.request.name)
    do {
      try judge.keep(report, in: results)
    } catch {
      throw .engine("output-failed", "the report can't be written: \(error.localizedDescription)")
    }
    return report
  }
}
