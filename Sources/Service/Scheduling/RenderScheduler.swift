internal import Core
internal import Logging
internal import RenderModel
internal import ServiceLifecycle
internal import Workers

/// Where renders are lined up, handed to workers and brought to an end.
actor RenderScheduler: RenderDesk {
  nonisolated let settings: ServiceSettings
  /// Writes down how renders end.
  let outcomes: OutcomeWriter
  /// Creatives that cost workers.
  let quarantine: Quarantine
  private let store: Store
  private let data: DataFolder
  private let blobs: BlobStore
  private let renderEvents: RenderEvents
  private let gauges: ServiceGauges
  private let log: Logger
  private let acceptor: RenderAcceptor
  private let reviews: ReviewDesk
  private let pool: WorkerPool
  private let identifier: RunIdentifier

  private var admission: Admission
  private var workload = Workload()
  private var poolRun: Task<Void, Never>?
  private let conclusions: AsyncStream<FinishedRender>
  private let conclude: AsyncStream<FinishedRender>.Continuation

  /// `webhookIsDue` is called when something has to be told to an address.
  init(
    settings: ServiceSettings, store: Store, data: DataFolder, reviews: ReviewDesk, renderEvents: RenderEvents,
    gauges: ServiceGauges, log: Logger, webhookIsDue: @escaping @Sendable () -> Void
  ) {
    (self.settings, self.store, self.data, self.renderEvents) = (settings, store, data, renderEvents)
    (self.gauges, self.log, blobs) = (gauges, log, BlobStore(data.blobs))
    outcomes = OutcomeWriter(
      store: store, base: settings.publicAddress, renderEvents: renderEvents, gauges: gauges, log: log,
      webhookIsDue: webhookIsDue)
    quarantine = Quarantine(store: store, limit: settings.bounds.losses, gauges: gauges, log: log)
    self.reviews = reviews
    acceptor = RenderAcceptor(settings: settings, store: store, data: data, blobs: blobs)
    identifier = RunIdentifier()
    admission = Admission(waiting: settings.bounds.waiting, jobs: settings.jobs, gauges: gauges)
    pool = WorkerPool(
      PoolSettings(
        executable: settings.worker, capacity: settings.jobs, run: identifier, recycleAbove: 1024, warm: settings.jobs,
        environment: settings.proxy.map { ["GALLEY_PROXY": $0] } ?? [:]))
    (conclusions, conclude) = AsyncStream.makeStream()
  }

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
          for await event in self.pool.events { await self.handlePoolEvent(event) }
          self.conclude.finish()
        }
        await runPool()
      }
      group.cancelAll()
    }
    // Whatever ends this task: what is left as running counts against its creative at the next start.
    try await Task {
      await outcomes.writeKept(at: .now + PendingOutcomes.longest)
      try await store.requeueRunning()
    }.value
  }

  /// Runs the pool under the eyes of the guard, in a task that draining may cancel.
  private func runPool() async {
    let task = Task { [pool, identifier, settings] in
      await Watchdog.during(identifier, executable: settings.executable) { await pool.run() }
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
    data.clearScratch()
    let rows = try await store.unfinished()
    try await quarantine.takeOver(rows)
    for name in try await store.unknown(of: data.found) { setAside(name) }
    for row in rows { await line(up: row) }
    if !rows.isEmpty { log.notice("taken up again", metadata: ["renders": "\(rows.count)"]) }
  }

  private func setAside(_ name: String) {
    do throws(Fault) {
      let place = try data.setAside(name)
      log.warning("the database doesn't know these files", metadata: ["moved to": "\(place)"])
    } catch {
      log.error("files that the database doesn't know stay", metadata: ["error": "\(error)"])
    }
  }

  private func watchDeadlines() async {
    while (try? await Task.sleep(for: .milliseconds(250))) != nil {
      await expire(at: Instant.now)
      await outcomes.writeKept()
    }
  }

  /// Lets what runs end, for a while; the rest is for the next server.
  func drain() async {
    admission.queue.close()
    let waiting = workload.waiting
    for work in waiting { await release(work.id) }
    log.notice("shutting down", metadata: ["running": "\(workload.count)", "waiting": "\(waiting.count)"])
    await endWhenDrained()
    guard (try? await Task.sleep(for: Bounded.seconds(settings.bounds.drain))) != nil else { return }
    log.warning("handing back what still runs", metadata: ["running": "\(workload.count)"])
    // Nobody's any more before their workers are ended: what dies now died of the server, and is no creative's loss.
    for id in workload.ids { await release(id) }
    poolRun?.cancel()
  }

  /// Closes the pool once nothing is under way that may still end.
  private func endWhenDrained() async {
    if admission.queue.isClosed, workload.isEmpty { await pool.close() }
  }

  /// How full the server is.
  func pressure() async -> Pressure {
    let (metrics, unwritten) = (await pool.metrics, await outcomes.unwritten)
    return Pressure(
      running: workload.count - workload.waiting.count, queued: workload.waiting.count,
      capacity: Pressure.Capacity(running: settings.jobs, queued: admission.queue.capacity),
      rejected: admission.rejectedLately, isFull: admission.queue.isFull, isStopping: admission.queue.isClosed,
      unwritten: unwritten, workers: metrics)
  }

  /// Keeps a place for a render whose request is still on its way, or turns it away; what a key stands for has one.
  func expect(owner: String, key: String?, mostOfOwner: Int? = nil) async throws(Problem) {
    if let key, try await acceptor.known(owner: owner, key: key) != nil { return admission.enter(owner) }
    try admission.expect(owner, most: mostOfOwner)
  }

  /// Gives the place up: the render was accepted, or isn't.
  func arrived(owner: String) { admission.arrived(owner) }

  /// Accepts a render that is expected; the same request under the same key gets the one accepted before.
  func accept(
    _ submission: Submission, _ recording: TakenRecording? = nil, owner: String, key: String?
  ) async throws(Problem) -> RenderRow {
    let (row, isNew) = try await acceptor.accept(submission, recording, owner: owner, key: key)
    if isNew { await line(up: row) }
    return row
  }

  /// Lines a render up, or ends it at once when its creative is in quarantine; it was accepted, so nothing stops it.
  func line(up row: RenderRow) async {
    if let verdict = await quarantine.verdict(on: row) { return await outcomes.end(row.id, .quarantined, verdict) }
    let work: RenderWork
    do throws(Fault) {
      work = try RenderWork(row, folder: data.render(row.id), reach: settings.reach)
    } catch {
      return await outcomes.end(row.id, .failed, error)
    }
    workload.add(work)
    admission.queue.add(Ticket(id: row.id, owner: row.owner, deadline: work.deadline))
    await feed()
  }

  /// Hands what may be under way to the workers.
  private func feed() async {
    for ticket in admission.queue.admit() {
      guard let jobs = workload.begin(ticket.id) else {
        admission.queue.remove(ticket.id)
        continue
      }
      await hand(jobs)
    }
  }

  private func hand(_ jobs: [RenderJob]) async {
    for job in jobs { try? ResultFolder(job.output).clear() }
    await pool.submit(jobs)
  }

  /// Takes a render off the desk and off the workers' hands.
  @discardableResult func release(_ id: String) async -> RenderWork? {
    admission.queue.remove(id)
    let work = workload.remove(id)
    for job in work?.poolJobs ?? [] {
      workload.disown(job)
      await pool.cancel(job)
    }
    return work
  }

  /// Ends a render that hasn't ended; says whether it did, and why it can't be told yet.
  func cancel(_ id: String) async throws(Fault) -> Bool {
    guard await release(id) != nil else { return false }
    await outcomes.end(id, .cancelled, .request("render-cancelled", "it was cancelled before it was done"))
    await feed()
    if let fault = await outcomes.fault(of: id) { throw fault }
    return true
  }

  nonisolated func begin() {}

  func release(creative content: String) async throws(Fault) -> Bool { try await store.releaseFromQuarantine(content) }

  func measurements() -> String { "" }

  /// Gives up renders that waited longer than they were to.
  private func expire(at timestamp: Int64) async {
    let late = workload.waiting.filter { $0.deadline <= timestamp }
    for work in late {
      await release(work.id)
      let seconds = work.request.queueTimeout.plain
      await outcomes.end(work.id, .failed, .deadline("queue-timed-out", "no worker was free within \(seconds) s"))
    }
    if !late.isEmpty { await feed() }
  }

  /// Ends what waits of a creative that isn't tried any more; what runs is ended by its own next loss.
  func endWaiting(of content: String, _ verdict: Fault) async {
    for work in workload.waiting where work.content == content {
      await release(work.id)
      await outcomes.end(work.id, .quarantined, verdict)
    }
  }
}

extension RenderScheduler {
  /// Takes in what the pool tells.
  func handlePoolEvent(_ event: PoolEvent) async {
    switch event {
    case .started(let job, let attempt):
      if let id = workload.owner(of: job) { await start(id, attempt: attempt) }
    case .progress(let job, let phase):
      if let id = workload.owner(of: job) { renderEvents.post(.phase(phase), of: id) }
    case .retrying(let job, let lost, let reason):
      if let id = workload.owner(of: job) { await retry(id, lost: lost, reason: reason) }
    case .finished(let job, let record):
      switch workload.finish(job, record) {
      case .further(let jobs): await hand(jobs)
      case .done(let conclusion): await finish(conclusion)
      case nil: break
      }
    }
  }

  private func start(_ id: String, attempt: Int) async {
    guard let work = workload[id] else { return }
    // Each trial of an exploration starts, but the render does so once.
    guard !work.hasStarted || work.explorationJob == nil else { return }
    if !work.hasStarted { gauges.waited(milliseconds: Instant.now - work.created) }
    workload.noteStart(of: id)
    do throws(Fault) {
      try await store.start(id, at: Instant.now)
    } catch {
      log.error("a start couldn't be noted", metadata: ["render": "\(id)", "error": "\(error)"])
    }
    renderEvents.post(.started(attempt: attempt), of: id)
  }

  /// Counts a worker against the creative it died under, which isn't tried for ever.
  private func retry(_ id: String, lost: PoolEvent.Loss, reason: String) async {
    gauges.lost(lost)
    if lost == .worker, let work = workload[id], let verdict = await quarantine.count(work, reason) {
      await release(id)
      await outcomes.end(id, .quarantined, verdict)
      await endWaiting(of: work.content, verdict)
      return await feed()
    }
    renderEvents.post(.retrying(reason: reason), of: id)
  }

  /// Has a render judged; its place is free for the next meanwhile.
  private func finish(_ conclusion: FinishedRender) async {
    admission.queue.remove(conclusion.work.id)
    conclude.yield(conclusion)
    await feed()
    await endWhenDrained()
  }

  /// Judges what came of a render, keeps it and ends it.
  private func end(_ conclusion: FinishedRender) async {
    let (work, record) = (conclusion.work, conclusion.record)
    let seconds = (record.timings["total"] ?? 0) / 1000
    gauges.rendered(seconds: seconds)
    admission.noteRender(seconds: seconds)
    var (status, fault) = (RenderStatus.completed, conclusion.fault)
    if fault != nil { status = .failed }
    if record.code == "worker-died", let verdict = await quarantine.count(work, record.message ?? "a worker died") {
      (status, fault) = (.quarantined, verdict)
      await endWaiting(of: work.content, verdict)
    }
    if status == .completed { await quarantine.undoCrashRecords(of: work) }
    do throws(Fault) {
      let summary = try await ResultSummarizer(conclusion, results: data.render(work.id).results).summarise(into: blobs)
      let review = status == .completed ? try await reviews.begin(work.id) : nil
      await outcomes.end(work.id, status, fault, summary: summary, callback: work.request.callback, review: review)
    } catch {
      await outcomes.end(work.id, .failed, error, callback: work.request.callback)
    }
  }
}
