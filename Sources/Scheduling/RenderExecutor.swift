internal import Core
package import RenderModel
package import Telemetry
package import Workers

/// Work that the workers have finished, and the record of its render.
package struct FinishedRender<Work: Sendable>: Sendable {
  package let work: Work
  package let record: RenderRecord
}

/// The renders of one machine: its worker pool, what is under way, and what is finished and waits for its conclusion.
package struct RenderExecutor<Work: Sendable>: Sendable {
  package let pool: WorkerPool
  package let gauges: ServiceGauges
  /// The waiting and running renders.
  package var renders = ActiveRenders()
  /// Moving average of the seconds per render; nil before the first.
  package private(set) var pace: Double?
  fileprivate let finished: AsyncStream<FinishedRender<Work>>
  fileprivate let addFinished: AsyncStream<FinishedRender<Work>>.Continuation
  private let identifier: RunIdentifier
  /// Path of the program that runs as the watchdog.
  private let watchdog: String
  private var poolRun: Task<Void, Never>?

  /// Creates the pool for `jobs` concurrent creatives.
  package init(worker: String, watchdog: String, jobs: Int, proxy: String?, gauges: ServiceGauges) {
    identifier = RunIdentifier()
    (self.watchdog, self.gauges) = (watchdog, gauges)
    pool = WorkerPool(
      PoolSettings(
        executable: worker, capacity: jobs, run: identifier, recycleAbove: 1024, warm: jobs,
        environment: proxy.map { ["GALLEY_PROXY": $0] } ?? [:]))
    (finished, addFinished) = AsyncStream.makeStream()
  }

  /// Records the duration of a render.
  package mutating func noteDuration(of record: RenderRecord) {
    gauges.rendered(seconds: record.seconds)
    pace = (pace ?? record.seconds) * 0.8 + record.seconds * 0.2
  }

  /// Notes that a worker has begun a job; false if it is a further job of a render that has started already.
  fileprivate mutating func noteStart(of id: String) -> Bool {
    // A batch job has no further ones.
    guard let work = renders[id] else { return true }
    guard !work.isUnderWay else { return false }
    if !work.hasStarted { gauges.waited(milliseconds: Instant.now - work.created) }
    renders.noteStart(of: id)
    return true
  }

  /// Starts the pool under the watchdog, in a task that draining may cancel.
  fileprivate mutating func startPool() -> Task<Void, Never> {
    let task = Task { [pool, identifier, watchdog] in
      await Watchdog.during(identifier, executable: watchdog) { await pool.run() }
    }
    poolRun = task
    return task
  }

  /// Kills all workers.
  fileprivate func killPool() { poolRun?.cancel() }
}

/// An actor that renders with this machine's workers; it decides where renders come from and what becomes of them.
///
/// The executor is a value of the actor, so that a render leaves the actor's own books and the executor's in one step.
package protocol RenderExecuting: Actor {
  /// Form in which the actor holds a render while the workers have it.
  associatedtype Work: Sendable

  var executor: RenderExecutor<Work> { get set }
  /// True if nothing is under way and nothing more will be begun.
  var isDrained: Bool { get }

  /// Begins renders that wait, as far as there is room.
  func feed() async

  /// Reports that a worker has begun a render; `attempt` counts from 1.
  func started(_ id: String, attempt: Int) async

  /// Reports progress of a render.
  func progressed(_ id: String, to phase: String) async

  /// Reports that an attempt was lost, and gives the render up if its creative has lost too many workers.
  func lost(_ process: PoolEvent.Loss, of id: String, reason: String) async

  /// Frees the place of a finished render; returns nil if it doesn't belong to this actor any more.
  ///
  /// - Parameter render: the finished render that a server accepted; nil for a batch job.
  func finished(_ id: String, _ record: RenderRecord, _ render: RenderWork?) async -> Work?

  /// Evaluates a finished render, and stores or sends its outcome.
  func conclude(_ finished: FinishedRender<Work>) async

  /// Gives back everything that still runs when the time for draining is over.
  func giveBackAll() async
}

extension RenderExecuting {
  /// Renders until the pool is closed and all finished renders are concluded, `width` of them concurrently.
  package func render(concluding width: Int) async {
    let (events, finished) = (executor.pool.events, executor.finished)
    let addFinished = executor.addFinished
    await withDiscardingTaskGroup { work in
      for _ in 0..<width {
        work.addTask { for await render in finished { await self.conclude(render) } }
      }
      work.addTask {
        for await event in events { await self.handlePoolEvent(event) }
        addFinished.finish()
      }
      await runPool()
    }
  }

  private func runPool() async {
    let task = executor.startPool()
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Submits jobs to the workers.
  package func submit(_ jobs: [RenderJob]) async {
    for job in jobs { try? ResultFolder(job.output).clear() }
    await executor.pool.submit(jobs)
  }

  /// Stops jobs that no longer belong to a render.
  package func withdraw(_ jobs: Set<Int>) async {
    for job in jobs { await executor.pool.cancel(job) }
  }

  /// Handles an event of the pool.
  func handlePoolEvent(_ event: PoolEvent) async {
    switch event {
    case .started(let job, let attempt):
      guard let id = executor.renders.owner(of: job), executor.noteStart(of: id) else { return }
      await started(id, attempt: attempt)
    case .progress(let job, let phase):
      if let id = executor.renders.owner(of: job) { await progressed(id, to: phase) }
    case .retrying(let job, let process, let reason):
      guard let id = executor.renders.owner(of: job) else { return }
      executor.gauges.lost(process)
      await lost(process, of: id, reason: reason)
    case .finished(let job, let record):
      switch executor.renders.finish(job, record) {
      case .further(let jobs): await submit(jobs)
      case .done(let render): await finish(render.work.id, render.record, render.work)
      case .batchJobDone(let id): await finish(id, record, nil)
      case nil: break
      }
    }
  }

  /// Queues a finished render to be concluded; its place is free for the next one meanwhile.
  private func finish(_ id: String, _ record: RenderRecord, _ render: RenderWork?) async {
    guard let work = await finished(id, record, render) else { return }
    executor.addFinished.yield(FinishedRender(work: work, record: record))
    await feed()
    await closeIfDrained()
  }

  /// Closes the pool if nothing is under way and nothing more will be begun; false if that isn't so.
  @discardableResult package func closeIfDrained() async -> Bool {
    guard isDrained else { return false }
    await executor.pool.close()
    return true
  }

  /// Waits for running renders for some seconds; then gives back the others and ends the pool.
  package func giveBack(after seconds: Double) async {
    guard (try? await Task.sleep(for: Bounded.seconds(seconds))) != nil else { return }
    await giveBackAll()
    executor.killPool()
  }
}

extension RenderRecord {
  /// Seconds that the rendering took.
  package var seconds: Double { (timings["total"] ?? 0) / 1000 }
}
