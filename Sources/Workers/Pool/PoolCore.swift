internal import Jobs

/// Who renders what, when to retry and when to give up; knows no process, file or clock.
struct PoolCore: Sendable {
  /// A job that has no record yet.
  struct Entry: Sendable {
    var job: RenderJob
    var attempts = 0
    /// Workers that died under it.
    var deaths = 0
    /// Web processes that died under it.
    var webCrashes = 0
  }

  let settings: PoolSettings
  var queue: [Int] = []
  var entries: [Int: Entry] = [:]
  var workers: [Int: PoolWorker] = [:]
  /// Workers in a row that exited before they were ready.
  var failedStarts = 0
  /// Whether the last worker kept ready for nothing in particular failed to start: then only jobs start more.
  var isCold = false
  private(set) var latestWorker = 0
  /// Workers that ended otherwise than by the pool's own wish.
  var lostWorkers = 0
  /// Workers replaced because they had served long enough or grown too large.
  var recycledWorkers = 0
  private var isEnding = false
  private var isDone = false

  init(_ settings: PoolSettings) {
    self.settings = settings
  }

  /// Takes in what happened and says what to do about it.
  mutating func handle(_ input: PoolInput) -> [PoolEffect] {
    var effects: [PoolEffect] = []
    switch input {
    case .submit(let jobs):
      for job in jobs where !isEnding {
        entries[job.id] = Entry(job: job)
        queue.append(job.id)
      }
    case .cancel(let job): effects += cancel(job)
    case .weighed(let worker, let mebibytes):
      workers[worker]?.isHeavy = settings.recycleAbove.map { mebibytes > $0 } ?? false
    case .unsendable(let job, let worker, let reason): effects += giveUp(job, on: worker, reason)
    case .end: isEnding = true
    case .said(let message, let worker): effects += hear(message, from: worker)
    case .exited(let exit, let worker): effects += bury(worker, exit)
    case .expired(let worker, let serial): effects += expire(worker, serial)
    }
    return effects + assign()
  }

  /// Hands out jobs, starts workers the queue is long enough for and sends home those without work.
  private mutating func assign() -> [PoolEffect] {
    var effects = handOut() + prefetch()
    let room = settings.capacity - activeWorkers
    let ready = isEnding || isCold ? 0 : settings.warm - activeWorkers
    for _ in 0..<max(0, min(ready, room)) { effects += start(.real) }
    return effects + wind()
  }

  /// Goes through the queue in its order: a job that finds no idle worker of its clock has one started for it.
  ///
  /// Where all places are taken, an idle worker of the other clock makes room, so that no job waits for ever behind
  /// others that came later; jobs of another clock may overtake it while its worker starts.
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

  /// Sends jobs ahead while the queue still feeds every worker, so that none sits idle beside another's reserve.
  private mutating func prefetch() -> [PoolEffect] {
    var effects: [PoolEffect] = []
    for (number, worker) in workers.sorted(by: { $0.key < $1.key })
    where worker.phase == .serving && worker.present != nil && worker.next == nil
      && worker.served + 1 < settings.recycleAfter && !worker.isHeavy && queue.count >= activeWorkers
    {
      guard let job = queue.first, entries[job]?.job.options.clock == worker.clock else { continue }
      queue.removeFirst()
      workers[number]?.next = job
      effects += send(job, to: number)
    }
    return effects
  }

  /// Ends the input of workers that nothing more will come for, and the pool after the last of them.
  private mutating func wind() -> [PoolEffect] {
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

  /// Lets the time of the worker's present job run.
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
