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

  /// Ends a render, whatever became of it, and tells whoever waits.
  func end(
    _ id: String, _ status: RenderStatus, _ fault: Fault?, summary: RenderSummary? = nil, callback: String? = nil
  ) async {
    let now = Instant.now
    var ending = Ending(status: status, fault: fault, summary: summary?.text, finished: now)
    do throws(Fault) {
      if let row = try await store.render(id) {
        let address = callback ?? RenderRequest.read(row.request)?.callback
        if let address {
          let hook = HookBody(row, ending: ending)
          ending.hook = (hook.id, address, hook.text)
        }
      }
      guard try await store.end(id, ending) != nil else { return }
      if ending.hook != nil { hookIsDue() }
    } catch {
      // It stays unfinished, and is taken up again by the next server.
      log.critical("an outcome couldn't be written down", metadata: ["render": "\(id)", "error": "\(error)"])
    }
    gauges.ended(status, code: fault?.code)
    bulletin.post(.ended(status), of: id)
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
