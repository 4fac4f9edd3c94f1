internal import Jobs
internal import Logging
internal import ServiceStore

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
