internal import Core
internal import RenderModel

extension PoolCore {
  /// Maximum number of retries after a job's worker or web process died: something outside may be killing them.
  static let deathsForgiven = 5
  /// The same for workers that didn't answer in time, which takes far longer to notice.
  static let silencesForgiven = 2
  /// Number of workers in a row that may exit by themselves before they are ready; after one more the pool gives up.
  static let startsForgiven = 2

  /// Kills a worker whose time is over; a watch that isn't the latest is ignored.
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
        .unresponsive("it didn't start the job within \(settings.startAllowance.plain) s"))
    }
    return [.kill(worker: worker)]
  }

  /// Removes an ended worker and decides about the jobs that it held.
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
      return [.giveUp(entry.job, fault, attempts: entry.attempts)]
    }
    let reason = describe(dead, exit)
    if entry.deaths < (isTerminating(dead) ? Self.silencesForgiven : Self.deathsForgiven) {
      entries[id]?.deaths += 1
      queue.insert(id, at: 0)
      return [.publish(.retrying(job: id, lost: .worker, reason: reason))]
    }
    entries[id] = nil
    return [.giveUp(entry.job, .engine(.workerDied, reason), attempts: entry.attempts)]
  }

  /// Ends a job that can't be sent to any worker; the worker that it was meant for continues with the next.
  mutating func giveUp(_ job: Int, on worker: Int, _ reason: String) -> [PoolEffect] {
    guard let entry = entries.removeValue(forKey: job) else { return [] }
    let fault = Fault.engine("job-unsendable", "can't send the job to a worker: \(reason)")
    let end = PoolEffect.giveUp(entry.job, fault, attempts: entry.attempts)
    if workers[worker]?.next == job { workers[worker]?.next = nil }
    guard workers[worker]?.present == job else { return [end] }
    return [end] + startNext(worker)
  }

  /// Counts a worker that never became ready; with one too many, all queued jobs are given up.
  private mutating func failStart(_ dead: PoolWorker, _ exit: WorkerExit) -> [PoolEffect] {
    failedStarts += 1
    guard failedStarts > (hasDied(dead, exit) ? Self.deathsForgiven : Self.startsForgiven) else { return [] }
    failedStarts = 0
    isCold = true
    let fault = Fault.engine("worker-start-failed", describe(dead, exit))
    defer { queue.removeAll() }
    return queue.compactMap { job in
      guard let entry = entries.removeValue(forKey: job) else { return nil }
      return .giveUp(entry.job, fault, attempts: entry.attempts)
    }
  }

  private func isTerminating(_ dead: PoolWorker) -> Bool {
    if case .terminating = dead.phase { true } else { false }
  }

  /// Indicates if a signal ended the worker that the pool didn't send.
  private func hasDied(_ dead: PoolWorker, _ exit: WorkerExit) -> Bool {
    if case .signal = exit.cause { !isTerminating(dead) } else { false }
  }

  private func describe(_ dead: PoolWorker, _ exit: WorkerExit) -> String {
    if case .terminating(.unresponsive(let why)) = dead.phase { return "the worker was killed: \(why)\(exit.quote)" }
    return "the worker \(exit.description)\(exit.quote)"
  }
}
