internal import Core
internal import Foundation
internal import GRDB
internal import Logging
internal import Queue
internal import RenderModel
internal import ServiceLifecycle
internal import Tracing
internal import Workers

/// The desk of a server that renders nothing itself: it accepts, and brings to an end what workers have done elsewhere.
///
/// Any number of them stand beside each other. What has to be done once is done by the one that leads.
actor FarmDesk: RenderDesk {
  nonisolated let settings: ServiceSettings
  private let farm: Farm
  private let store: Store
  private let data: DataFolder
  private let replica: Replica
  private let shelf: FarmShelf
  private let endings: FarmEndings
  private let acceptor: RenderAcceptor
  private let renderEvents: RenderEvents
  private let gauges: ServiceGauges
  private let log: Logger
  private let webhookIsDue: @Sendable () -> Void
  /// Whether this server does what has to be done once.
  nonisolated let leadership: Leadership
  /// Requests that are being received or accepted, by whose they are.
  private var arriving: [String: Int] = [:]
  private var rejections = Rejections()
  private var isStopping = false
  private var census = Census()
  /// What waited when it was last counted for an arrival.
  private var counted: (waiting: Int, taken: ContinuousClock.Instant)?

  init(
    _ parts: FarmParts, settings: ServiceSettings, store: Store, data: DataFolder, reviews: ReviewDesk,
    renderEvents: RenderEvents, gauges: ServiceGauges, log: Logger, webhookIsDue: @escaping @Sendable () -> Void
  ) {
    (self.settings, self.store, self.data) = (settings, store, data)
    (farm, replica, shelf, leadership) = (parts.farm, parts.replica, parts.shelf, parts.leadership)
    (self.renderEvents, self.gauges, self.log) = (renderEvents, gauges, log)
    self.webhookIsDue = webhookIsDue
    let outcomes = OutcomeWriter(
      store: store, base: settings.publicAddress, renderEvents: renderEvents, gauges: gauges, log: log,
      webhookIsDue: webhookIsDue)
    endings = FarmEndings(
      farm: farm, store: store, replica: replica, shelf: shelf, reviews: reviews, outcomes: outcomes, gauges: gauges,
      log: log)
    acceptor = RenderAcceptor(
      settings: settings, store: store, data: data, blobs: BlobStore(data.blobs), contents: parts.farm.contents)
  }

  /// Brings renders to an end until the server is told to stop.
  func run() async throws {
    data.clearScratch()
    await withDiscardingTaskGroup { group in
      group.addTask { await self.replica.run() }
      group.addTask { for await made in self.replica.made { await self.note(made) } }
      group.addTask { await self.hearNotices() }
      group.addTask { await self.leadership.run(self.farm.locks) }
      group.addTask { await self.lead() }
      group.addTask { await self.endings.run() }
      try? await gracefulShutdown()
      stop()
      group.cancelAll()
    }
    await leadership.end()
    await farm.close()
  }

  private func stop() { isStopping = true }

  /// Waits until this server remembers what the others do.
  func begin() async throws {
    while true {
      do throws(Fault) {
        return try await replica.catchUp()
      } catch {
        guard !Task.isCancelled, !isStopping, error.code != "journal-newer", error.code != "journal-differs" else {
          throw error
        }
        log.notice("not all changes of other servers are here yet", metadata: ["reason": "\(error.message)"])
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Tells whoever listens here what was changed, wherever that was.
  private func note(_ made: Replica.Made) async {
    guard case .success = made.outcome else { return }
    switch made.change {
    case let end as EndRender:
      renderEvents.post(.ended(end.ending.status), of: end.id)
      if leadership.isHeld { await endings.note(end) }
      if end.ending.hook != nil { webhookIsDue() }
    case let update as UpdateReview where update.hook != nil: webhookIsDue()
    case let forget as ForgetRender:
      if (try? await store.render(forget.id)) == nil {
        DurableFile.remove(data.render(forget.id).path, by: data.newScratch())
      }
    case is SetBaseline:
      do throws(Fault) {
        try await shelf.bringBaselines()
      } catch {
        log.error("a baseline couldn't be fetched", metadata: ["error": "\(error)"])
      }
    default: break
    }
  }

  /// Passes on what workers say of renders that somebody here may follow.
  private func hearNotices() async {
    while !Task.isCancelled {
      do throws(Fault) {
        let reader = try await farm.notices.listen(to: .progress)
        while !Task.isCancelled {
          for (id, notice) in try await reader.next(of: renderEvents.isFollowed) { pass(notice, of: id) }
        }
      } catch {
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  private func pass(_ notice: JobNotice, of id: String) {
    switch notice {
    case .started(let attempt): renderEvents.post(.started(attempt: attempt), of: id)
    case .phase(let phase): renderEvents.post(.phase(phase.printable(limit: 100)), of: id)
    case .retrying(let reason): renderEvents.post(.retrying(reason: reason.printable(limit: 1000)), of: id)
    // Only what is written down has ended.
    case .ended, .cancelled: break
    }
  }
}

extension FarmDesk {
  func expect(owner: String, key: String?, mostOfOwner: Int?) async throws(Problem) {
    if let key, try await acceptor.known(owner: owner, key: key) != nil { return enter(owner) }
    if isStopping { throw Problem(503, .engine("server-stopping", "the server is shutting down"), retryAfter: 10) }
    let (waiting, own): (Int, Int)
    do throws(Fault) {
      if let fault = await replica.fault { throw Replica.unreachable(fault) }
      waiting = try await countWaiting()
      own = mostOfOwner == nil ? 0 : try await store.unended(of: owner)
    } catch {
      throw Problem(503, error, retryAfter: 5)
    }
    if let mostOfOwner, own + arriving[owner, default: 0] >= mostOfOwner {
      throw reject("renders-too-many", "\(mostOfOwner) renders of this token's are waiting or running already")
    }
    guard waiting + arriving.values.reduce(0, +) < settings.bounds.waiting else {
      throw reject("queue-full", "\(settings.bounds.waiting) renders are waiting already")
    }
    enter(owner)
  }

  /// How many renders wait. To count many takes long: far below the bound what was counted within a second is enough.
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

  private func enter(_ owner: String) { arriving[owner, default: 0] += 1 }

  func arrived(owner: String) {
    arriving[owner, default: 0] -= 1
    if arriving[owner, default: 0] <= 0 { arriving[owner] = nil }
  }

  private func reject(_ code: String, _ message: String) -> Problem {
    rejections.recordRejection(at: Instant.now)
    gauges.rejected(code)
    let seconds = RetryAdvice.seconds(
      waiting: settings.bounds.waiting, width: max(1, census.slots), pace: census.seconds)
    return Problem(429, code, message, retryAfter: seconds)
  }

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
      log.error("a render couldn't be lined up yet", metadata: ["render": "\(row.id)", "error": "\(error)"])
    }
    return row
  }

  /// Lines a render up; one that is lined up already stays so.
  private func enqueue(_ row: RenderRow) async throws(Fault) {
    guard let request = RenderRequest.read(row.request) else {
      return try await endings.end(row, .failed, .engine("data-lost", "the request of \(row.id) can't be read any more"))
    }
    let job: RenderJob
    do throws(Problem) {
      job = try request.job(path: "/", output: "/", reach: settings.reach)
    } catch {
      return try await endings.end(row, .failed, error.fault)
    }
    var served = FarmOrder.Served(
      name: row.name, content: row.content, created: row.created, request: row.request, file: row.file,
      deadline: row.created + Int64(Bounded.int(request.queueTimeout * 1000, in: 0...1_000_000_000_000)),
      recording: request.recording)
    served.isEndedByWorker = try await !endings.areNeeded(by: row, request)
    let order = FarmOrder(served: served, traceparent: InstrumentationContext.current?.trace?.text)
    var needs = job.needs
    if request.film != nil { needs.insert("film") }
    if request.traffic != nil { needs.insert("recorder") }
    guard let payload = order.text else { throw .engine("data-failed", "a render has no form in JSON") }
    var queued = QueuedJob(
      id: row.id, owner: row.owner, needs: needs, content: row.content, payload: payload, created: row.created)
    queued.isServed = true
    do throws(Fault) {
      _ = try await farm.queue.enqueue(queued, key: nil)
    } catch where error.origin == .request {
      // No queue ever takes it.
      try await endings.end(row, .failed, error)
    }
  }

  func cancel(_ id: String) async throws(Fault) -> Bool {
    guard let row = try await store.render(id), !row.status.isFinal else { return false }
    do throws(Fault) {
      _ = try await farm.queue.cancel(id)
      await farm.notices.post(.cancelled, of: id)
    } catch {
      throw Replica.unreachable(error)
    }
    // Its result may have come before: then that is what it ended with.
    if let record = try? await farm.queue.record(id), record.status.isFinal, record.status != .cancelled {
      return false
    }
    try await endings.end(row, .cancelled, .request("render-cancelled", "it was cancelled before it was done"))
    return true
  }

  func release(creative content: String) async throws(Fault) -> Bool {
    do throws(Fault) {
      try await farm.queue.forgetLosses(of: content)
    } catch {
      throw Replica.unreachable(error)
    }
    return try await store.releaseFromQuarantine(content)
  }
}

extension FarmDesk {
  /// What has to be done once: giving up what waits too long, and lining up what a server that died had only accepted.
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
        log.error("what waits can't be looked after", metadata: ["error": "\(error)"])
        try? await Task.sleep(for: .seconds(2))
      }
    }
  }

  private func takeSnapshot() async throws(Fault) {
    let latest = try await Snapshot.latest(farm)?.place ?? 0
    guard try await store.place() >= latest + Snapshot.pause else { return }
    try await Snapshot.take(farm, store, data)
  }

  private func expire(at timestamp: Int64) async throws(Fault) {
    for row in try await store.overdue(at: timestamp, limit: 50) {
      // A worker that has it by now, or is done with it, is faster.
      guard try await farm.queue.record(row.id)?.status ?? .queued == .queued else { continue }
      let seconds = (RenderRequest.read(row.request)?.queueTimeout ?? 0).plain
      // First what it ends with: the first that it ended with counts.
      try await endings.end(row, .failed, .deadline("queue-timed-out", "no worker was free within \(seconds) s"))
      _ = try await farm.queue.cancel(row.id)
    }
  }

  /// Looks at what hasn't ended after a while, oldest first: whether it has a job that somebody will be handed, and
  /// whether somebody will hear of a job that has ended.
  private func lineUpForgotten() async throws(Fault) {
    for row in try await store.unended(before: Instant.now - 10_000, limit: 50) {
      guard let record = try await farm.queue.record(row.id) else {
        try await enqueue(row)
        continue
      }
      if record.status.isFinal {
        try await farm.queue.endings.add(record)
      } else if try await farm.queue.lineUpAgain(row.id) {
        log.notice("a render is lined up again", metadata: ["render": "\(row.id)"])
      }
    }
  }
}

extension FarmDesk {
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
      rejected: rejections.count(at: Instant.now), isFull: queued >= settings.bounds.waiting, isStopping: isStopping,
      unwritten: 0, workers: workers, problem: fault.map(Replica.unreachable))
  }

  /// Who renders right now; looked up anew after some seconds.
  private func takeCensus() async {
    guard census.isOld else { return }
    census.taken = .now
    guard let cards = try? await farm.workers.all(), let counts = try? await farm.queue.counts() else { return }
    census.cards = cards
    census.counts = counts
  }

  func measurements() async -> String {
    await takeCensus()
    return census.text
  }
}

extension Store {
  /// How many renders wait.
  func countWaiting() async throws(Fault) -> Int {
    try await read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM render WHERE status = 'queued'") ?? 0 }
  }

  /// How many of an owner's renders wait or run.
  func unended(of owner: String) async throws(Fault) -> Int {
    try await read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM render INDEXED BY renderUnended WHERE status IN ('queued', 'running') AND owner = ?
          """, arguments: [owner]) ?? 0
    }
  }

  /// Renders that have waited longer than they were to, the longest first.
  func overdue(at timestamp: Int64, limit: Int) async throws(Fault) -> [RenderRow] {
    try await read { db in
      try Row.fetchAll(
        db,
        // Without being told, SQLite reads all that waits, four times a second.
        sql: """
          SELECT * FROM render INDEXED BY renderByDeadline
          WHERE status = 'queued' AND deadline <= ? ORDER BY deadline LIMIT ?
          """,
        arguments: [timestamp, limit]
      ).map(RenderRow.init)
    }
  }

  /// Renders that were accepted before an instant and haven't ended, oldest first.
  func unended(before timestamp: Int64, limit: Int) async throws(Fault) -> [RenderRow] {
    try await read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM render WHERE status IN ('queued', 'running') AND created < ? ORDER BY number LIMIT ?
          """,
        arguments: [timestamp, limit]
      ).map(RenderRow.init)
    }
  }
}
