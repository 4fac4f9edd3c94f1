internal import Core
internal import Files
package import RenderModel

/// Renders jobs in worker processes; carries out what `PoolCore` decides.
package actor WorkerPool: RenderPool {
  /// What becomes of the jobs; ends when `run` does.
  package nonisolated let events: AsyncStream<PoolEvent>

  /// What reaches a running worker.
  private struct Lines {
    let requests: AsyncStream<[UInt8]>.Continuation
    let kill: AsyncStream<Void>.Continuation
    var watch: Task<Void, Never>?
    var process: Int32?
    var mebibytes = 0
  }

  private let settings: PoolSettings
  private let publish: AsyncStream<PoolEvent>.Continuation
  private let starts: AsyncStream<WorkerProcess.Start>
  private let start: AsyncStream<WorkerProcess.Start>.Continuation
  private var core: PoolCore
  private var lines: [Int: Lines] = [:]
  /// Whether nothing was left of any worker that has ended.
  private var isReaped = true

  package init(_ settings: PoolSettings) {
    self.settings = settings
    core = PoolCore(settings)
    (events, publish) = AsyncStream.makeStream()
    (starts, start) = AsyncStream.makeStream()
  }

  /// Adds jobs while the pool runs or before; their ids are never used twice. After `close` it does nothing.
  package func submit(_ jobs: [RenderJob]) { handleInput(.submit(jobs)) }

  /// Ends a job wherever it is; no event of it follows.
  package func cancel(_ job: Int) { handleInput(.cancel(job)) }

  /// How the pool stands.
  package var metrics: PoolMetrics {
    var metrics = core.metrics
    metrics.mebibytes = lines.values.reduce(0) { $0 + $1.mebibytes }
    return metrics
  }

  /// No more jobs will come: `run` returns after the last.
  package func close() { handleInput(.end) }

  /// Renders what is submitted until the pool is closed, and returns when nothing of the run is left alive.
  ///
  /// Workers wait for what may still come; cancelling the task kills everything at once.
  package func run() async {
    // Workers that are to be ready are started with the first input, be it none.
    handleInput(.submit([]))
    await withDiscardingTaskGroup { group in
      for await worker in starts {
        group.addTask { await self.serve(worker) }
      }
      group.cancelAll()
    }
    for worker in lines.values { worker.watch?.cancel() }
    lines.removeAll()
    // All processes of the run are a worker's or below one.
    if !isReaped { await Reaper(settings.run.marker).reap() }
    EngineFolder.sweep()
    publish.finish()
  }

  /// Sees one worker through its life and what it left behind out of the way.
  private nonisolated func serve(_ worker: WorkerProcess.Start) async {
    let exit = await worker.process.run(
      began: { await self.recordProcess($0, of: worker.number) },
      receive: { await self.receive($0, from: worker.number) })
    // It is the head of its group.
    let isReaped = await Reaper(settings.run.marker(ofWorker: worker.number))
      .reap(group: await process(of: worker.number))
    // A worker that was killed couldn't clear away its own.
    EngineFolder.sweep()
    await workerExited(worker.number, exit, isReaped)
  }

  private func process(of worker: Int) -> Int32? { lines[worker]?.process }

  private func recordProcess(_ process: Int32, of worker: Int) { lines[worker]?.process = process }

  /// Takes a worker's word; one that is done with a creative is weighed before it gets another.
  private func receive(_ message: WorkerMessage, from worker: Int) {
    if case .finished = message, let mebibytes = lines[worker]?.process.flatMap(ProcessTable.mebibytes(ofWorker:)) {
      lines[worker]?.mebibytes = mebibytes
      handleInput(.memorySampled(worker: worker, mebibytes: mebibytes))
    }
    handleInput(.received(message, worker: worker))
  }

  private func workerExited(_ worker: Int, _ exit: WorkerExit, _ isReaped: Bool) {
    if !isReaped { self.isReaped = false }
    handleInput(.exited(exit, worker: worker))
    lines[worker] = nil
  }

  private func handleInput(_ input: PoolInput) {
    for effect in core.handle(input) { apply(effect) }
  }

  private func apply(_ effect: PoolEffect) {
    switch effect {
    case .start(let worker, let clock): launch(worker, clock)
    case .send(let job, let worker, let retry): send(job, worker, retry)
    case .dismiss(let worker): lines[worker]?.requests.finish()
    case .kill(let worker): lines[worker]?.kill.yield()
    case .watch(let worker, let serial, let seconds): watch(worker, serial, seconds)
    case .unwatch(let worker): lines[worker]?.watch?.cancel()
    case .publish(let event): publish.yield(event)
    case .giveUp(let job, let outcome, let fault, let attempts):
      close(job, InterruptedRecord(job: job, outcome: outcome, fault: fault, attempts: attempts).record())
    case .done: start.finish()
    }
  }

  private func launch(_ worker: Int, _ clock: RenderOptions.Clock) {
    let (requests, request) = AsyncStream.makeStream(of: [UInt8].self)
    let (kills, kill) = AsyncStream.makeStream(of: Void.self)
    lines[worker] = Lines(requests: request, kill: kill)
    // A backtrace would hide the message of a crash, and takes half a second.
    var environment = settings.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { given, _ in given }
    environment[WorkerRequest.clockVariable] = clock.rawValue
    for marker in [settings.run.marker, settings.run.marker(ofWorker: worker)] {
      environment[marker.name] = marker.value
    }
    let process = WorkerProcess(
      executable: settings.executable, environment: environment, requests: requests, kills: kills)
    start.yield(WorkerProcess.Start(number: worker, process: process))
  }

  /// Sends a job; a retry must not meet what the attempt before wrote.
  private func send(_ job: RenderJob, _ worker: Int, _ retry: Bool) {
    if retry { try? ResultFolder(job.output).clear() }
    do {
      let text = String(decoding: try JSONText.bytes(WorkerRequest.render(job)), as: UTF8.self)
      // A worker itself has no use for what its carrier reads.
      let words = settings.executable.hasSuffix("/\(Executables.enclosure)") ? job.files : []
      lines[worker]?.requests.yield(CarriedLine(words: words, text: text).bytes + [UInt8(ascii: "\n")])
    } catch {
      // After what else the pool does about it now.
      Task { handleInput(.unsendable(job.id, worker: worker, reason: "\(error)")) }
    }
  }

  private func watch(_ worker: Int, _ serial: Int, _ seconds: Double) {
    lines[worker]?.watch?.cancel()
    lines[worker]?.watch = Task {
      guard (try? await Task.sleep(for: Bounded.seconds(seconds))) != nil else { return }
      handleInput(.expired(worker: worker, serial: serial))
    }
  }

  /// Writes and publishes a record of the pool's own making.
  private func close(_ job: RenderJob, _ record: RenderRecord) {
    var record = record
    do {
      let folder = ResultFolder(job.output)
      // Where it can't be made, writing says why.
      try? folder.create()
      try folder.write(record)
    } catch {
      record.warnings.append(error.message)
    }
    publish.yield(.finished(job: job.id, record: record))
  }
}

/// How many workers a pool has and how patient it is with them; durations in seconds.
package struct PoolSettings: Sendable {
  /// Absolute path of `galley-worker`.
  package var executable: String
  /// Workers at a time; fewer are started when there are fewer jobs.
  package var capacity: Int
  /// Marks every process of this pool.
  package var run: RunIdentifier
  /// What a job may take beyond its own timeout before its worker is killed.
  package var grace: Double
  /// From starting a worker, or handing it a job, to its first word about it.
  package var startAllowance: Double
  /// What a worker may take to exit once its input has ended.
  package var leaveAllowance: Double
  /// Creatives after which a worker is replaced, so that leaks of the engine stay small.
  package var recycleAfter: Int
  /// Mebibytes of resident memory beyond which a worker is replaced after its creative; nil for any.
  package var recycleAbove: Int?
  /// Workers that are kept ready though there is nothing to render.
  package var warm: Int
  /// Further environment of the workers.
  package var environment: [String: String]
  /// Where a queue's workers render in the place of this machine's; nil for here.
  package var farm: FarmCall?
  /// Where renders' requests are kept or answered from; nil for nowhere.
  package var recordings: RecordingPlan?

  package init(
    executable: String, capacity: Int, run: RunIdentifier = RunIdentifier(), grace: Double = 5,
    startAllowance: Double = 30, leaveAllowance: Double = 2, recycleAfter: Int = 100, recycleAbove: Int? = nil,
    warm: Int = 0, environment: [String: String] = [:]
  ) {
    self.executable = executable
    self.capacity = max(1, capacity)
    self.run = run
    self.grace = grace
    self.startAllowance = startAllowance
    self.leaveAllowance = leaveAllowance
    self.recycleAfter = max(1, recycleAfter)
    self.recycleAbove = recycleAbove
    self.warm = min(max(0, warm), self.capacity)
    self.environment = environment
  }
}

/// What a pool tells about its jobs; every job submitted ends in exactly one `finished` unless it or the pool is cancelled.
package enum PoolEvent: Hashable, Sendable {
  /// What died under a job.
  package enum Loss: Hashable, Sendable {
    case worker
    case webProcess
  }

  /// A worker took the job up, for the `attempt`-th time, from 1.
  case started(job: Int, attempt: Int)
  case progress(job: Int, phase: String)
  /// An attempt was lost for this reason; the job is queued again.
  case retrying(job: Int, lost: Loss, reason: String)
  /// The record is final and `result.json` is written.
  case finished(job: Int, record: RenderRecord)
}

/// How a pool stands, for whoever watches over it.
package struct PoolMetrics: Hashable, Sendable {
  /// Workers on their way to being ready.
  package var starting = 0
  /// Workers that render.
  package var busy = 0
  /// Workers that could.
  package var idle = 0
  /// Jobs that no worker has taken up.
  package var queued = 0
  /// Workers ever started.
  package var started = 0
  /// Workers that ended otherwise than by the pool's own wish.
  package var lost = 0
  /// Workers replaced because they had served long enough or grown too large.
  package var recycled = 0
  /// What the workers that were weighed have in memory, in mebibytes.
  package var mebibytes = 0

  package init() {}
}

extension PoolCore {
  /// The present state in numbers.
  var metrics: PoolMetrics {
    var metrics = PoolMetrics()
    for worker in workers.values {
      switch worker.phase {
      case .starting: metrics.starting += 1
      case .serving where worker.present != nil: metrics.busy += 1
      case .serving: metrics.idle += 1
      case .leaving, .terminating: break
      }
    }
    metrics.queued = queue.count + workers.values.count { $0.next != nil }
    (metrics.started, metrics.lost, metrics.recycled) = (latestWorker, lostWorkers, recycledWorkers)
    return metrics
  }
}
