internal import Application
internal import Checks
internal import Core
internal import Exploration
internal import Foundation
internal import Logging
internal import RenderModel
internal import Reports

extension RenderDesk {
  /// Judges what came of a render, keeps it and ends it.
  func end(_ conclusion: Conclusion) async {
    let (work, record) = (conclusion.work, conclusion.record)
    note(conclusion)
    var (status, fault): (RenderStatus, Fault?) = (.completed, nil)
    if record.outcome != .completed {
      status = .failed
      fault = Fault(record.fault ?? .engine, record.code ?? "render-failed", record.message ?? "the render failed")
    }
    if record.code == "worker-died" {
      let reason = record.message ?? "a worker died"
      let losses = await countLoss(work, reason)
      if losses >= settings.bounds.losses {
        let verdict = Self.quarantine(losses, reason)
        (status, fault) = (.quarantined, verdict)
        await endWaiting(of: work.content, verdict)
      }
    }
    if status == .completed { await acquit(work) }
    do throws(Fault) {
      let summary = try await Judging(work: work, record: record, results: data.render(work.id).results).summarise()
      try await Self.keep(blobs, data.render(work.id).results)
      await end(work.id, status, fault, summary: summary, callback: work.request.callback)
    } catch {
      await end(work.id, .failed, error, callback: work.request.callback)
    }
  }

  /// Ends a render, whatever became of it, and tells whoever waits; what can't be written down is kept until it can.
  func end(
    _ id: String, _ status: RenderStatus, _ fault: Fault?, summary: RenderSummary? = nil, callback: String? = nil
  ) async {
    let ending = Ending(status: status, fault: fault, summary: summary?.text, finished: Instant.now)
    let outcome = Outcome(id: id, ending: ending, callback: callback)
    do throws(Fault) {
      try await write(outcome)
    } catch {
      outcomes.keep(outcome, because: error, at: .now)
      log.critical("an outcome couldn't be written down yet", metadata: ["render": "\(id)", "error": "\(error)"])
    }
  }

  /// Writes down what couldn't be before, as far as it can be now.
  func writeOutcomes(at instant: ContinuousClock.Instant = .now) async {
    for outcome in outcomes.due(at: instant) {
      do throws(Fault) {
        try await write(outcome)
        outcomes.remove(outcome.id)
        log.notice("an outcome could be written down after all", metadata: ["render": "\(outcome.id)"])
      } catch {
        // The next would fare no better.
        return outcomes.wait(because: error, at: instant)
      }
    }
  }

  /// Only what is written down has ended: nobody is told of it before.
  private func write(_ outcome: Outcome) async throws(Fault) {
    var ending = outcome.ending
    guard let row = try await store.render(outcome.id) else { return }
    if let address = outcome.callback ?? RenderRequest.read(row.request)?.callback {
      ending.hook = HookBody(row, ending: ending, base: settings.publicAddress).message(to: address)
    }
    guard try await store.end(outcome.id, ending) != nil else { return }
    if ending.hook != nil { hookIsDue() }
    gauges.ended(ending.status, code: ending.fault?.code)
    bulletin.post(.ended(ending.status), of: outcome.id)
  }

  private nonisolated static func keep(_ blobs: BlobStore, _ folder: String) async throws(Fault) {
    try blobs.adopt(below: folder)
  }

  private func note(_ conclusion: Conclusion) {
    let seconds = (conclusion.record.timings["total"] ?? 0) / 1000
    gauges.rendered(seconds: seconds)
    pace = (pace ?? seconds) * 0.8 + seconds * 0.2
  }
}

extension RenderDesk {
  /// What is said of a creative that isn't tried any more.
  static func quarantine(_ losses: Int, _ reason: String) -> Fault {
    .creative("quarantined", "\(losses) processes died under it and it isn't rendered any more; the last: \(reason)")
  }

  /// Counts what the death of the server before this one cost, and takes over what it had begun.
  ///
  /// A server that was told to stop leaves nothing as running, so that whatever is was hit.
  func takeOver(_ rows: [RenderRow]) async throws(Fault) {
    let now = Instant.now
    let losses = rows.filter { $0.status == .running }.map {
      Loss(
        content: $0.content, recipe: RenderRequest.read($0.request)?.recipe ?? "", render: $0.id,
        cause: "server-\(now)", reason: "the server died", instant: now)
    }
    try await store.handBack(after: losses)
    suspects = Set(try await store.quarantine().map(\.content))
    guard !losses.isEmpty else { return }
    gauges.lost(process: "server")
    log.warning("the server before died", metadata: ["rendering": "\(losses.map(\.render))"])
  }

  /// Counts a worker against the creative it died under; the number is of all that died under it.
  func countLoss(_ work: RenderWork, _ reason: String) async -> Int {
    suspects.insert(work.content)
    let now = Instant.now
    let loss = Loss(
      content: work.content, recipe: work.request.recipe, render: work.id, cause: RenderID.make(at: now),
      reason: reason, instant: now)
    do throws(Fault) {
      return try await store.count(loss)
    } catch {
      log.error("a lost worker couldn't be counted", metadata: ["error": "\(error)"])
      return 0
    }
  }

  /// Ends what waits of a creative that isn't tried any more; what runs is ended by its own next loss.
  func endWaiting(of content: String, _ fault: Fault) async {
    for work in works.values where work.content == content && !work.hasStarted {
      await release(work.id)
      await end(work.id, .quarantined, fault)
    }
  }

  /// Takes back what a render that completed after all has lost.
  func acquit(_ work: RenderWork) async {
    guard suspects.contains(work.content) else { return }
    do throws(Fault) {
      try await store.acquit(work.id, content: work.content, recipe: work.request.recipe)
      if try await store.losses(of: work.content) == nil { suspects.remove(work.content) }
    } catch {
      log.error("losses couldn't be taken back", metadata: ["error": "\(error)"])
    }
  }
}

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
    let judge = ResultJudge(profiles: profiles)
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
