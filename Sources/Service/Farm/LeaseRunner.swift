internal import Application
internal import Core
internal import Foundation
internal import JetStream
internal import Logging
internal import Queue
internal import RenderModel
internal import ServiceLifecycle
internal import Workers

/// Renders what a queue hands out, in workers of this machine, until it is told to stop.
actor LeaseRunner: Service {
  /// A job that the pool is done with, on its way back.
  private struct Finished: Sendable {
    let leased: LeasedJob
    let conclusion: FinishedRender?
    let record: RenderRecord

    /// Names of what a served one shows; nil where nothing is to be compared.
    var parts: [String]? {
      get throws(Fault) {
        guard let work = conclusion?.work, record.outcome == .completed else { return nil }
        do throws(Fault) {
          return BaselineSight.parts(of: try BaselineRender(record: record, folder: work.job.output))
        } catch {
          // The record says that it left some.
          throw .engine("result-gone", "its files went before they were sent: \(error.message)")
        }
      }
    }
  }

  private let farm: Farm
  private let settings: WorkSettings
  private let log: Logger
  private let gauges: ServiceGauges
  private let pool: WorkerPool
  private let identifier = RunIdentifier()
  private let capabilities: Capabilities
  private let bounds: QueueBounds
  private let drainSeconds: Double

  private var held: [String: LeasedJob] = [:]
  /// Those that the pool isn't done with.
  private var rendering: Set<String> = []
  private var workload = Workload()
  /// Jobs of batches in the pool; their numbers are from another range than the workload's.
  private var batched: [Int: String] = [:]
  private var latestBatched = 1_000_000_000
  private var isStopping = false
  private var pace: Double?
  private var poolRun: Task<Void, Never>?
  private let (finished, finish) = AsyncStream.makeStream(of: Finished.self)
  private let (room, makeRoom) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(_ farm: Farm, _ settings: WorkSettings, bounds: QueueBounds, gauges: ServiceGauges, log: Logger) {
    (self.farm, self.settings, self.bounds, self.gauges, self.log) = (farm, settings, bounds, gauges, log)
    capabilities = Capabilities(settings.capabilities)
    drainSeconds = settings.bounds.drain
    pool = WorkerPool(
      PoolSettings(
        executable: settings.worker, capacity: settings.jobs, run: identifier, recycleAbove: 1024, warm: settings.jobs,
        environment: settings.proxy.map { ["GALLEY_PROXY": $0] } ?? [:]))
  }

  func run() async throws {
    try? FileManager.default.removeItem(atPath: settings.folder)
    await withDiscardingTaskGroup { group in
      let leasing = Task { await self.leaseJobs() }
      group.addTask { await self.beat() }
      group.addTask { await self.hearNotices() }
      group.addTask { await self.showCard() }
      group.addTask {
        guard (try? await gracefulShutdown()) != nil else { return }
        leasing.cancel()
        await leasing.value
        await self.drain()
      }
      await withDiscardingTaskGroup { work in
        for _ in 0..<max(2, settings.jobs) {
          work.addTask { for await finished in self.finished { await self.giveBack(finished) } }
        }
        work.addTask {
          for await event in self.pool.events { await self.handlePoolEvent(event) }
          await self.endFinishing()
        }
        await runPool()
      }
      leasing.cancel()
      await leasing.value
      group.cancelAll()
    }
    for leased in held.values { try? await farm.queue.release(leased.lease) }
    await farm.workers.remove(settings.name)
    await farm.close()
    try? FileManager.default.removeItem(atPath: settings.folder)
  }

  private func endFinishing() { finish.finish() }

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

  /// Lets what runs end, for a while; the rest is given back at once, so that nobody has to wait until it is missed.
  private func drain() async {
    isStopping = true
    log.notice("shutting down", metadata: ["rendering": "\(rendering.count)"])
    if rendering.isEmpty { return await pool.close() }
    guard (try? await Task.sleep(for: Bounded.seconds(drainSeconds))) != nil else { return }
    log.warning("giving back what still runs", metadata: ["rendering": "\(rendering.count)"])
    for leased in rendering.compactMap({ held[$0] }) { await drop(leased, releasing: true) }
    poolRun?.cancel()
  }

  var card: WorkerCard {
    WorkerCard(
      name: settings.name, galley: Galley.version, capabilities: settings.capabilities.sorted(), slots: settings.jobs,
      busy: rendering.count, seconds: pace)
  }

  var metrics: PoolMetrics { get async { await pool.metrics } }

  /// How many are under way, and whether no more are taken.
  var state: (rendering: Int, isStopping: Bool) { (rendering.count, isStopping) }
}

extension LeaseRunner {
  /// Takes job after job, as there is room for them.
  private func leaseJobs() async {
    var pause = Duration.milliseconds(200)
    while !isStopping, !Task.isCancelled {
      if rendering.count >= settings.jobs {
        for await _ in room { break }
        continue
      }
      do throws(Fault) {
        let lease = try await farm.queue.lease(capabilities, as: settings.name, within: .seconds(5))
        pause = .milliseconds(200)
        guard let lease else { continue }
        guard !isStopping, !Task.isCancelled else { return try await farm.queue.release(lease) }
        await begin(lease)
      } catch {
        guard !Task.isCancelled else { return }
        log.error("no job could be taken", metadata: ["error": "\(error)"])
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .seconds(5))
      }
    }
  }

  /// Fetches what a job needs and hands it to the pool.
  private func begin(_ lease: Lease) async {
    let id = lease.job.id
    // What is still rendered for a lease that was lost isn't to end this one.
    if rendering.contains(id), let lost = held[id] { await drop(lost, releasing: false) }
    rendering.insert(id)
    let path = "\(settings.folder)/\(id)-\(lease.attempt)-\(UInt32.random(in: 0...UInt32.max))"
    do throws(Fault) {
      let leased = try await LeasedJob.prepare(lease, in: path, contents: farm.contents, settings: settings)
      held[id] = leased
      try await countSilence(before: lease)
      switch leased.work {
      case .served(let work):
        workload.add(work)
        for job in workload.begin(id) ?? [] { await hand(job) }
      case .batched(var job):
        latestBatched += 1
        job.id = latestBatched
        batched[job.id] = id
        await hand(job)
      }
    } catch {
      log.warning("a job can't be begun", metadata: ["render": "\(id)", "error": "\(error)"])
      await refuse(lease, error, path)
    }
  }

  private func hand(_ job: RenderJob) async {
    try? ResultFolder(job.output).clear()
    await pool.submit([job])
  }

  /// Ends a job that can't be rendered, or lets others try where the queue itself is the trouble.
  private func refuse(_ lease: Lease, _ fault: Fault, _ path: String) async {
    let id = lease.job.id
    do throws(Fault) {
      // What was accepted was kept: another lease may find it.
      let mayBeFound = fault.isMissingContents && lease.attempt < Self.mostSearches
      if fault.isPassingNatsFault || fault.code == "disk-full" || mayBeFound {
        try await farm.queue.release(lease)
      } else {
        try await farm.queue.end(lease, .failed(fault, result: nil))
        await tellSender(of: lease)
      }
    } catch {
      log.error("a job couldn't be given back", metadata: ["render": "\(id)", "error": "\(error)"])
    }
    forget(id, path)
  }

  /// Has whoever sent a job of a batch look for it; servers have the journal for that.
  private func tellSender(of lease: Lease) async {
    if !lease.job.isServed { await farm.notices.post(.ended, of: lease.job.id) }
  }

  /// By so many leases a job's contents are looked for.
  private static let mostSearches = 3

  /// Has servers know that whoever had the job before died or fell silent under it.
  private func countSilence(before lease: Lease) async throws(Fault) {
    guard lease.attempt > 1, lease.job.isServed else { return }
    let cause = "\(lease.job.id)-\(lease.attempt - 1)"
    await tell(loss: "a worker's machine fell silent", cause: cause, of: lease)
  }

  /// Writes a loss into what all servers remember; the queue itself decides by its own count.
  private func tell(loss reason: String, cause: String, of lease: Lease) async {
    guard lease.job.isServed, case .served(let work)? = held[lease.job.id]?.work else { return }
    let change = CountLoss(
      loss: CrashRecord(
        content: work.content, recipe: work.request.recipe, render: work.id, cause: cause, reason: reason,
        timestamp: Instant.now))
    await append(change)
  }

  private func append(_ change: some StoreChange) async {
    do throws(Fault) {
      try await farm.append(change)
    } catch {
      log.error("servers couldn't be told", metadata: ["error": "\(error)"])
    }
  }

  /// Lets go of a job that is somebody else's, or is to be.
  private func drop(_ leased: LeasedJob, releasing: Bool) async {
    let id = leased.lease.job.id
    let isHeld = held[id]?.lease == leased.lease
    forget(id, leased.folder.path)
    if isHeld {
      for job in takeJobs(of: id) { await pool.cancel(job) }
    }
    if releasing { try? await farm.queue.release(leased.lease) }
  }

  /// What the pool has of a render; nothing of it is anybody's from here on.
  private func takeJobs(of id: String) -> Set<Int> {
    var jobs = workload.remove(id)?.poolJobs ?? []
    for job in jobs { workload.disown(job) }
    for (job, owner) in batched where owner == id {
      batched[job] = nil
      jobs.insert(job)
    }
    return jobs
  }

  private func forget(_ id: String, _ path: String) {
    // A lease that was lost meanwhile may have come back here as another.
    if held[id].map({ $0.folder.path == path }) ?? true {
      held[id] = nil
      rendering.remove(id)
    }
    makeRoom.yield()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Says of every job that it is still worked at; those that are somebody else's by now are let go.
  private func beat() async {
    let pause = bounds.leaseTime / 3
    while (try? await Task.sleep(for: pause)) != nil {
      for leased in held.values { await beat(leased) }
    }
  }

  private func beat(_ leased: LeasedJob) async {
    let id = leased.lease.job.id
    do throws(Fault) {
      try await farm.queue.heartbeat(leased.lease)
    } catch where error.code == "lease-lost" {
      guard rendering.contains(id), held[id]?.lease == leased.lease else { return }
      log.notice("a job is somebody else's by now, or was cancelled", metadata: ["render": "\(id)"])
      await drop(leased, releasing: false)
    } catch {
      log.warning("nobody heard that a job is worked at", metadata: ["render": "\(id)", "error": "\(error)"])
    }
  }

  /// Hears of jobs that were cancelled sooner than by their next beat.
  private func hearNotices() async {
    while !Task.isCancelled {
      guard let reader = try? await farm.notices.listen(to: .cancelled) else {
        try? await Task.sleep(for: .seconds(1))
        continue
      }
      while !Task.isCancelled {
        do throws(Fault) {
          for (id, notice) in try await reader.next() where notice == .cancelled {
            if rendering.contains(id), let leased = held[id] { await beat(leased) }
          }
        } catch {
          break
        }
      }
    }
  }

  private func showCard() async {
    repeat {
      try? await farm.workers.show(card)
    } while (try? await Task.sleep(for: WorkerCards.pause)) != nil
  }
}

extension LeaseRunner {
  private func owner(of job: Int) -> String? { workload.owner(of: job) ?? batched[job] }

  private func handlePoolEvent(_ event: PoolEvent) async {
    switch event {
    case .started(let job, _):
      guard let id = owner(of: job), let leased = held[id] else { return }
      await start(id, leased)
    case .progress(let job, let phase):
      if let id = owner(of: job) { await farm.notices.post(.phase(phase), of: id) }
    case .retrying(let job, let lost, let reason):
      if let id = owner(of: job), let leased = held[id] { await retry(id, leased, lost, reason) }
    case .finished(let job, let record):
      if let id = batched.removeValue(forKey: job) { return conclude(id, record, nil) }
      switch workload.finish(job, record) {
      case .further(let jobs): for job in jobs { await hand(job) }
      case .done(let conclusion): conclude(conclusion.work.id, conclusion.record, conclusion)
      case nil: break
      }
    }
  }

  /// Of a render that explores, each trial starts, but it itself does so once.
  private func start(_ id: String, _ leased: LeasedJob) async {
    if case .served = leased.work {
      guard let work = workload[id], !work.hasStarted || work.explorationJob == nil else { return }
      if !work.hasStarted { gauges.waited(milliseconds: Instant.now - leased.lease.job.created) }
      workload.noteStart(of: id)
      await append(StartRender(id: id, timestamp: Instant.now))
    }
    await farm.notices.post(.started(attempt: leased.lease.attempt), of: id)
  }

  private func retry(_ id: String, _ leased: LeasedJob, _ lost: PoolEvent.Loss, _ reason: String) async {
    gauges.lost(lost)
    await farm.notices.post(.retrying(reason: reason), of: id)
    guard lost == .worker else { return }
    await count(leased, reason)
  }

  /// Counts a worker against the creative it died under; one that isn't tried any more is given back, to be filed so.
  @discardableResult private func count(_ leased: LeasedJob, _ reason: String) async -> Bool {
    let id = leased.lease.job.id
    let cause = "\(id)-\(leased.lease.attempt)-\(UInt32.random(in: 0...UInt32.max))"
    await tell(loss: reason, cause: cause, of: leased.lease)
    do throws(Fault) {
      let losses = try await farm.queue.countLoss(of: leased.lease.job.content, cause: cause, reason: reason)
      guard losses.causes.count >= bounds.losses else { return false }
      await drop(leased, releasing: true)
      return true
    } catch {
      log.error("a lost worker couldn't be counted", metadata: ["error": "\(error)"])
      return false
    }
  }

  private func conclude(_ id: String, _ record: RenderRecord, _ conclusion: FinishedRender?) {
    guard let leased = held[id] else { return }
    let seconds = (record.timings["total"] ?? 0) / 1000
    leased.trace.endRender(record)
    gauges.rendered(seconds: seconds)
    pace = (pace ?? seconds) * 0.8 + seconds * 0.2
    // The next may begin while this one is judged and sent.
    rendering.remove(id)
    makeRoom.yield()
    finish.yield(Finished(leased: leased, conclusion: conclusion, record: record))
    if isStopping, rendering.isEmpty { Task { await pool.close() } }
  }

  /// Judges what came of a job, sends it and ends the lease.
  private func giveBack(_ finished: Finished) async {
    let (leased, record) = (finished.leased, finished.record)
    let id = leased.lease.job.id
    if record.code == "worker-died", await count(leased, record.message ?? "a worker died") { return }
    var outcome = FarmOutcome(seconds: (record.timings["total"] ?? 0) / 1000, attempts: record.attempts)
    var fault = finished.conclusion?.fault
    do throws(Fault) {
      if let conclusion = finished.conclusion {
        outcome.summary = try await ResultSummarizer(conclusion, results: leased.folder.results).summarise().text
      }
      outcome.parts = try finished.parts
      let parcel = "\(leased.folder.path)/out.parcel"
      try Parcel.pack(leased.folder.results, to: parcel)
      outcome.parcel = try await farm.contents.put(file: parcel)
    } catch {
      guard !error.isPassingNatsFault else {
        log.with(leased.trace.context).error(
          "a result couldn't be sent", metadata: ["render": "\(id)", "error": "\(error)"])
        return await drop(leased, releasing: true)
      }
      fault = error
    }
    await end(leased, outcome, fault)
    leased.trace.end(.send)
    leased.trace.end(fault?.message)
    forget(id, leased.folder.path)
  }

  private func end(_ leased: LeasedJob, _ outcome: FarmOutcome, _ fault: Fault?) async {
    let id = leased.lease.job.id
    let told = fault.map { JobOutcome.failed($0, result: outcome.text) } ?? .completed(result: outcome.text)
    do throws(Fault) {
      if let change = leased.ending(outcome, fault) {
        try await farm.queue.end(leased.lease, told) { [farm] _ in try? await farm.append(change) }
      } else {
        try await farm.queue.end(leased.lease, told)
      }
      gauges.ended(fault == nil ? .completed : .failed, code: fault?.code)
      log.with(leased.trace.context).info("a job was done", metadata: ["render": "\(id)"])
      await tellSender(of: leased.lease)
    } catch {
      // Whoever was given it since ends it.
      log.with(leased.trace.context).warning(
        "a result came too late", metadata: ["render": "\(id)", "error": "\(error)"])
    }
  }
}
