package import Core
internal import GRDB

/// The queue of one machine, in a file of SQLite: nothing has to be installed, and turns go round among owners.
///
/// One process uses the file at a time. What it held when it died is handed out again by the next.
package actor EmbeddedQueue: RenderQueue {
  /// Until when somebody who says nothing keeps a job.
  private struct Hold {
    let revision: UInt64
    var end: ContinuousClock.Instant
  }

  private let table: JobTable
  private let bounds: QueueBounds
  private let bell = WakeBell()
  private var holds: [String: Hold] = [:]
  private var tally = QueueTally()
  private var isClosed = false

  /// Opens `queue.sqlite` in a folder; what was under way in it counts as lost.
  package init(folder: String, bounds: QueueBounds) async throws(Fault) {
    (table, self.bounds) = (try JobTable("\(folder)/queue.sqlite"), bounds)
    let lost = try await table.running()
    try await table.giveUp(lost, because: "the server died")
    tally.redelivered = lost.count
  }

  package func enqueue(_ job: QueuedJob, key: JobKey?) async throws(Fault) -> JobAcceptance {
    try checkOpen()
    try job.check()
    let acceptance = try await table.insert(JobRecord(job, ticket: Lease.newTicket()), key: key, most: bounds.waiting)
    bell.ring()
    return acceptance
  }

  package func lease(
    _ capabilities: Capabilities, as worker: String, within time: Duration
  ) async throws(Fault) -> Lease? {
    let end = ContinuousClock.now + time
    while true {
      try checkOpen()
      let rings = bell.rings
      try await giveUpSilent(at: .now)
      if let lease = try await table.lease(capabilities, as: worker, bounds: bounds) {
        holds[lease.job.id] = Hold(revision: lease.revision, end: .now + bounds.leaseTime)
        return lease
      }
      let left = ContinuousClock.now.duration(to: end)
      if left <= .zero || Task.isCancelled { return nil }
      // Somebody who holds a job may fall silent meanwhile.
      let next = holds.values.map { ContinuousClock.now.duration(to: $0.end) }.min() ?? left
      await bell.wait(since: rings, within: min(left, max(next, .milliseconds(1))))
    }
  }

  /// Takes back what nobody has said a word of for too long.
  private func giveUpSilent(at now: ContinuousClock.Instant) async throws(Fault) {
    let silent = holds.filter { $0.value.end <= now }.map { (id: $0.key, revision: $0.value.revision) }
    guard !silent.isEmpty else { return }
    for job in silent { holds[job.id] = nil }
    try await table.giveUp(silent, because: "its worker fell silent")
    tally.redelivered += silent.count
  }

  package func heartbeat(_ lease: Lease) async throws(Fault) {
    guard var hold = holds[lease.job.id], hold.revision == lease.revision, hold.end > .now else { throw lease.lost }
    hold.end = .now + bounds.leaseTime
    holds[lease.job.id] = hold
  }

  package func end(_ lease: Lease, _ outcome: JobOutcome) async throws(Fault) {
    try await update(lease, to: lease.record.ended(outcome))
  }

  package func release(_ lease: Lease) async throws(Fault) {
    try await update(lease, to: lease.record.released())
    bell.ring()
  }

  private func update(_ lease: Lease, to record: JobRecord) async throws(Fault) {
    // A lease that is over counts for nothing, even while nobody else has the job.
    let isHeld = holds[lease.job.id].map { $0.revision == lease.revision && $0.end > .now } ?? false
    guard isHeld, try await table.update(record, revision: lease.revision) else {
      tally.stale += 1
      throw lease.lost
    }
    holds[lease.job.id] = nil
  }

  package func cancel(_ id: String) async throws(Fault) -> Bool {
    guard let (record, revision) = try await table.record(id), !record.status.isFinal,
      try await table.update(record.cancelled(), revision: revision)
    else { return false }
    holds[id] = nil
    return true
  }

  package func record(_ id: String) async throws(Fault) -> JobRecord? { try await table.record(id)?.record }

  package func countLoss(of content: String, cause: String, reason: String) async throws(Fault) -> Losses {
    try await table.countLoss(of: content, cause: cause, reason: reason)
  }

  package func forgetLosses(of content: String) async throws(Fault) { try await table.forgetLosses(of: content) }

  package func counts() async throws(Fault) -> QueueCounts {
    try await giveUpSilent(at: .now)
    var counts = try await table.counts()
    (counts.redelivered, counts.stale) = (tally.redelivered, tally.stale)
    return counts
  }

  package func close() async {
    isClosed = true
    bell.ring()
    table.close()
  }

  private func checkOpen() throws(Fault) {
    guard !isClosed else { throw .engine("server-stopping", "the server is shutting down") }
  }
}
