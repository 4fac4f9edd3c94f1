internal import Jobs
internal import Logging
internal import Planning
internal import ServiceStore
internal import Workers

extension RenderDesk {
  /// Takes in what the pool tells.
  func take(_ event: PoolEvent) async {
    switch event {
    case .started(let job, let attempt):
      guard let id = owners[job] else { return }
      await start(id, attempt: attempt)
    case .progress(let job, let phase):
      guard let id = owners[job] else { return }
      bulletin.post(.phase(phase), of: id)
    case .retrying(let job, let lost, let reason):
      guard let id = owners[job] else { return }
      await retry(id, lost: lost, reason: reason)
    case .finished(let job, let record):
      guard let id = owners.removeValue(forKey: job) else { return }
      works[id]?.poolJobs.remove(job)
      await finish(id, job, record)
    }
  }

  private func start(_ id: String, attempt: Int) async {
    guard let work = works[id] else { return }
    // Each trial of an exploration starts, but the render does so once.
    guard !work.hasStarted || work.expedition == nil else { return }
    if !work.hasStarted { gauges.waited(milliseconds: Instant.now - work.created) }
    works[id]?.hasStarted = true
    do throws(Fault) {
      try await store.start(id, at: Instant.now)
    } catch {
      log.error("a start couldn't be noted", metadata: ["render": "\(id)", "error": "\(error)"])
    }
    bulletin.post(.started(attempt: attempt), of: id)
  }

  /// Counts a worker against the creative it died under, which isn't tried for ever.
  private func retry(_ id: String, lost: PoolEvent.Loss, reason: String) async {
    gauges.lost(lost)
    if lost == .worker, let work = works[id] {
      let losses = await countLoss(work, reason)
      if losses >= settings.bounds.losses {
        let verdict = Self.quarantine(losses, reason)
        await release(id)
        await end(id, .quarantined, verdict)
        await endWaiting(of: work.content, verdict)
        await feed()
        return
      }
    }
    bulletin.post(.retrying(reason: reason), of: id)
  }

  private func finish(_ id: String, _ job: Int, _ record: RenderRecord) async {
    guard var work = works[id] else { return }
    if var expedition = work.expedition {
      var next = latestJob + 1
      let further = expedition.take(record, of: job, next: &next)
      latestJob = next - 1
      work.expedition = expedition
      works[id] = work
      guard expedition.isDone else { return await hand(further, to: id) }
    }
    // Its place is free for the next while it is judged.
    works[id] = nil
    queue.remove(id)
    conclude.yield(Conclusion(work: work, record: work.expedition?.record ?? record))
    await feed()
    await endWhenDrained()
  }
}
