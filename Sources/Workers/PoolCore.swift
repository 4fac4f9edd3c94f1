internal import Core
internal import RenderModel

/// Assigns jobs to workers, and decides on retries and failures; has no access to processes, files or clocks.
struct PoolCore: Sendable {
  /// A job that has no record yet.
  struct Entry: Sendable {
    var job: RenderJob
    var attempts = 0
    /// Number of workers that died while rendering it.
    var deaths = 0
    /// Number of web processes that died while rendering it.
    var webCrashes = 0
  }

  let settings: PoolSettings
  var queue: [Int] = []
  var entries: [Int: Entry] = [:]
  var workers: [Int: PoolWorker] = [:]
  /// Number of workers in a row that exited before they were ready.
  var failedStarts = 0
  /// True after too many failed starts: until a worker is ready, workers are started for jobs only, not in reserve.
  var isCold = false
  private(set) var latestWorker = 0
  /// Number of workers that ended without the pool's intent.
  var lostWorkers = 0
  /// Number of workers replaced because they had served long enough or had grown too large.
  var recycledWorkers = 0
  private var isEnding = false
  private var isDone = false

  init(_ settings: PoolSettings) {
    self.settings = settings
  }

  /// Processes an input and returns the effects to carry out.
  mutating func handle(_ input: PoolInput) -> [PoolEffect] {
    var effects: [PoolEffect] = []
    switch input {
    case .submit(let jobs):
      for job in jobs where !isEnding {
        entries[job.id] = Entry(job: job)
        queue.append(job.id)
      }
    case .cancel(let job): effects += cancel(job)
    case .memorySampled(let worker, let mebibytes):
      workers[worker]?.exceedsMemory = settings.recycleAbove.map { mebibytes > $0 } ?? false
    case .unsendable(let job, let worker, let reason): effects += giveUp(job, on: worker, reason)
    case .end: isEnding = true
    case .received(let message, let worker): effects += receive(message, from: worker)
    case .exited(let exit, let worker): effects += workerExited(worker, exit)
    case .expired(let worker, let serial): effects += expire(worker, serial)
    }
    return effects + assign()
  }

  /// Hands out jobs, starts workers if the queue needs them and dismisses workers without work.
  private mutating func assign() -> [PoolEffect] {
    var effects = handOut() + prefetch()
    let room = settings.capacity - activeWorkers
    let ready = isEnding || isCold ? 0 : settings.warm - activeWorkers
    for _ in 0..<max(0, min(ready, room)) { effects += start(.virtual) }
    return effects + drainIfDone()
  }

  /// Assigns the queued jobs in order; for a job without an idle worker of its clock, a worker is started.
  ///
  /// If all places are taken, an idle worker of the other clock is dismissed, so that no job waits for ever behind jobs
  /// that came later. Jobs of the other clock may overtake it while its worker starts.
  private mutating func handOut() -> [PoolEffect] {
    var effects: [PoolEffect] = []
    var starting: [RenderOptions.Clock: Int] = [:]
    for worker in workers.values where worker.phase == .starting { starting[worker.clock, default: 0] += 1 }
    for job in queue {
      guard let clock = entries[job]?.job.options.clock else { continue }
      if let worker = idleWorker(where: { $0.clock == clock }) {
        queue.removeAll { $0 == job }
        workers[worker]?.present = job
        effects += send(job, to: worker) + begin(worker)
      } else if let count = starting[clock], count > 0 {
        starting[clock] = count - 1
      } else {
        if activeWorkers >= settings.capacity {
          guard let other = idleWorker(where: { $0.clock != clock }) else { break }
          effects += dismiss(other)
        }
        effects += start(clock)
      }
    }
    return effects
  }

  private func idleWorker(where isMeant: (PoolWorker) -> Bool) -> Int? {
    workers.filter { $0.value.isIdle && isMeant($0.value) }.keys.min()
  }

  private mutating func start(_ clock: RenderOptions.Clock) -> [PoolEffect] {
    latestWorker += 1
    workers[latestWorker] = PoolWorker(clock: clock)
    return [.start(worker: latestWorker, clock: clock), watch(latestWorker, settings.startAllowance)]
  }

  /// Sends further jobs to busy workers while the queue has a job for every worker, so that none is idle while another
  /// holds a reserve.
  private mutating func prefetch() -> [PoolEffect] {
    var effects: [PoolEffect] = []
    for (number, worker) in workers.sorted(by: { $0.key < $1.key })
    where worker.phase == .serving && worker.present != nil && worker.next == nil
      && worker.served + 1 < settings.recycleAfter && !worker.exceedsMemory && queue.count >= activeWorkers
    {
      guard let job = queue.first, entries[job]?.job.options.clock == worker.clock else { continue }
      queue.removeFirst()
      workers[number]?.next = job
      effects += send(job, to: number)
    }
    return effects
  }

  /// Ends the input of workers that get no more jobs, and the pool after the last of them.
  private mutating func drainIfDone() -> [PoolEffect] {
    guard isEnding, queue.isEmpty else { return [] }
    var effects: [PoolEffect] = []
    for (number, worker) in workers.sorted(by: { $0.key < $1.key })
    where worker.isActive && worker.present == nil {
      effects += dismiss(number)
    }
    if entries.isEmpty, workers.isEmpty, !isDone {
      isDone = true
      effects.append(.done)
    }
    return effects
  }

  private var activeWorkers: Int { workers.values.count { $0.isActive } }

  private func send(_ job: Int, to worker: Int) -> [PoolEffect] {
    guard let entry = entries[job] else { return [] }
    var job = entry.job
    job.attempt = entry.attempts + 1
    return [.send(job, worker: worker, retry: entry.attempts > 0)]
  }

  /// Begins the worker's present job and watches that it starts in time.
  mutating func begin(_ worker: Int) -> [PoolEffect] {
    guard let job = workers[worker]?.present else { return [] }
    workers[worker]?.hasBegun = false
    entries[job]?.attempts += 1
    return [
      watch(worker, settings.startAllowance),
      .publish(.started(job: job, attempt: entries[job]?.attempts ?? 1)),
    ]
  }

  mutating func dismiss(_ worker: Int) -> [PoolEffect] {
    workers[worker]?.phase = .leaving
    return [.dismiss(worker: worker), watch(worker, settings.leaveAllowance)]
  }

  mutating func watch(_ worker: Int, _ seconds: Double) -> PoolEffect {
    workers[worker]?.watch += 1
    return .watch(worker: worker, serial: workers[worker]?.watch ?? 0, seconds: seconds)
  }
}

extension PoolCore {
  /// Processes a worker's message; messages about jobs that it doesn't have are dropped.
  mutating func receive(_ message: WorkerMessage, from worker: Int) -> [PoolEffect] {
    guard let known = workers[worker] else { return [] }
    switch message {
    case .ready:
      guard known.phase == .starting else { return [] }
      workers[worker]?.phase = .serving
      failedStarts = 0
      isCold = false
      return [.unwatch(worker: worker)]
    case .progress(let job, let phase):
      guard known.present == job else { return [] }
      return firstMessage(worker, of: job) + [.publish(.progress(job: job, phase: phase))]
    case .finished(let job, let record):
      guard known.present == job else { return [] }
      let ending = complete(job, record)
      return ending + (record.code == RenderRecord.memoryCode ? replace(worker) : startNext(worker))
    }
  }

  /// Starts the time limit of a job at its first message: the job's own timeout and the pool's grace.
  private mutating func firstMessage(_ worker: Int, of job: Int) -> [PoolEffect] {
    guard workers[worker]?.hasBegun == false, workers[worker]?.phase == .serving, let entry = entries[job] else {
      return []
    }
    workers[worker]?.hasBegun = true
    return [watch(worker, entry.job.limits.timeout + settings.grace)]
  }

  /// Publishes a worker's record, or queues the job again if its web process died.
  private mutating func complete(_ job: Int, _ record: RenderRecord) -> [PoolEffect] {
    guard let entry = entries[job] else { return [] }
    if record.outcome == .crashed, record.has(.webProcessCrashed), entry.webCrashes < Self.deathsForgiven {
      entries[job]?.webCrashes += 1
      queue.insert(job, at: 0)
      return [.publish(.retrying(job: job, lost: .webProcess, reason: record.message ?? "the web process crashed"))]
    }
    var record = record
    record.attempts = entry.attempts
    entries[job] = nil
    return [.publish(.finished(job: job, record: record))]
  }

  /// Ends a worker whose processes a creative filled with memory; the job it holds in reserve goes to another.
  private mutating func replace(_ worker: Int) -> [PoolEffect] {
    guard workers[worker]?.phase == .serving else { return startNext(worker) }
    workers[worker]?.present = nil
    recycledWorkers += 1
    return drop(worker)
  }

  /// Begins the worker's reserve job, or dismisses the worker if it has served long enough.
  mutating func startNext(_ worker: Int) -> [PoolEffect] {
    guard var known = workers[worker] else { return [] }
    known.served += 1
    known.present = known.next
    known.next = nil
    workers[worker] = known
    guard known.phase == .serving else { return [] }
    if let next = known.present { return entries[next] == nil ? drop(worker) : begin(worker) }
    guard known.served >= settings.recycleAfter || known.exceedsMemory else { return [.unwatch(worker: worker)] }
    recycledWorkers += 1
    return dismiss(worker)
  }
}

extension PoolCore {
  /// Removes a job; a worker that renders it is killed, since nothing else stops a creative.
  mutating func cancel(_ job: Int) -> [PoolEffect] {
    guard entries.removeValue(forKey: job) != nil else { return [] }
    queue.removeAll { $0 == job }
    let owner = workers.first { $0.value.present == job && $0.value.isActive }
    // A job that a worker holds to render next is dropped when its turn comes.
    return owner.map { drop($0.key) } ?? []
  }

  /// Kills a worker whose present job is no longer wanted or already over.
  mutating func drop(_ worker: Int) -> [PoolEffect] {
    workers[worker]?.phase = .terminating(.cancelled)
    return [.kill(worker: worker)]
  }
}

/// Input of a pool: a request of its owner, or an event of a worker or a timer.
enum PoolInput: Sendable {
  /// Further jobs; ignored after `end`.
  case submit([RenderJob])
  /// The job is no longer wanted; no event of it follows.
  case cancel(Int)
  /// Resident memory in mebibytes of a worker that has finished a creative.
  case memorySampled(worker: Int, mebibytes: Int)
  /// The job can't be encoded for a worker.
  case unsendable(Int, worker: Int, reason: String)
  /// No more jobs will come.
  case end
  case received(WorkerMessage, worker: Int)
  case exited(WorkerExit, worker: Int)
  /// The time of a `watch` is over; it is an outdated one if `serial` isn't the latest.
  case expired(worker: Int, serial: Int)
}

/// Action that the pool's owner has to carry out, in the order given.
enum PoolEffect: Hashable, Sendable {
  /// Start a process for this worker, with an engine on this clock; worker numbers are never used twice.
  case start(worker: Int, clock: RenderOptions.Clock = .virtual)
  /// Write the job to the worker's input; before a `retry`, leftovers of the earlier attempt have to be removed.
  case send(RenderJob, worker: Int, retry: Bool)
  /// End the worker's input.
  case dismiss(worker: Int)
  case kill(worker: Int)
  /// Send `expired` after these seconds; replaces the worker's earlier watch.
  case watch(worker: Int, serial: Int, seconds: Double)
  case unwatch(worker: Int)
  case publish(PoolEvent)
  /// Make a record for a job that no worker could report on, and publish it.
  case giveUp(RenderJob, Fault, attempts: Int)
  /// Every job has its record and every worker is gone.
  case done
}
