internal import Core
internal import Logging
internal import RenderModel
internal import Scheduling
internal import ServiceLifecycle
internal import Telemetry
internal import Workers

/// Queues renders, hands them to workers of this machine and brings them to their end.
actor LocalScheduler: RenderScheduling, RenderExecuting {
  nonisolated let settings: ServiceSettings
  /// Storage of outcomes.
  let outcomes: OutcomeWriter
  /// Record of creatives under which workers were lost.
  let quarantine: Quarantine
  private let store: Store
  private let data: DataFolder
  private let blobs: BlobStore
  private let renderEvents: RenderEvents
  private let log: Logger
  private let acceptor: RenderAcceptor
  private let reviews: ReviewDesk

  var executor: RenderExecutor<RenderWork>
  private var queue: RenderQueue
  private var admission: Admission

  /// Creates the scheduler; `webhookIsDue` is called when a webhook is ready to be sent.
  init(
    settings: ServiceSettings, store: Store, data: DataFolder, reviews: ReviewDesk, renderEvents: RenderEvents,
    gauges: ServiceGauges, log: Logger, webhookIsDue: @escaping @Sendable () -> Void
  ) {
    (self.settings, self.store, self.data, self.renderEvents) = (settings, store, data, renderEvents)
    (self.log, blobs) = (log, BlobStore(data.blobs))
    outcomes = OutcomeWriter(
      store: store, base: settings.publicAddress, renderEvents: renderEvents, gauges: gauges, log: log,
      webhookIsDue: webhookIsDue)
    quarantine = Quarantine(store: store.losses, limit: settings.bounds.losses, gauges: gauges, log: log)
    self.reviews = reviews
    acceptor = RenderAcceptor(settings: settings, store: store, data: data, blobs: blobs)
    // Twice as many as there are workers, so that each has its next one at hand.
    let queue = RenderQueue(capacity: settings.bounds.waiting, width: settings.jobs * 2)
    (self.queue, admission) = (queue, Admission(capacity: queue.capacity, gauges: gauges))
    executor = RenderExecutor(
      worker: settings.worker, watchdog: settings.executable, jobs: settings.jobs, proxy: settings.proxy,
      gauges: gauges)
  }

  /// Resumes renders of an earlier server, then renders until the server is shut down.
  func run() async throws {
    try await resume()
    await withDiscardingTaskGroup { group in
      group.addTask { await self.watchDeadlines() }
      group.addTask {
        guard (try? await gracefulShutdown()) != nil else { return }
        await self.drain()
      }
      await render(concluding: settings.jobs)
      group.cancelAll()
    }
    // Whatever ends this task: what is left as running counts against its creative at the next start.
    try await Task {
      await outcomes.writeKept(at: .now + PendingOutcomes.longest)
      try await store.requeueRunning()
    }.value
  }

  /// Resumes the renders that an earlier server left unfinished.
  func resume() async throws {
    data.clearScratch()
    let rows = try await store.unfinished()
    try await quarantine.takeOver(rows)
    for name in try await store.unknown(of: data.found) { setAside(name) }
    for row in rows { await line(up: row) }
    if !rows.isEmpty { log.notice("renders resumed", metadata: ["renders": "\(rows.count)"]) }
  }

  private func setAside(_ name: String) {
    do throws(Fault) {
      let place = try data.setAside(name)
      log.warning("files without an entry in the database", metadata: ["moved to": "\(place)"])
    } catch {
      log.error("files without an entry in the database can't be moved", metadata: ["error": "\(error)"])
    }
  }

  private func watchDeadlines() async {
    while (try? await Task.sleep(for: .milliseconds(250))) != nil {
      await expire(at: Instant.now)
      await outcomes.writeKept()
    }
  }

  /// Waits for running renders for a while; the others are left for the next server.
  func drain() async {
    queue.close()
    let waiting = executor.renders.waiting
    for work in waiting { await release(work.id) }
    log.notice("shutting down", metadata: ["running": "\(executor.renders.count)", "waiting": "\(waiting.count)"])
    await closeIfDrained()
    await giveBack(after: settings.bounds.drain)
  }

  /// The load of the server.
  func pressure() async -> Pressure {
    let (metrics, unwritten) = (await executor.pool.metrics, await outcomes.unwritten)
    let waiting = executor.renders.waiting.count
    return Pressure(
      running: executor.renders.count - waiting, queued: waiting,
      capacity: Pressure.Capacity(running: settings.jobs, queued: queue.capacity),
      rejected: admission.rejectedLately, isFull: queue.isFull, isStopping: queue.isClosed,
      unwritten: unwritten, workers: metrics)
  }

  /// Keeps a place for a render whose request is being received, or rejects it. A known idempotency key needs no place.
  func expect(owner: String, key: String?, mostOfOwner: Int? = nil) async throws(Problem) {
    if let key, try await acceptor.known(owner: owner, key: key) != nil { return admission.enter(owner) }
    if queue.isClosed { throw Admission.stopping }
    let (waiting, own) = (queue.waiting.count, mostOfOwner == nil ? 0 : queue.count(of: owner))
    let retryAfter = RetryAdvice.seconds(waiting: waiting, width: settings.jobs, pace: executor.pace)
    try admission.expect(owner, most: mostOfOwner, .init(waiting: waiting, own: own, retryAfter: retryAfter))
  }

  /// Frees the place once the render was accepted or rejected.
  func arrived(owner: String) { admission.arrived(owner) }

  /// Accepts an expected render. A repeated request with the same idempotency key returns the render accepted before.
  func accept(
    _ submission: Submission, _ recording: TakenRecording? = nil, owner: String, key: String?
  ) async throws(Problem) -> RenderRow {
    let (row, isNew) = try await acceptor.accept(submission, recording, owner: owner, key: key)
    if isNew { await line(up: row) }
    return row
  }

  /// Queues an accepted render, even beyond the capacity, or ends it at once if its creative is quarantined.
  func line(up row: RenderRow) async {
    if let verdict = await quarantine.verdict(on: row) { return await outcomes.end(row.id, .quarantined, verdict) }
    let work: RenderWork
    do throws(Fault) {
      work = try RenderWork(row, folder: data.render(row.id), reach: settings.reach)
    } catch {
      return await outcomes.end(row.id, .failed, error)
    }
    executor.renders.add(work)
    queue.add(Ticket(id: row.id, owner: row.owner, deadline: work.deadline))
    await feed()
  }

  /// Submits the admitted renders to the workers.
  func feed() async {
    for ticket in queue.admit() {
      guard let jobs = executor.renders.begin(ticket.id) else {
        queue.remove(ticket.id)
        continue
      }
      await submit(jobs)
    }
  }

  /// Removes a render from the queue and from the workers; nil if there is no such render.
  @discardableResult func release(_ id: String) async -> RenderWork? {
    queue.remove(id)
    let (work, jobs) = executor.renders.take(id)
    await withdraw(jobs)
    return work
  }

  /// Cancels a render; false if it has ended already.
  ///
  /// - Throws: if the end can't be stored yet.
  func cancel(_ id: String) async throws(Fault) -> Bool {
    guard await release(id) != nil else { return false }
    await outcomes.end(id, .cancelled, .request("render-cancelled", "the render was cancelled"))
    await feed()
    if let fault = await outcomes.fault(of: id) { throw fault }
    return true
  }

  nonisolated func begin() {}

  func release(creative content: String) async throws(Fault) -> Bool { try await store.losses.release(content) }

  func measurements() -> String { "" }

  /// Ends renders that have waited beyond their deadline.
  private func expire(at timestamp: Int64) async {
    let late = executor.renders.waiting.filter { $0.deadline <= timestamp }
    for work in late {
      await release(work.id)
      let seconds = work.request.queueTimeout.plain
      await outcomes.end(work.id, .failed, .deadline("queue-timed-out", "no worker was free within \(seconds) s"))
    }
    if !late.isEmpty { await feed() }
  }

  /// Ends waiting renders of a quarantined creative; running ones end with their own next loss.
  func endWaiting(of content: String, _ verdict: Fault) async {
    for work in executor.renders.waiting where work.content == content {
      await release(work.id)
      await outcomes.end(work.id, .quarantined, verdict)
    }
  }
}

extension LocalScheduler {
  var isDrained: Bool { queue.isClosed && executor.renders.isEmpty }

  /// Stores that a worker has begun a render, and notifies clients.
  func started(_ id: String, attempt: Int) async {
    do throws(Fault) {
      try await store.start(id, at: Instant.now)
    } catch {
      log.error("a start can't be recorded", metadata: ["render": "\(id)", "error": "\(error)"])
    }
    renderEvents.post(.started(attempt: attempt), of: id)
  }

  func progressed(_ id: String, to phase: String) { renderEvents.post(.phase(phase), of: id) }

  /// Counts a lost worker against the creative, and ends the render if the creative is quarantined by that.
  func lost(_ process: PoolEvent.Loss, of id: String, reason: String) async {
    if process == .worker, let work = executor.renders[id], let verdict = await quarantine.count(work, reason) {
      await release(id)
      await outcomes.end(id, .quarantined, verdict)
      await endWaiting(of: work.content, verdict)
      return await feed()
    }
    renderEvents.post(.retrying(reason: reason), of: id)
  }

  func finished(_ id: String, _ record: RenderRecord, _ render: RenderWork?) -> RenderWork? {
    queue.remove(id)
    return render
  }

  /// Leaves renders that still run to the next server.
  func giveBackAll() async {
    log.warning("returning running renders to the queue", metadata: ["running": "\(executor.renders.count)"])
    // Nobody's any more before their workers are ended: what dies now died of the server, and is no creative's loss.
    for id in executor.renders.ids { await release(id) }
  }

  /// Evaluates a finished render and stores its outcome.
  func conclude(_ finished: FinishedRender<RenderWork>) async {
    let (work, record) = (finished.work, finished.record)
    executor.noteDuration(of: record)
    var (status, fault) = (RenderStatus.completed, record.fault)
    if fault != nil { status = .failed }
    if record.has(.workerDied), let verdict = await quarantine.count(work, record.message ?? "a worker died") {
      (status, fault) = (.quarantined, verdict)
      await endWaiting(of: work.content, verdict)
    }
    if status == .completed { await quarantine.undoCrashRecords(of: work) }
    do throws(Fault) {
      let results = data.render(work.id).results
      let summary = try await ResultSummarizer(work, record, results: results).summarise()
      try blobs.adopt(below: results)
      let review = status == .completed ? try await reviews.begin(work.id) : nil
      await outcomes.end(work.id, status, fault, summary: summary, review: review)
    } catch {
      await outcomes.end(work.id, .failed, error)
    }
  }
}
