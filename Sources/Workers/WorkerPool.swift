internal import Core
internal import Files
package import RenderModel

/// Renders jobs in worker processes; carries out the decisions of `PoolCore`.
package actor WorkerPool: RenderPool {
  /// Events of the jobs; the stream ends when `run` returns.
  package nonisolated let events: AsyncStream<PoolEvent>

  /// Connections to a running worker, with its process id and its last measured memory.
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
  /// True as long as every ended worker left no process behind.
  private var isReaped = true

  package init(_ settings: PoolSettings) {
    self.settings = settings
    core = PoolCore(settings)
    (events, publish) = AsyncStream.makeStream()
    (starts, start) = AsyncStream.makeStream()
  }

  /// Adds jobs while the pool runs or before; their ids are never used twice. Has no effect after `close`.
  package func submit(_ jobs: [RenderJob]) { handleInput(.submit(jobs)) }

  /// Ends a job in any state; no event of it follows.
  package func cancel(_ job: Int) { handleInput(.cancel(job)) }

  /// Present state of the pool in numbers.
  package var metrics: PoolMetrics {
    var metrics = core.metrics
    metrics.mebibytes = lines.values.reduce(0) { $0 + $1.mebibytes }
    return metrics
  }

  /// Ends the submission of jobs: `run` returns after the last one.
  package func close() { handleInput(.end) }

  /// Renders the submitted jobs until the pool is closed, and returns when nothing of the run is left alive.
  ///
  /// Idle workers wait for further jobs; cancelling the task kills everything at once.
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

  /// Runs one worker to its end, then removes the processes and folders that it left behind.
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

  /// Processes a worker's message; after a finished creative the worker's memory is measured before it gets another.
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
    case .giveUp(let job, let fault, let attempts):
      close(job, InterruptedRecord(job: job, fault: fault, attempts: attempts).record())
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

  /// Sends a job; before a retry the output of the earlier attempt is removed.
  private func send(_ job: RenderJob, _ worker: Int, _ retry: Bool) {
    if retry { try? ResultFolder(job.output).clear() }
    do {
      let text = String(decoding: try JSONText.bytes(WorkerRequest.render(job)), as: UTF8.self)
      // A worker itself has no use for what its carrier reads.
      let words = settings.executable.hasSuffix("/\(Executables.enclosure)") ? job.files : []
      lines[worker]?.requests.yield(BrokeredLine(words: words, text: text).bytes + [UInt8(ascii: "\n")])
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

  /// Writes and publishes a record that the pool itself made.
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

/// Number of workers in a pool and its time limits for them; durations are in seconds.
package struct PoolSettings: Sendable {
  /// Absolute path of `galley-worker`.
  package var executable: String
  /// Maximum number of workers at a time; fewer are started if there are fewer jobs.
  package var capacity: Int
  /// Marks every process of this pool.
  package var run: RunIdentifier
  /// Time beyond a job's own timeout after which its worker is killed.
  package var grace: Double
  /// Maximum time from starting a worker, or sending it a job, to its first message about it.
  package var startAllowance: Double
  /// Maximum time for a worker to exit once its input has ended.
  package var leaveAllowance: Double
  /// Number of creatives after which a worker is replaced, so that leaks of the engine stay small.
  package var recycleAfter: Int
  /// Mebibytes of resident memory beyond which a worker is replaced after its creative; nil for no limit.
  package var recycleAbove: Int?
  /// Number of workers that are kept ready even if there is nothing to render.
  package var warm: Int
  /// Additional environment of the workers.
  package var environment: [String: String]
  /// Program that has the jobs rendered by a queue's workers instead of this machine; nil to render here.
  package var sender: SenderProgram?
  /// Places where requests are recorded or replayed from; nil for neither.
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

/// Event of a pool's job. Every submitted job ends in exactly one `finished` unless it or the pool is cancelled.
package enum PoolEvent: Hashable, Sendable {
  /// Kind of process that died while a job was rendered.
  package enum Loss: Hashable, Sendable {
    case worker
    case webProcess
  }

  /// A worker began the job; `attempt` counts from 1.
  case started(job: Int, attempt: Int)
  case progress(job: Int, phase: String)
  /// An attempt was lost for this reason; the job is queued again.
  case retrying(job: Int, lost: Loss, reason: String)
  /// The record is final and `result.json` is written.
  case finished(job: Int, record: RenderRecord)
}

/// State of a pool in numbers, for monitoring.
package struct PoolMetrics: Hashable, Sendable {
  /// Workers that have been started but aren't ready yet.
  package var starting = 0
  /// Workers that are rendering.
  package var busy = 0
  /// Workers that are ready and have no job.
  package var idle = 0
  /// Jobs that no worker has begun, including those sent ahead.
  package var queued = 0
  /// Workers started so far.
  package var started = 0
  /// Workers that ended without the pool's intent.
  package var lost = 0
  /// Workers replaced because they had served long enough or had grown too large.
  package var recycled = 0
  /// Total memory of the live workers in mebibytes, each as measured after its latest creative.
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
