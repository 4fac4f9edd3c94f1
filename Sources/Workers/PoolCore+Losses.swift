internal import Core
internal import RenderModel

extension PoolCore {
  /// How often a job may lose its worker, or its web process, and be tried again: somebody may be killing them.
  static let deathsForgiven = 5
  /// The same for workers that said nothing when they had to, which takes far longer to notice.
  static let silencesForgiven = 2
  /// Workers in a row that may exit by themselves before being ready until the pool gives up.
  static let startsForgiven = 2

  /// Kills a worker whose time is over.
  mutating func expire(_ worker: Int, _ serial: Int) -> [PoolEffect] {
    guard let known = workers[worker], known.watch == serial else { return [] }
    switch known.phase {
    case .terminating: return []
    case .leaving: return [.kill(worker: worker)]
    case .starting:
      workers[worker]?.phase = .terminating(.unresponsive("it wasn't ready after \(settings.startAllowance.plain) s"))
    case .serving where known.hasBegun:
      workers[worker]?.phase = .terminating(.deadline)
    case .serving:
      workers[worker]?.phase = .terminating(
        .unresponsive("it didn't begin the job within \(settings.startAllowance.plain) s"))
    }
    return [.kill(worker: worker)]
  }

  /// Takes a worker off the books and decides about the jobs it held.
  mutating func workerExited(_ worker: Int, _ exit: WorkerExit) -> [PoolEffect] {
    guard let dead = workers.removeValue(forKey: worker) else { return [] }
    if let next = dead.next { queue.insert(next, at: 0) }
    if dead.phase != .leaving, dead.phase != .terminating(.cancelled) { lostWorkers += 1 }
    var effects: [PoolEffect] = [.unwatch(worker: worker)]
    if let job = dead.present, let entry = entries[job] {
      effects += lose(entry, dead, exit)
    } else if dead.phase != .serving, dead.phase != .leaving, dead.phase != .terminating(.cancelled) {
      effects += failStart(dead, exit)
    }
    return effects
  }

  /// Decides about the job that was being rendered when its worker ended.
  private mutating func lose(_ entry: Entry, _ dead: PoolWorker, _ exit: WorkerExit) -> [PoolEffect] {
    let id = entry.job.id
    if dead.phase == .terminating(.deadline) {
      entries[id] = nil
      let allowed = entry.job.limits.timeout.plain
      let fault = Fault.deadline(
        "deadline-exceeded", "not finished after \(allowed) s and \(settings.grace.plain) s of grace")
      return [.giveUp(entry.job, .timedOut, fault, attempts: entry.attempts)]
    }
    let reason = describe(dead, exit)
    if entry.deaths < (isTerminating(dead) ? Self.silencesForgiven : Self.deathsForgiven) {
      entries[id]?.deaths += 1
      queue.insert(id, at: 0)
      return [.publish(.retrying(job: id, lost: .worker, reason: reason))]
    }
    entries[id] = nil
    return [.giveUp(entry.job, .crashed, .engine("worker-died", reason), attempts: entry.attempts)]
  }

  /// Ends a job that can't be told to any worker; the one it was for goes on with the next.
  mutating func giveUp(_ job: Int, on worker: Int, _ reason: String) -> [PoolEffect] {
    guard let entry = entries.removeValue(forKey: job) else { return [] }
    let fault = Fault.engine("job-unsendable", "the job can't be sent to a worker: \(reason)")
    let end = PoolEffect.giveUp(entry.job, .failed, fault, attempts: entry.attempts)
    if workers[worker]?.next == job { workers[worker]?.next = nil }
    guard workers[worker]?.present == job else { return [end] }
    return [end] + startNext(worker)
  }

  /// Counts a worker that never got ready; one too many and no job can be rendered.
  private mutating func failStart(_ dead: PoolWorker, _ exit: WorkerExit) -> [PoolEffect] {
    failedStarts += 1
    guard failedStarts > (hasDied(dead, exit) ? Self.deathsForgiven : Self.startsForgiven) else { return [] }
    failedStarts = 0
    isCold = true
    let fault = Fault.engine("worker-start-failed", describe(dead, exit))
    defer { queue.removeAll() }
    return queue.compactMap { job in
      guard let entry = entries.removeValue(forKey: job) else { return nil }
      return .giveUp(entry.job, .failed, fault, attempts: entry.attempts)
    }
  }

  private func isTerminating(_ dead: PoolWorker) -> Bool {
    if case .terminating = dead.phase { true } else { false }
  }

  /// Whether a signal ended it that wasn't the pool's own.
  private func hasDied(_ dead: PoolWorker, _ exit: WorkerExit) -> Bool {
    if case .signal = exit.cause { !isTerminating(dead) } else { false }
  }

  private func describe(_ dead: PoolWorker, _ exit: WorkerExit) -> String {
    if case .terminating(.unresponsive(let why)) = dead.phase { return "the worker was killed: \(why)\(exit.quote)" }
    return "the worker \(exit.description)\(exit.quote)"
  }
}
