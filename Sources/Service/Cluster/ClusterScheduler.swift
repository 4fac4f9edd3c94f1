internal import Cluster
internal import Core
internal import Foundation
internal import Logging
internal import RenderModel
internal import Scheduling
internal import ServiceLifecycle
internal import Telemetry
internal import Tracing
internal import Workers

/// The desk of a server that renders nothing itself: it accepts renders, and completes those that workers have done.
///
/// Any number of such servers can run side by side. Tasks that must run only once are done by the leader.
actor ClusterScheduler: RenderScheduling {
  nonisolated let settings: ServiceSettings
  private let cluster: ClusterConnection
  private let store: Store
  private let data: DataFolder
  private let replica: Replica
  private let shelf: SharedFileStore
  private let key: SigningKey
  private let endings: CompletionProcessor
  private let broker: QueueBroker
  private let acceptor: RenderAcceptor
  private let renderEvents: RenderEvents
  private let log: Logger
  private let webhookIsDue: @Sendable () -> Void
  /// Election of the server that does the tasks which must run only once.
  nonisolated let leadership: Leadership
  private var admission: Admission
  private var isStopping = false
  private var census = WorkerMetrics()
  /// The last count of waiting renders for admission, and its time.
  private var counted: (waiting: Int, taken: ContinuousClock.Instant)?

  init(
    _ parts: ClusterServices, settings: ServiceSettings, store: Store, data: DataFolder, reviews: ReviewDesk,
    renderEvents: RenderEvents, gauges: ServiceGauges, log: Logger, webhookIsDue: @escaping @Sendable () -> Void
  ) {
    (self.settings, self.store, self.data) = (settings, store, data)
    (cluster, key, replica) = (parts.cluster, parts.key, parts.replica)
    (shelf, leadership) = (parts.shelf, parts.leadership)
    (self.renderEvents, self.log) = (renderEvents, log)
    admission = Admission(capacity: settings.bounds.waiting, gauges: gauges)
    self.webhookIsDue = webhookIsDue
    let outcomes = OutcomeWriter(
      store: store, base: settings.publicAddress, renderEvents: renderEvents, gauges: gauges, log: log,
      webhookIsDue: webhookIsDue)
    endings = CompletionProcessor(
      cluster: cluster, store: store, replica: replica, shelf: shelf, reviews: reviews, outcomes: outcomes,
      gauges: gauges, log: log)
    broker = QueueBroker(
      cluster: parts.cluster, store: store, endings: endings, scratch: { data.newScratch() }, key: parts.key,
      gauges: gauges, log: log)
    acceptor = RenderAcceptor(
      settings: settings, store: store, data: data, blobs: BlobStore(data.blobs), contents: parts.cluster.contents)
  }

  /// Completes renders until the server is shut down.
  func run() async throws {
    data.clearScratch()
    await withDiscardingTaskGroup { group in
      group.addTask { await self.replica.run() }
      group.addTask { for await made in self.replica.made { await self.note(made) } }
      group.addTask { await self.hearNotices() }
      group.addTask { await self.leadership.run(self.cluster.locks) }
      group.addTask { await self.lead() }
      group.addTask { await self.endings.run() }
      group.addTask { await self.broker.run() }
      try? await gracefulShutdown()
      stop()
      group.cancelAll()
    }
    await leadership.end()
    await cluster.close()
  }

  private func stop() { isStopping = true }

  /// Waits until this server has applied all changes of the others.
  func begin() async throws {
    while true {
      do throws(Fault) {
        return try await replica.catchUp()
      } catch {
        guard !Task.isCancelled, !isStopping, !error.has(.journalNewer), !error.has(.journalDiffers) else {
          throw error
        }
        log.notice("changes of other servers are still missing", metadata: ["reason": "\(error.message)"])
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Notifies listeners of this server about a change, whichever server made it.
  private func note(_ made: Replica.Made) async {
    guard case .success = made.outcome else { return }
    switch made.change {
    case let end as EndRender:
      renderEvents.post(.ended(end.ending.status), of: end.id)
      if end.ending.hook != nil { webhookIsDue() }
    case let update as UpdateReview where update.hook != nil: webhookIsDue()
    case let forget as ForgetRender:
      if RenderID.isOne(forget.id), (try? await store.render(forget.id)) == nil {
        DurableFile.remove(data.render(forget.id).path, by: data.newScratch())
      }
    case is SetBaseline:
      do throws(Fault) {
        try await shelf.bringBaselines()
      } catch {
        log.error("a baseline can't be fetched", metadata: ["error": "\(error)"])
      }
    default: break
    }
  }

  /// Forwards notices of workers about renders that clients of this server follow.
  private func hearNotices() async {
    while !Task.isCancelled {
      do throws(Fault) {
        let reader = try await cluster.notices.listen(to: .progress)
        while !Task.isCancelled {
          for (id, notice) in try await reader.next(of: renderEvents.isFollowed) { pass(notice, of: id) }
        }
      } catch {
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  private func pass(_ notice: JobEvent, of id: String) {
    switch notice {
    case .started(let attempt): renderEvents.post(.started(attempt: attempt), of: id)
    case .phase(let phase): renderEvents.post(.phase(phase.printable(limit: 100)), of: id)
    case .retrying(let reason): renderEvents.post(.retrying(reason: reason.printable(limit: 1000)), of: id)
    // Only what is written down has ended.
    case .ended, .cancelled: break
    }
  }
}

extension ClusterScheduler {
  func expect(owner: String, key: String?, mostOfOwner: Int?) async throws(Problem) {
    if let key, try await acceptor.known(owner: owner, key: key) != nil { return admission.enter(owner) }
    if isStopping { throw Admission.stopping }
    let (waiting, own): (Int, Int)
    do throws(Fault) {
      if let fault = await replica.fault { throw Replica.unreachable(fault) }
      waiting = try await countWaiting()
      own = mostOfOwner == nil ? 0 : try await store.unended(of: owner)
    } catch {
      throw Problem(503, error, retryAfter: 5)
    }
    let retryAfter = RetryAdvice.seconds(
      waiting: settings.bounds.waiting, width: max(1, census.slots), pace: census.seconds)
    try admission.expect(owner, most: mostOfOwner, .init(waiting: waiting, own: own, retryAfter: retryAfter))
  }

  /// Number of waiting renders.
  ///
  /// Counting many takes long, so a count less than a second old is reused if it is far below the limit.
  private func countWaiting() async throws(Fault) -> Int {
    if let counted, counted.taken.duration(to: .now) < .seconds(1), counted.waiting < settings.bounds.waiting / 2,
      settings.bounds.waiting >= 10_000
    {
      return counted.waiting
    }
    let waiting = try await store.countWaiting()
    counted = (waiting, .now)
    return waiting
  }

  func arrived(owner: String) { admission.arrived(owner) }

  func accept(
    _ submission: Submission, _ recording: TakenRecording?, owner: String, key: String?
  ) async throws(Problem) -> RenderRow {
    let (row, isNew) = try await acceptor.accept(submission, recording, owner: owner, key: key)
    // Who asks again may do so because the server died that accepted it.
    guard isNew || row.status == .queued else { return row }
    do {
      try await withSpan("enqueue", ofKind: .producer) { span in
        span.attributes["galley.render"] = row.id
        try await enqueue(row)
      }
    } catch {
      // It is accepted: whoever leads sees that it has no job yet.
      log.error("a render can't be queued yet", metadata: ["render": "\(row.id)", "error": "\(error)"])
    }
    return row
  }

  /// Adds a render to the queue; one that is queued already stays as it is.
  private func enqueue(_ row: RenderRow) async throws(Fault) {
    guard let request = RenderRequest.read(row.request) else {
      return try await endings.end(
        row, .failed, .engine(.dataLost, "the request of render '\(row.id)' can't be read"))
    }
    let job: RenderJob
    do throws(InvalidRequest) {
      job = try request.job(path: "/", output: "/", reach: settings.reach)
    } catch {
      return try await endings.end(row, .failed, error.fault)
    }
    let served = JobPayload.Served(
      name: row.name, content: row.content, created: row.created, request: row.request, file: row.file,
      deadline: row.created + Int64(Bounded.int(request.queueTimeout * 1000, in: 0...1_000_000_000_000)),
      recording: request.recording)
    let order = JobPayload(served: served, traceparent: InstrumentationContext.current?.trace?.text)
    var needs = job.needs
    if request.film != nil { needs.insert("film") }
    if request.traffic != nil { needs.insert("recorder") }
    guard let payload = order.text else { throw .engine("data-failed", "a render can't be encoded as JSON") }
    var queued = QueuedJob(
      id: row.id, owner: row.owner, needs: needs, content: row.content, payload: payload, created: row.created)
    queued.completion = .byServer
    do throws(Fault) {
      _ = try await cluster.queue.enqueue(queued, key: nil)
    } catch let error where error.origin == .request {
      // No queue ever takes it.
      try await endings.end(row, .failed, error)
    }
  }

  func cancel(_ id: String) async throws(Fault) -> Bool {
    guard let row = try await store.render(id), !row.status.isFinal else { return false }
    do throws(Fault) {
      _ = try await cluster.queue.cancel(id)
      await cluster.notices.post(.cancelled, of: id)
    } catch {
      throw Replica.unreachable(error)
    }
    // Its result may have come before: then that is what it ended with.
    if let record = try? await cluster.queue.record(id), record.status.isFinal, record.status != .cancelled {
      return false
    }
    try await endings.end(row, .cancelled, .request("render-cancelled", "the render was cancelled"))
    return true
  }

  func release(creative content: String) async throws(Fault) -> Bool {
    do throws(Fault) {
      try await cluster.queue.losses.forget(content)
    } catch {
      throw Replica.unreachable(error)
    }
    return try await store.losses.release(content)
  }
}

extension ClusterScheduler {
  /// Does the leader's tasks: ends renders that wait too long, and queues those that a crashed server had only
  /// accepted.
  private func lead() async {
    var rounds = 0
    while (try? await Task.sleep(for: .milliseconds(250))) != nil {
      guard leadership.isHeld else { continue }
      do throws(Fault) {
        try await expire(at: Instant.now)
        if rounds % 40 == 0 { try await lineUpForgotten() }
        if rounds % 240 == 0 { try await takeSnapshot() }
        rounds += 1
      } catch {
        if Task.isCancelled { return }
        log.error("waiting renders can't be checked", metadata: ["error": "\(error)"])
        try? await Task.sleep(for: .seconds(2))
      }
    }
  }

  private func takeSnapshot() async throws(Fault) {
    let latest = try await Snapshot.latest(cluster, key)?.place ?? 0
    guard try await store.position.place() >= latest + Snapshot.pause else { return }
    try await Snapshot.take(cluster, key, store, data)
  }

  private func expire(at timestamp: Int64) async throws(Fault) {
    for row in try await store.overdue(at: timestamp, limit: 50) {
      // A worker that has it by now, or is done with it, is faster.
      guard try await cluster.queue.record(row.id)?.status ?? .queued == .queued else { continue }
      let seconds = (RenderRequest.read(row.request)?.queueTimeout ?? 0).plain
      // First what it ends with: the first that it ended with counts.
      try await endings.end(row, .failed, .deadline("queue-timed-out", "no worker was free within \(seconds) s"))
      _ = try await cluster.queue.cancel(row.id)
    }
  }

  /// Checks old unended renders, oldest first: queues those that no worker would get, and reports jobs that have ended.
  private func lineUpForgotten() async throws(Fault) {
    for row in try await store.unended(before: Instant.now - 10_000, limit: 50) {
      guard let record = try await cluster.queue.record(row.id) else {
        try await enqueue(row)
        continue
      }
      if record.status.isFinal {
        try await cluster.queue.endings.add(record)
      } else if try await cluster.queue.lineUpAgain(row.id) {
        log.notice("a render is queued again", metadata: ["render": "\(row.id)"])
      }
    }
  }
}

extension ClusterScheduler {
  func pressure() async -> Pressure {
    let counts = (try? await store.countUnended()) ?? [:]
    let queued = counts[.queued] ?? 0
    await takeCensus()
    let fault = await replica.fault
    var workers = census.metrics
    workers.queued = queued
    return Pressure(
      running: counts[.running] ?? 0, queued: queued,
      capacity: Pressure.Capacity(running: census.slots, queued: settings.bounds.waiting),
      rejected: admission.rejectedLately, isFull: queued >= settings.bounds.waiting, isStopping: isStopping,
      unwritten: 0, workers: workers, problem: fault.map(Replica.unreachable))
  }

  /// Updates the list of workers and the job counts if they are older than three seconds.
  private func takeCensus() async {
    guard census.isOld else { return }
    census.taken = .now
    guard let cards = try? await cluster.workers.all(), let counts = try? await cluster.queue.counts() else { return }
    census.cards = cards
    census.counts = counts
  }

  func measurements() async -> String {
    await takeCensus()
    census.refused = await replica.refused
    return census.text
  }
}
