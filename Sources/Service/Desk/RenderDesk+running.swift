internal import Application
internal import Core
internal import FoundationEssentials
internal import Logging
internal import RenderModel
internal import ServiceLifecycle
internal import Workers

extension RenderDesk: Service {
  /// Takes up what an earlier server left, then renders until the server is told to stop.
  func run() async throws {
    try await resume()
    await withDiscardingTaskGroup { group in
      group.addTask { await self.watchDeadlines() }
      group.addTask {
        guard (try? await gracefulShutdown()) != nil else { return }
        await self.drain()
      }
      await withDiscardingTaskGroup { work in
        for _ in 0..<settings.jobs {
          work.addTask { for await conclusion in self.conclusions { await self.end(conclusion) } }
        }
        work.addTask {
          for await event in self.pool.events { await self.take(event) }
          self.conclude.finish()
        }
        await runPool()
      }
      group.cancelAll()
    }
    // Whatever ends this task: what is left as running counts against its creative at the next start.
    try await Task {
      await writeOutcomes(at: .now + OutcomeShelf.longest)
      try await store.handBack()
    }.value
  }

  /// Runs the pool under the eyes of the guard, in a task that draining may cancel.
  private func runPool() async {
    let task = Task { [pool, run, settings] in
      await RunGuard.during(run, executable: settings.executable) { await pool.run() }
    }
    poolRun = task
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Takes up what an earlier server left.
  func resume() async throws {
    clearScratch()
    let rows = try await store.unfinished()
    try await takeOver(rows)
    let known = try await store.ids()
    for name in data.found where !known.contains(name) { setAside(name) }
    for row in rows { await line(up: row) }
    if !rows.isEmpty { log.notice("taken up again", metadata: ["renders": "\(rows.count)"]) }
  }

  private func clearScratch() {
    let names = try? FileManager.default.contentsOfDirectory(atPath: data.scratch)
    for name in names ?? [] { try? FileManager.default.removeItem(atPath: "\(data.scratch)/\(name)") }
  }

  /// Moves what the database doesn't know out of the way: an older one that was put back mustn't cost results.
  private func setAside(_ name: String) {
    let place = "\(data.unknown)/\(name)"
    do throws(Fault) {
      try data.makeUnknown()
      try Durable.move("\(data.renders)/\(name)", to: place)
      log.warning("the database doesn't know these files", metadata: ["moved to": "\(place)"])
    } catch {
      log.error("files that the database doesn't know stay", metadata: ["error": "\(error)"])
    }
  }

  private func watchDeadlines() async {
    while (try? await Task.sleep(for: .milliseconds(250))) != nil {
      await expire(at: Instant.now)
      await writeOutcomes()
    }
  }

  /// Lets what runs end, for a while; the rest is for the next server.
  func drain() async {
    queue.close()
    let waiting = works.values.filter { !$0.hasStarted }
    for work in waiting { await release(work.id) }
    log.notice("shutting down", metadata: ["running": "\(works.count)", "waiting": "\(waiting.count)"])
    await endWhenDrained()
    guard (try? await Task.sleep(for: Bounded.seconds(settings.bounds.drain))) != nil else { return }
    log.warning("handing back what still runs", metadata: ["running": "\(works.count)"])
    // Nobody's any more before their workers are ended: what dies now died of the server, and is no creative's loss.
    for id in Array(works.keys) { await release(id) }
    poolRun?.cancel()
  }

  /// Closes the pool once nothing is under way that may still end.
  func endWhenDrained() async {
    if queue.isClosed, works.isEmpty { await pool.close() }
  }

  /// How full the server is.
  func pressure() async -> Pressure {
    let census = await pool.census
    return Pressure(
      running: works.values.count { $0.hasStarted }, queued: works.values.count { !$0.hasStarted },
      capacity: Pressure.Capacity(running: settings.jobs, queued: queue.capacity),
      rejected: rejections.count(at: Instant.now), isFull: queue.isFull, isStopping: queue.isClosed,
      unwritten: outcomes.count, workers: census)
  }
}

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
