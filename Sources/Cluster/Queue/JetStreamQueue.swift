package import Core
internal import RenderModel
internal import Synchronization

/// Queue of many machines on NATS, with any number of servers that accept jobs and any number of workers that render
/// them.
///
/// A message only announces that a job waits. The job's state is stored in a bucket of values, where a change needs the
/// latest revision. So a message that comes twice, or late, changes nothing.
package final class JetStreamQueue: Sendable {
  private let nats: NatsConnection
  private let bounds: QueueBounds
  private let messages: JobMessages
  private let records: JobRecords
  private let keys: JobKeys
  /// Jobs that have ended and whose ending a server has to process.
  package let endings: CompletionQueue
  /// Processes that died under each creative.
  package let losses: LossCounts
  private let tally = Mutex(QueueTally())

  /// Creates the missing streams and buckets on the servers; `name` distinguishes queues that share an account.
  package init(_ nats: NatsConnection, name: String = "galley", settings: JetStreamQueueSettings) async throws(Fault) {
    let names = QueueNames(name)
    (self.nats, bounds) = (nats, settings.bounds)
    messages = try await JobMessages(nats, names, settings)
    endings = try await CompletionQueue(nats, names, replicas: settings.replicas)
    records = JobRecords(try await Self.bucket(names.records, settings, nats))
    keys = JobKeys(try await Self.bucket(names.keys, settings, nats))
    losses = LossCounts(try await Self.bucket(names.losses, settings, nats))
  }

  private static func bucket(
    _ name: String, _ settings: JetStreamQueueSettings, _ nats: NatsConnection
  ) async throws(Fault) -> KeyValueBucket {
    var bucket = BucketSettings(name)
    (bucket.age, bucket.replicas) = (settings.age, settings.replicas)
    return try await KeyValueBucket.open(bucket, on: nats)
  }

  /// Accepts a job; for a repeated request with the same key, returns the id of the job that was accepted before.
  ///
  /// Throws `queue-full` if there is no room, and `idempotency-key-reused` if the key belongs to another request.
  package func enqueue(_ job: QueuedJob, key: JobKey?) async throws(Fault) -> JobAcceptance {
    try job.check()
    var known: String?
    if let key { known = try await keys.claim(key, for: job.id) }
    let job = known.map { job.renamed($0) } ?? job
    let isNew = try await records.create(JobRecord(job, ticket: Lease.newTicket()))
    // Whoever has the key accepts the job, even where another request of the same key was faster to write it down.
    let acceptance: JobAcceptance = (key == nil ? isNew : known == nil) ? .accepted : .known(id: job.id)
    // Whoever wrote it down may have died before the message was out: then this one sends it.
    if !isNew, try await record(job.id).map({ $0.status != .queued || $0.sequence != nil }) ?? false {
      return acceptance
    }
    do throws(Fault) {
      try await messages.publish(job, as: job.id)
    } catch {
      if acceptance == .accepted { await forget(job, key) }
      guard error.has(.natsStreamFull) || error.has(.natsStorageFull) else { throw error }
      throw .engine("queue-full", "the queue is full: \(bounds.waiting) renders are waiting or running")
    }
    await messages.wake()
    return acceptance
  }

  /// Time in milliseconds by which a job's message may follow its record.
  private static let messageDelay: Int64 = 30_000

  /// Publishes a new message for a job whose own was never published or is gone; returns true if it did.
  ///
  /// A server may have died between writing the job and publishing its message, and a cluster that loses its leader may
  /// lose a message.
  ///
  /// Only for jobs that have waited for a while: the record of a job that was just handed out doesn't show it yet.
  @discardableResult package func lineUpAgain(_ id: String) async throws(Fault) -> Bool {
    guard let job = try await record(id)?.job else { return false }
    // How far the consumer is comes first: who ends a job writes that down before the message is acknowledged.
    let (state, first) = try await messages.progress(of: job)
    guard let entry = try await records.entry(id), !entry.record.status.isFinal else { return false }
    if let sequence = entry.record.sequence {
      guard state.lastSettled >= sequence else { return false }
    } else if let first {
      // Messages of a kind are handed out in their order: its own would be before this one.
      guard first.timestamp > entry.timestamp + Self.messageDelay else { return false }
    }
    // The new revision's name is nobody else's, and its time is the new message's.
    let record = entry.record.withoutMessage(ticket: Lease.newTicket())
    guard let revision = try await records.update(record, entry.revision) else { return false }
    try await messages.publish(job, as: "\(id)-\(revision)")
    await messages.wake()
    return true
  }

  /// Deletes the record and key of a job that isn't accepted after all; a message of it that was published finds no
  /// job.
  private func forget(_ job: QueuedJob, _ key: JobKey?) async {
    try? await records.remove(job.id)
    if let key { try? await keys.remove(key) }
  }

  /// Leases the next job among those that `capabilities` cover; nil if there is none within the time.
  package func lease(
    _ capabilities: Capabilities, as worker: String, within time: Duration
  ) async throws(Fault) -> Lease? {
    let look = { @Sendable () async throws(Fault) in try await self.leaseNow(capabilities, worker) }
    if let lease = try await Retrying.run(look) { return lease }
    let end = ContinuousClock.now + time
    guard time > .zero else { return nil }
    // What comes after this is heard of; what came before is found by the next look.
    let bell = try await messages.listenForWaking()
    while true {
      if let lease = try await Retrying.run(look) { return lease }
      let left = ContinuousClock.now.duration(to: end)
      if left <= .zero || Task.isCancelled { return nil }
      // Nobody rings for what a worker that died has left.
      _ = try await bell.next(within: min(left, .seconds(1)))
    }
  }

  /// Looks once for a waiting job that the capabilities cover, in order of priority.
  private func leaseNow(_ capabilities: Capabilities, _ worker: String) async throws(Fault) -> Lease? {
    for subject in try await messages.subjects(for: capabilities) {
      while let delivery = try await messages.next(on: subject) {
        if let lease = try await take(delivery, worker) { return lease }
      }
    }
    return nil
  }

  /// Turns a message into a lease; otherwise drops or returns the message, and returns nil.
  private func take(_ delivery: Delivery, _ worker: String) async throws(Fault) -> Lease? {
    let id = String(decoding: delivery.message.bytes, as: UTF8.self)
    guard QueuedJob.isID(id) else {
      // No queue wrote that; it would come back for ever.
      try? await delivery.terminate()
      return nil
    }
    do throws(Fault) {
      if let lease = try await takeAtOnce(id, delivery, worker) { return lease }
      for _ in 0..<Retrying.mostWrites {
        guard let entry = try await records.entry(id) else {
          try await delivery.terminate()
          return nil
        }
        let (record, losses) = try await countSilence(of: entry.record, delivery)
        let turn = record.turn(
          for: worker, ticket: Lease.newTicket(), losses: losses, bounds: bounds, sequence: delivery.sequence,
          handle: delivery.message.reply)
        switch turn {
        case .drop:
          // Of two messages of one job, or of a job that has ended; who ended it may not have said so any more.
          if record.status.isFinal { try await endings.add(record) }
          try await delivery.acknowledge()
          return nil
        case .end(let next):
          guard try await records.update(next, entry.revision) != nil else { continue }
          try await endings.add(next)
          try await delivery.acknowledge()
          return nil
        case .lease(let next):
          guard let revision = try await records.update(next, entry.revision) else { continue }
          return Lease(next, revision: revision)
        }
      }
      // Somebody writes to it all the time: it is looked at again when its message comes back.
      try await delivery.giveBack(after: .seconds(1))
      return nil
    } catch let error where error.has(.dataLost) {
      try await fileUnreadable(id, delivery)
      return nil
    } catch {
      // Somebody else is to try; if not even that can be said, the message comes back by itself.
      try? await delivery.giveBack(after: .milliseconds(200))
      throw error
    }
  }

  /// Leases a queued job by the record on any server; returns nil if the leader has to be asked.
  ///
  /// That record may be slightly outdated. Then a newer revision exists, and the lease isn't written.
  private func takeAtOnce(_ id: String, _ delivery: Delivery, _ worker: String) async throws(Fault) -> Lease? {
    guard let entry = try await records.glance(id), entry.record.status == .queued else { return nil }
    let losses = try await losses.glance(of: entry.record.job.content)
    let turn = entry.record.turn(
      for: worker, ticket: Lease.newTicket(), losses: losses, bounds: bounds, sequence: delivery.sequence,
      handle: delivery.message.reply)
    guard case .lease(let next) = turn, let revision = try await records.update(next, entry.revision) else {
      return nil
    }
    return Lease(next, revision: revision)
  }

  /// Files a job with an unreadable record as failed, and drops its message, which would otherwise be delivered
  /// forever.
  private func fileUnreadable(_ id: String, _ delivery: Delivery) async throws(Fault) {
    let record = JobRecord.unreadable(id, ticket: Lease.newTicket())
    try await records.replace(with: record)
    tally.withLock { $0.unreadable += 1 }
    try await endings.add(record)
    try await delivery.terminate()
  }

  /// Counts a lease that expired without a heartbeat against the creative; returns all losses of the creative.
  private func countSilence(
    of record: JobRecord, _ delivery: Delivery
  ) async throws(Fault) -> (JobRecord, Losses?) {
    guard record.status == .running, record.sequence == delivery.sequence else {
      return (record, try await losses.known(of: record.job.content))
    }
    tally.withLock { $0.redelivered += 1 }
    let losses = try await losses.count(
      record.cause, reason: "\(record.worker ?? "its worker") stopped responding", of: record.job.content)
    return (record, losses)
  }

  /// Returns the lease that a worker presents; throws `lease-lost` if another worker has the job by now, or it has
  /// ended.
  package func held(_ id: String, ticket: String, by worker: String) async throws(Fault) -> Lease {
    guard QueuedJob.isID(id), let entry = try await records.entry(id), entry.record.status == .running,
      entry.record.worker == worker, entry.record.ticket == ticket
    else { throw Lease.lost(id) }
    return Lease(entry.record, revision: entry.revision)
  }

  /// Extends a lease, so that no other worker gets the job; throws `lease-lost` if another one has it.
  package func heartbeat(_ lease: Lease) async throws(Fault) {
    guard try await records.entry(lease.job.id)?.revision == lease.revision else { throw lease.lost }
    try await keepAway(lease)
  }

  /// Extends the lease's time without reading the record, for a lease that was just verified.
  package func keepAway(_ lease: Lease) async throws(Fault) { try await messages.extend(lease) }

  /// Ends a job for good, as completed or with a fault; throws `lease-lost` if another worker was given it since, or it
  /// was cancelled.
  package func end(_ lease: Lease, _ fault: Fault? = nil, result: String?) async throws(Fault) {
    try await end(lease, fault, result: result) { [endings] record in try? await endings.add(record) }
  }

  /// Ends a job and reports its record with `tell`, instead of always queuing the ending for servers.
  ///
  /// If `tell` returns nil, the report failed and the message stays unacknowledged, so that it is delivered again.
  package func end(
    _ lease: Lease, _ fault: Fault?, result: String?, tell: @Sendable (JobRecord) async -> Void?
  ) async throws(Fault) {
    let record = lease.record.ended(fault, result: result)
    try await settle(lease, record)
    // What fails from here on is made good by whoever gets the message again.
    guard await tell(record) != nil else { return }
    await messages.acknowledge(lease)
  }

  /// Returns a job to the queue at once; `counts` indicates if the attempt counts.
  package func release(_ lease: Lease, counts: Bool = false) async throws(Fault) {
    try await settle(lease, lease.record.released(counts: counts))
    await messages.giveBack(lease)
    await messages.wake()
  }

  /// Writes the record that results from a lease; throws `lease-lost` if another worker has the job by now.
  private func settle(_ lease: Lease, _ record: JobRecord) async throws(Fault) {
    guard try await records.update(record, lease.revision) != nil else {
      tally.withLock { $0.stale += 1 }
      throw lease.lost
    }
  }

  /// Cancels a job; returns true if it hadn't ended yet.
  package func cancel(_ id: String) async throws(Fault) -> Bool {
    for _ in 0..<Retrying.mostWrites {
      guard let entry = try await records.entry(id), !entry.record.status.isFinal else { return false }
      let record = entry.record.cancelled()
      guard try await records.update(record, entry.revision) != nil else { continue }
      try await endings.add(record)
      // Its message goes at once where it is known; otherwise whoever gets it does away with it.
      if let sequence = entry.record.sequence { try? await messages.remove(sequence) }
      return true
    }
    throw Retrying.busy(id)
  }

  /// Returns the record of a job; nil for one that isn't known, or was forgotten.
  package func record(_ id: String) async throws(Fault) -> JobRecord? { try await records.entry(id)?.record }

  /// Returns the current numbers of jobs in the queue.
  package func counts() async throws(Fault) -> QueueCounts {
    var counts = try await messages.counts()
    tally.withLock { (counts.redelivered, counts.stale, counts.unreadable) = ($0.redelivered, $0.stale, $0.unreadable) }
    return counts
  }

  /// Ends pending calls and closes the queue; later calls fail.
  package func close() async { await nats.close() }
}

extension QueuedJob {
  /// Returns the same job under another id.
  fileprivate func renamed(_ id: String) -> QueuedJob {
    var job = self
    job.id = id
    return job
  }
}

/// Settings for storing a queue in NATS.
package struct JetStreamQueueSettings: Hashable, Sendable {
  package var bounds = QueueBounds()
  /// Number of the cluster's servers that store each message and value, 1 to 5.
  package var replicas = 1
  /// Time for which a job's record and key are stored after the last change.
  package var age = Duration.seconds(30 * 86_400)

  package init() {}
}
