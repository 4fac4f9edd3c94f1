internal import Application
internal import Core
internal import Foundation
internal import Logging
internal import RenderModel
internal import Scheduling
internal import ServiceLifecycle
internal import Telemetry
internal import Workers

/// Renders the jobs that a queue hands out, in workers of this machine, until it is told to stop.
actor QueueWorker: Service, RenderExecuting {
  private let client: WorkerClient
  private let settings: WorkSettings
  private let log: Logger
  private let capabilities: Capabilities
  private let bounds: QueueBounds

  var executor: RenderExecutor<LeasedJob>
  private var held: [String: LeasedJob] = [:]
  /// Ids of the jobs that the pool hasn't finished.
  private var rendering: Set<String> = []
  private var isStopping = false
  private let (room, makeRoom) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(_ client: WorkerClient, _ settings: WorkSettings, bounds: QueueBounds, gauges: ServiceGauges, log: Logger) {
    (self.client, self.settings, self.bounds, self.log) = (client, settings, bounds, log)
    capabilities = Capabilities(settings.capabilities)
    executor = RenderExecutor(
      worker: settings.worker, watchdog: settings.executable, jobs: settings.jobs, proxy: settings.proxy,
      gauges: gauges)
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
      await render(concluding: max(2, settings.jobs))
      leasing.cancel()
      await leasing.value
      group.cancelAll()
    }
    for leased in held.values { try? await client.release(leased.lease) }
    await client.leave()
    await client.close()
    try? FileManager.default.removeItem(atPath: settings.folder)
  }

  /// Waits for running jobs for a while, and then returns the others at once, so that the queue needn't wait for their
  /// leases to expire.
  private func drain() async {
    isStopping = true
    log.notice("shutting down", metadata: ["rendering": "\(rendering.count)"])
    if await closeIfDrained() { return }
    await giveBack(after: settings.bounds.drain)
  }

  var card: WorkerHeartbeat {
    WorkerHeartbeat(
      name: settings.name, galley: Galley.version, capabilities: settings.capabilities.sorted(), slots: settings.jobs,
      busy: rendering.count, seconds: executor.pace)
  }

  var metrics: PoolMetrics { get async { await executor.pool.metrics } }

  /// Number of running jobs, and true if no more are leased.
  var state: (rendering: Int, isStopping: Bool) { (rendering.count, isStopping) }
}

extension QueueWorker {
  /// Leases one job after the other while there are free slots.
  private func leaseJobs() async {
    var pause = Duration.milliseconds(200)
    while !isStopping, !Task.isCancelled {
      if rendering.count >= settings.jobs {
        for await _ in room { break }
        continue
      }
      do throws(Fault) {
        let lease = try await client.lease(capabilities, within: .seconds(5))
        pause = .milliseconds(200)
        guard let lease else { continue }
        guard !isStopping, !Task.isCancelled else { return try await client.release(lease) }
        await begin(lease)
      } catch {
        guard !Task.isCancelled else { return }
        log.error("no job can be fetched", metadata: ["error": "\(error)"])
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, .seconds(5))
      }
    }
  }

  /// Fetches the files of a job and submits it to the pool.
  private func begin(_ lease: LeaseGrant) async {
    let id = lease.job.id
    // What is still rendered for a lease that was lost isn't to end this one.
    if rendering.contains(id), let lost = held[id] { await drop(lost, releasing: false) }
    rendering.insert(id)
    let path = "\(settings.folder)/\(id)-\(lease.attempt)-\(UInt32.random(in: 0...UInt32.max))"
    do throws(Fault) {
      let leased = try await LeasedJob.prepare(lease, in: path, client: client, settings: settings)
      held[id] = leased
      switch leased.work {
      case .served(let work):
        executor.renders.add(work)
        await submit(executor.renders.begin(id) ?? [])
      case .batched(let job): await submit([executor.renders.begin(job, of: id)])
      }
    } catch {
      log.warning("a job can't be started", metadata: ["render": "\(id)", "error": "\(error)"])
      await refuse(lease, error, path)
    }
  }

  /// Ends a job that can't be rendered, or releases it if the queue or the disk is at fault.
  private func refuse(_ lease: LeaseGrant, _ fault: Fault, _ path: String) async {
    let id = lease.job.id
    do throws(Fault) {
      if fault.isPassingNatsFault || fault.has(.diskFull) {
        try await client.release(lease)
      } else if fault.isMissingContents, lease.attempt < Self.mostSearches {
        // What was accepted was kept: another lease may find it, and each of them counts.
        try await client.release(lease, counts: true)
      } else {
        try await client.end(lease, fault, result: JobResult(attempts: lease.attempt).text, files: nil)
      }
    } catch {
      log.error("a job can't be returned to the queue", metadata: ["render": "\(id)", "error": "\(error)"])
    }
    forget(id, path)
  }

  /// Number of leases of a job within which its contents are searched for.
  private static let mostSearches = 3

  /// Stops a job whose lease was lost, or releases the lease.
  private func drop(_ leased: LeasedJob, releasing: Bool) async {
    let id = leased.lease.job.id
    let isHeld = held[id]?.lease == leased.lease
    forget(id, leased.folder.path)
    if isHeld { await withdraw(executor.renders.take(id).jobs) }
    if releasing { try? await client.release(leased.lease) }
  }

  private func forget(_ id: String, _ path: String) {
    // A lease that was lost meanwhile may have come back here as another.
    if held[id].map({ $0.folder.path == path }) ?? true {
      held[id] = nil
      rendering.remove(id)
    }
    feed()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Sends a heartbeat for each held job and drops jobs whose lease was lost.
  private func beat() async {
    let pause = bounds.leaseTime / 3
    while (try? await Task.sleep(for: pause)) != nil {
      for leased in held.values { await beat(leased) }
    }
  }

  private func beat(_ leased: LeasedJob) async {
    let id = leased.lease.job.id
    do throws(Fault) {
      try await client.heartbeat(leased.lease)
    } catch let error where error.has(.leaseLost) {
      guard rendering.contains(id), held[id]?.lease == leased.lease else { return }
      log.notice("a job was reassigned or cancelled", metadata: ["render": "\(id)"])
      await drop(leased, releasing: false)
    } catch {
      log.warning("a job's progress can't be reported", metadata: ["render": "\(id)", "error": "\(error)"])
    }
  }

  /// Listens for cancellations, so that cancelled jobs are dropped before their next heartbeat.
  private func hearNotices() async {
    while !Task.isCancelled {
      guard let reader = try? await client.cancellations() else {
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
      try? await client.show(card)
    } while (try? await Task.sleep(for: WorkerRegistry.pause)) != nil
  }
}

extension QueueWorker {
  var isDrained: Bool { isStopping && rendering.isEmpty }

  /// Lets the next job be leased.
  func feed() { makeRoom.yield() }

  /// Reports that rendering has begun, once for all pool jobs of a render.
  func started(_ id: String, attempt: Int) async {
    guard let leased = held[id] else { return }
    do throws(Fault) {
      try await client.start(leased.lease)
    } catch {
      log.warning("a job's start can't be reported", metadata: ["render": "\(id)", "error": "\(error)"])
    }
  }

  func progressed(_ id: String, to phase: String) async {
    if let leased = held[id] { await client.progress(leased.lease, phase) }
  }

  func lost(_ process: PoolEvent.Loss, of id: String, reason: String) async {
    guard let leased = held[id] else { return }
    await client.retrying(leased.lease, reason)
    guard process == .worker else { return }
    await count(leased, reason)
  }

  /// Counts a lost worker against the creative; a creative with too many losses is released, so that the queue
  /// quarantines it.
  @discardableResult private func count(_ leased: LeasedJob, _ reason: String) async -> Bool {
    do throws(Fault) {
      guard try await client.died(leased.lease, reason) >= bounds.losses else { return false }
      await drop(leased, releasing: true)
      return true
    } catch {
      log.error("a worker's death can't be recorded", metadata: ["error": "\(error)"])
      return false
    }
  }

  func finished(_ id: String, _ record: RenderRecord, _ render: RenderWork?) -> LeasedJob? {
    guard var leased = held[id] else { return nil }
    if let render { leased.work = .served(render) }
    leased.trace.endRender(record)
    executor.noteDuration(of: record)
    // The next may begin while this one is judged and sent.
    rendering.remove(id)
    return leased
  }

  /// Releases the leases of jobs that still run.
  func giveBackAll() async {
    log.warning("returning running jobs to the queue", metadata: ["rendering": "\(rendering.count)"])
    for leased in rendering.compactMap({ held[$0] }) { await drop(leased, releasing: true) }
  }

  /// Evaluates the result of a job, sends it and ends the lease.
  func conclude(_ finished: FinishedRender<LeasedJob>) async {
    let (leased, record) = (finished.work, finished.record)
    let id = leased.lease.job.id
    if record.has(.workerDied), await count(leased, record.message ?? "a worker died") { return }
    var outcome = JobResult(seconds: record.seconds, attempts: record.attempts)
    var fault: Fault?
    var files: FileReceipt?
    do throws(Fault) {
      if case .served(let work) = leased.work {
        fault = record.fault
        outcome.summary = try await ResultSummarizer(work, record, results: leased.folder.results).summarise().text
        if fault == nil { outcome.parts = try Self.parts(of: record, work.job) }
      }
      let parcel = "\(leased.folder.path)/out.parcel"
      try ResultArchive.pack(leased.folder.results, to: parcel)
      files = try await client.keep(file: parcel, of: leased.lease)
    } catch {
      guard !error.isPassingNatsFault else {
        log.with(leased.trace.context).error(
          "a result can't be sent", metadata: ["render": "\(id)", "error": "\(error)"])
        return await drop(leased, releasing: true)
      }
      fault = error
    }
    await end(leased, outcome, fault, files)
    leased.trace.end(.send)
    leased.trace.end(fault?.message)
    forget(id, leased.folder.path)
  }

  /// Names of the parts that a server's completed render shows.
  private static func parts(of record: RenderRecord, _ job: RenderJob) throws(Fault) -> [String] {
    do throws(Fault) {
      return try BaselineRender(single: record, of: job.creative, folder: job.output).partNames
    } catch {
      // The record lists some.
      throw .engine("result-gone", "its files disappeared before they were sent: \(error.message)")
    }
  }

  private func end(_ leased: LeasedJob, _ outcome: JobResult, _ fault: Fault?, _ files: FileReceipt?) async {
    let id = leased.lease.job.id
    do throws(Fault) {
      try await client.end(leased.lease, fault, result: outcome.text, files: files)
      executor.gauges.ended(fault == nil ? .completed : .failed, code: fault?.code)
      log.with(leased.trace.context).info("a job was done", metadata: ["render": "\(id)"])
    } catch {
      // Whoever was given it since ends it.
      log.with(leased.trace.context).warning(
        "a result came too late", metadata: ["render": "\(id)", "error": "\(error)"])
    }
  }
}
