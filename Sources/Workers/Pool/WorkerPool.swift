internal import Core
internal import FoundationEssentials
package import Jobs

/// Renders jobs in worker processes; carries out what `PoolCore` decides.
package actor WorkerPool {
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

  package init(_ settings: PoolSettings) {
    self.settings = settings
    core = PoolCore(settings)
    (events, publish) = AsyncStream.makeStream()
    (starts, start) = AsyncStream.makeStream()
  }

  /// Renders the jobs and no others; returns as `run()` does.
  package func run(_ jobs: [RenderJob]) async {
    submit(jobs)
    close()
    await run()
  }

  /// Adds jobs while the pool runs or before; their ids are never used twice. After `close` it does nothing.
  package func submit(_ jobs: [RenderJob]) { take(.submit(jobs)) }

  /// Ends a job wherever it is; no event of it follows.
  package func cancel(_ job: Int) { take(.cancel(job)) }

  /// How the pool stands.
  package var census: PoolCensus {
    var census = core.census
    census.mebibytes = lines.values.reduce(0) { $0 + $1.mebibytes }
    return census
  }

  /// No more jobs will come: `run` returns after the last.
  package func close() { take(.end) }

  /// Renders what is submitted until the pool is closed, and returns when nothing of the run is left alive.
  ///
  /// Workers wait for what may still come; cancelling the task kills everything at once.
  package func run() async {
    // Workers that are to be ready are started with the first input, be it none.
    take(.submit([]))
    await withDiscardingTaskGroup { group in
      for await worker in starts {
        group.addTask { await self.serve(worker) }
      }
      group.cancelAll()
    }
    for worker in lines.values { worker.watch?.cancel() }
    lines.removeAll()
    await Reaper(settings.run.marker).reap()
    EngineFolder.sweep()
    publish.finish()
  }

  /// Sees one worker through its life and what it left behind out of the way.
  private nonisolated func serve(_ worker: WorkerProcess.Start) async {
    let exit = await worker.process.run(
      began: { await self.note($0, of: worker.number) },
      hear: { await self.hear($0, from: worker.number) })
    await Reaper(settings.run.marker(ofWorker: worker.number)).reap()
    // A worker that was killed couldn't clear away its own.
    EngineFolder.sweep()
    await bury(worker.number, exit)
  }

  private func note(_ process: Int32, of worker: Int) { lines[worker]?.process = process }

  /// Takes a worker's word; one that is done with a creative is weighed before it gets another.
  private func hear(_ message: WorkerMessage, from worker: Int) {
    if case .finished = message, let mebibytes = lines[worker]?.process.flatMap(ProcessTable.mebibytes(ofWorker:)) {
      lines[worker]?.mebibytes = mebibytes
      take(.weighed(worker: worker, mebibytes: mebibytes))
    }
    take(.said(message, worker: worker))
  }

  private func bury(_ worker: Int, _ exit: WorkerExit) {
    take(.exited(exit, worker: worker))
    lines[worker] = nil
  }

  private func take(_ input: PoolInput) {
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
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      lines[worker]?.requests.yield(Array(try encoder.encode(WorkerRequest.render(job))) + [UInt8(ascii: "\n")])
    } catch {
      // After what else the pool does about it now.
      Task { take(.unsendable(job.id, worker: worker, reason: "\(error)")) }
    }
  }

  private func watch(_ worker: Int, _ serial: Int, _ seconds: Double) {
    lines[worker]?.watch?.cancel()
    lines[worker]?.watch = Task {
      guard (try? await Task.sleep(for: Bounded.seconds(seconds))) != nil else { return }
      take(.expired(worker: worker, serial: serial))
    }
  }

  /// Writes and publishes a record of the pool's own making.
  private func close(_ job: RenderJob, _ record: RenderRecord) {
    var record = record
    do {
      try ResultFolder(job.output).write(record)
    } catch {
      record.warnings.append(error.message)
    }
    publish.yield(.finished(job: job.id, record: record))
  }
}
