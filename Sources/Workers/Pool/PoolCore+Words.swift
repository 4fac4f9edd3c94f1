internal import Jobs

extension PoolCore {
  /// Takes a worker's word; words about jobs it doesn't have are dropped.
  mutating func hear(_ message: WorkerMessage, from worker: Int) -> [PoolEffect] {
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
      return firstWord(worker, of: job) + [.publish(.progress(job: job, phase: phase))]
    case .finished(let job, let record):
      guard known.present == job else { return [] }
      let ending = conclude(job, record)
      return ending + (record.code == RenderRecord.memoryCode ? replace(worker) : proceed(worker))
    }
  }

  /// Starts the clock of a job: its own timeout and the pool's grace.
  private mutating func firstWord(_ worker: Int, of job: Int) -> [PoolEffect] {
    guard workers[worker]?.hasBegun == false, workers[worker]?.phase == .serving, let entry = entries[job] else {
      return []
    }
    workers[worker]?.hasBegun = true
    return [watch(worker, entry.job.limits.timeout + settings.grace)]
  }

  /// Publishes a worker's record, or queues the job once more when its web process died.
  private mutating func conclude(_ job: Int, _ record: RenderRecord) -> [PoolEffect] {
    guard let entry = entries[job] else { return [] }
    if record.outcome == .crashed, record.code == "web-process-crashed", entry.webCrashes < Self.deathsForgiven {
      entries[job]?.webCrashes += 1
      queue.insert(job, at: 0)
      return [.publish(.retrying(job: job, lost: .webProcess, reason: record.message ?? "the web process crashed"))]
    }
    var record = record
    record.attempts = entry.attempts
    entries[job] = nil
    return [.publish(.finished(job: job, record: record))]
  }

  /// Ends a worker whose processes a creative filled; the job it holds in reserve goes to another.
  private mutating func replace(_ worker: Int) -> [PoolEffect] {
    guard workers[worker]?.phase == .serving else { return proceed(worker) }
    workers[worker]?.present = nil
    recycledWorkers += 1
    return drop(worker)
  }

  /// Moves a worker on to its reserve, or out when it has served long enough.
  mutating func proceed(_ worker: Int) -> [PoolEffect] {
    guard var known = workers[worker] else { return [] }
    known.served += 1
    known.present = known.next
    known.next = nil
    workers[worker] = known
    guard known.phase == .serving else { return [] }
    if let next = known.present { return entries[next] == nil ? drop(worker) : begin(worker) }
    guard known.served >= settings.recycleAfter || known.isHeavy else { return [.unwatch(worker: worker)] }
    recycledWorkers += 1
    return dismiss(worker)
  }
}
