package import Core
internal import FoundationEssentials
internal import RenderModel
internal import Synchronization

/// Queue of many machines on NATS, with any number of servers that accept jobs and any number of workers that render
/// them.
///
/// A message only announces that a job waits. The job's state is stored in a bucket of values, where a change needs the
/// latest revision. So a message that comes twice, or late, changes nothing.
package final class JetStreamQueue: Sendable {
  private let nats: NatsConnection
  private let names: QueueNames
  private let bounds: QueueBounds
  private let records: KeyValueBucket
  private let keys: KeyValueBucket
  private let losses: KeyValueBucket
  /// Jobs that have ended and whose ending a server has to process.
  package let endings: CompletionQueue
  private let tally = Mutex(QueueTally())
  private let consumers = Mutex<[String: PullConsumer]>([:])

  /// Creates the missing streams and buckets on the servers; `name` distinguishes queues that share an account.
  package init(_ nats: NatsConnection, name: String = "galley", settings: JetStreamQueueSettings) async throws(Fault) {
    (self.nats, names, bounds) = (nats, QueueNames(name), settings.bounds)
    var jobs = StreamSettings(names.stream, subjects: [names.allJobs])
    (jobs.retention, jobs.replicas) = (.workQueue, settings.replicas)
    jobs.mostMessages = Int64(bounds.waiting)
    try await nats.makeStream(jobs, keepingOthers: true)
    endings = try await CompletionQueue(nats, names, replicas: settings.replicas)
    records = try await Self.bucket(names.records, settings, nats)
    keys = try await Self.bucket(names.keys, settings, nats)
    losses = try await Self.bucket(names.losses, settings, nats)
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
    let known = try await claim(key, for: job.id)
    let job = known.map { job.renamed($0) } ?? job
    let isNew = try await create(JobRecord(job, ticket: Lease.newTicket()))
    // Whoever has the key accepts the job, even where another request of the same key was faster to write it down.
    let acceptance: JobAcceptance = (key == nil ? isNew : known == nil) ? .accepted : .known(id: job.id)
    // Whoever wrote it down may have died before the message was out: then this one sends it.
    if !isNew, try await record(job.id).map({ $0.status != .queued || $0.sequence != nil }) ?? false {
      return acceptance
    }
    do throws(Fault) {
      try await makeKnown(job, as: job.id)
    } catch {
      if acceptance == .accepted { await forget(job, key) }
      guard error.has(.natsStreamFull) || error.has(.natsStorageFull) else { throw error }
      throw .engine("queue-full", "the queue is full: \(bounds.waiting) renders are waiting or running")
    }
    await wake()
    return acceptance
  }

  /// Publishes the message that represents a job; NATS drops a second message with the same name.
  private func makeKnown(_ job: QueuedJob, as name: String) async throws(Fault) {
    _ = try await Retrying.run { () throws(Fault) in
      try await self.nats.publish(NatsMessage(self.names.subject(of: job), job.id), PublishConditions(id: name))
    }
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
    let subject = names.subject(of: job)
    // How far the consumer is comes first: who ends a job writes that down before the message is acknowledged.
    let (state, first) = try await Retrying.run { () throws(Fault) in
      let state = try await self.consumer(for: subject).state()
      let next = state.lastDelivered + 1
      return (state, try await self.nats.message(of: self.names.stream, from: next, subject: subject))
    }
    guard let entry = try await entry(id), !entry.record.status.isFinal else { return false }
    if let sequence = entry.record.sequence {
      guard state.lastSettled >= sequence else { return false }
    } else if let first {
      // Messages of a kind are handed out in their order: its own would be before this one.
      guard first.timestamp > entry.timestamp + Self.messageDelay else { return false }
    }
    // The new revision's name is nobody else's, and its time is the new message's.
    let record = entry.record.withoutMessage(ticket: Lease.newTicket())
    guard let revision = try await update(record, entry.revision) else { return false }
    try await makeKnown(job, as: "\(id)-\(revision)")
    await wake()
    return true
  }

  /// Deletes the record and key of a job that isn't accepted after all; a message of it that was published finds no
  /// job.
  private func forget(_ job: QueuedJob, _ key: JobKey?) async {
    try? await records.remove(job.id)
    if let key { try? await keys.remove(Self.name(of: key)) }
  }

  /// Reserves a key for a job; returns the id of the other job that the key already belongs to, if any.
  private func claim(_ key: JobKey?, for id: String) async throws(Fault) -> String? {
    guard let key else { return nil }
    let (name, bytes) = (Self.name(of: key), Array("\(key.fingerprint) \(id)".utf8))
    for _ in 0..<Self.mostWrites {
      do throws(Fault) {
        _ = try await Retrying.run { () throws(Fault) in try await self.keys.create(name, bytes) }
        return nil
      } catch let error where error.has(.natsRevisionDiffers) {
        guard let known = try await keys.get(name)?.bytes else { continue }
        let words = String(decoding: known, as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[0] == key.fingerprint else { throw JobKey.reused }
        // An attempt before may have come through without an answer.
        return words[1] == id ? nil : String(words[1])
      }
    }
    throw Self.busy("an idempotency key")
  }

  /// Writes the record of a new job; returns false if there is one already.
  private func create(_ record: JobRecord) async throws(Fault) -> Bool {
    let bytes = try record.bytes
    do throws(Fault) {
      _ = try await Retrying.run { () throws(Fault) in try await self.records.create(record.job.id, bytes) }
      return true
    } catch let error where error.has(.natsRevisionDiffers) {
      // An attempt before may have come through without an answer.
      return try await self.record(record.job.id) == record
    }
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
    let bell = try await Retrying.run { () throws(Fault) in
      try await Subscription.open(self.names.wake, on: self.nats)
    }
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
    let subjects = try await nats.stateOfStream(names.stream, subjects: names.allJobs).subjects.keys
    for priority in QueuedJob.Priority.allCases {
      // Kinds of the same priority in any order, so that none is always last.
      for subject in subjects.shuffled() {
        guard let kind = names.kind(of: subject, priority), capabilities.covers(kind) else { continue }
        let consumer = try await consumer(for: subject)
        while let delivery = try await consumer.fetch(1, within: .zero).first {
          if let lease = try await take(delivery, worker) { return lease }
        }
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
      for _ in 0..<Self.mostWrites {
        guard let entry = try await entry(id) else {
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
          guard try await update(next, entry.revision) != nil else { continue }
          try await endings.add(next)
          try await delivery.acknowledge()
          return nil
        case .lease(let next):
          guard let revision = try await update(next, entry.revision) else { continue }
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
    guard let entry = try await records.glance(id).flatMap({ Self.read($0, of: id) }), entry.record.status == .queued
    else { return nil }
    let losses = try await self.losses.glance(Self.name(ofContent: entry.record.job.content)).flatMap(Self.losses)
    let turn = entry.record.turn(
      for: worker, ticket: Lease.newTicket(), losses: losses?.losses, bounds: bounds, sequence: delivery.sequence,
      handle: delivery.message.reply)
    guard case .lease(let next) = turn, let revision = try await update(next, entry.revision) else { return nil }
    return Lease(next, revision: revision)
  }

  /// Maximum number of attempts to write a value that others write at the same time.
  private static let mostWrites = 100

  /// Files a job with an unreadable record as failed, and drops its message, which would otherwise be delivered
  /// forever.
  private func fileUnreadable(_ id: String, _ delivery: Delivery) async throws(Fault) {
    let record = JobRecord.unreadable(id, ticket: Lease.newTicket())
    let bytes = try record.bytes
    try await Retrying.run { () throws(Fault) in _ = try await self.records.put(id, bytes) }
    tally.withLock { $0.unreadable += 1 }
    try await endings.add(record)
    try await delivery.terminate()
  }

  /// Counts a lease that expired without a heartbeat against the creative; returns all losses of the creative.
  private func countSilence(
    of record: JobRecord, _ delivery: Delivery
  ) async throws(Fault) -> (JobRecord, Losses?) {
    guard record.status == .running, record.sequence == delivery.sequence else {
      return (record, try await knownLosses(of: record.job.content)?.losses)
    }
    tally.withLock { $0.redelivered += 1 }
    let losses = try await countLoss(
      of: record.job.content, cause: record.cause, reason: "\(record.worker ?? "its worker") stopped responding")
    return (record, losses)
  }

  /// Returns the lease that a worker presents; throws `lease-lost` if another worker has the job by now, or it has
  /// ended.
  package func held(_ id: String, ticket: String, by worker: String) async throws(Fault) -> Lease {
    guard QueuedJob.isID(id), let entry = try await entry(id), entry.record.status == .running,
      entry.record.worker == worker, entry.record.ticket == ticket
    else { throw Lease.lost(id) }
    return Lease(entry.record, revision: entry.revision)
  }

  /// Extends a lease, so that no other worker gets the job; throws `lease-lost` if another one has it.
  package func heartbeat(_ lease: Lease) async throws(Fault) {
    guard try await entry(lease.job.id)?.revision == lease.revision else { throw lease.lost }
    try await keepAway(lease)
  }

  /// Extends the lease's time without reading the record, for a lease that was just verified.
  package func keepAway(_ lease: Lease) async throws(Fault) { try await nats.send(NatsMessage(lease.handle, "+WPI")) }

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
    // Without an answer the message comes back, and is done away with by who gets it.
    _ = try? await nats.request(NatsMessage(lease.handle, "+ACK"))
  }

  /// Returns a job to the queue at once; `counts` indicates if the attempt counts.
  package func release(_ lease: Lease, counts: Bool = false) async throws(Fault) {
    try await settle(lease, lease.record.released(counts: counts))
    try? await nats.send(NatsMessage(lease.handle, "-NAK"))
    try? await nats.flush()
    await wake()
  }

  /// Writes the record that results from a lease; throws `lease-lost` if another worker has the job by now.
  private func settle(_ lease: Lease, _ record: JobRecord) async throws(Fault) {
    guard try await update(record, lease.revision) != nil else {
      tally.withLock { $0.stale += 1 }
      throw lease.lost
    }
  }

  /// Cancels a job; returns true if it hadn't ended yet.
  package func cancel(_ id: String) async throws(Fault) -> Bool {
    for _ in 0..<Self.mostWrites {
      guard let entry = try await entry(id), !entry.record.status.isFinal else { return false }
      let record = entry.record.cancelled()
      guard try await update(record, entry.revision) != nil else { continue }
      try await endings.add(record)
      // Its message goes at once where it is known; otherwise whoever gets it does away with it.
      if let sequence = entry.record.sequence { try? await nats.removeMessage(sequence, of: names.stream) }
      return true
    }
    throw Self.busy(id)
  }

  private static func busy(_ what: String) -> Fault {
    .engine("nats-busy", "\(what) was changed by other servers \(mostWrites) times meanwhile")
  }

  /// Returns the record of a job; nil for one that isn't known, or was forgotten.
  package func record(_ id: String) async throws(Fault) -> JobRecord? { try await entry(id)?.record }

  private typealias KnownRecord = (record: JobRecord, revision: UInt64, timestamp: Int64)

  private func entry(_ id: String) async throws(Fault) -> KnownRecord? {
    let entry = try await Retrying.run { () throws(Fault) in try await self.records.get(id) }
    guard let entry, entry.bytes != nil else { return nil }
    guard let known = Self.read(entry, of: id) else {
      throw .engine(.dataLost, "the stored job \(id) can't be read")
    }
    return known
  }

  /// Decodes a record; nil if the entry isn't a valid record of this job.
  private static func read(_ entry: KeyValueEntry, of id: String) -> KnownRecord? {
    guard let bytes = entry.bytes, let record = try? JSONDecoder().decode(JobRecord.self, from: Data(bytes)),
      record.job.id == id, record.isSound
    else { return nil }
    return (record, entry.revision, entry.timestamp)
  }

  /// Writes a record in place of a revision; returns the new revision, or nil if another process wrote meanwhile.
  private func update(_ record: JobRecord, _ revision: UInt64) async throws(Fault) -> UInt64? {
    let bytes = try record.bytes
    return try await Retrying.run { () throws(Fault) -> UInt64? in
      do throws(Fault) {
        return try await self.records.update(record.job.id, bytes, revision: revision)
      } catch let error where error.has(.natsRevisionDiffers) {
        // An attempt before may have come through without an answer.
        guard let entry = try await self.entry(record.job.id), entry.record == record else { return nil }
        return entry.revision
      }
    }
  }

  /// Counts a process that died under a creative; returns all losses of the creative.
  package func countLoss(of content: String, cause: String, reason: String) async throws(Fault) -> Losses {
    for _ in 0..<Self.mostWrites {
      let known = try await knownLosses(of: content)
      var losses = known?.losses ?? Losses()
      losses.add(cause, reason)
      guard let bytes = try? JSONText.bytes(losses) else { return losses }
      let name = Self.name(ofContent: content)
      do throws(Fault) {
        if let known {
          try await self.losses.update(name, bytes, revision: known.revision)
        } else {
          try await self.losses.create(name, bytes)
        }
        return losses
      } catch let error where error.has(.natsRevisionDiffers) {
        continue
      }
    }
    throw Self.busy("the count of deaths")
  }

  private func knownLosses(of content: String) async throws(Fault) -> (losses: Losses, revision: UInt64)? {
    let name = Self.name(ofContent: content)
    let entry = try await Retrying.run { () throws(Fault) in try await self.losses.get(name) }
    return entry.flatMap(Self.losses)
  }

  private static func losses(_ entry: KeyValueEntry) -> (losses: Losses, revision: UInt64)? {
    // What is no count is written over.
    entry.bytes.map { ((try? JSONDecoder().decode(Losses.self, from: Data($0))) ?? Losses(), entry.revision) }
  }

  /// Deletes the losses of a creative, so that it is rendered again.
  package func forgetLosses(of content: String) async throws(Fault) {
    try await losses.remove(Self.name(ofContent: content))
  }

  /// Returns the current numbers of jobs in the queue.
  package func counts() async throws(Fault) -> QueueCounts {
    try await Retrying.run { () throws(Fault) in try await self.countsNow() }
  }

  private func countsNow() async throws(Fault) -> QueueCounts {
    var counts = QueueCounts()
    for subject in try await nats.stateOfStream(names.stream, subjects: names.allJobs).subjects.keys {
      guard let kind = names.kind(of: subject) else { continue }
      let state = try await consumer(for: subject).state()
      counts.leased += Int(clamping: state.held)
      guard state.waiting > 0 else { continue }
      counts.waiting[kind, default: 0] += Int(clamping: state.waiting)
      let first = try await nats.message(of: names.stream, from: state.lastDelivered + 1, subject: subject)
      if let first { counts.oldest = min(counts.oldest ?? first.timestamp, first.timestamp) }
    }
    tally.withLock { (counts.redelivered, counts.stale, counts.unreadable) = ($0.redelivered, $0.stale, $0.unreadable) }
    return counts
  }

  /// Ends pending calls and closes the queue; later calls fail.
  package func close() async { await nats.close() }

  /// Returns the consumer of a subject, and creates it on first use.
  private func consumer(for subject: String) async throws(Fault) -> PullConsumer {
    if let known = consumers.withLock({ $0[subject] }) { return known }
    var settings = ConsumerSettings(names.consumer(of: subject), filter: subject)
    settings.acknowledgeWithin = bounds.leaseTime
    let made = try await PullConsumer.open(settings, of: names.stream, on: nats)
    consumers.withLock { $0[subject] = made }
    return made
  }

  /// Wakes all processes that wait for jobs.
  private func wake() async { try? await nats.send(NatsMessage(names.wake)) }

  private static func name(of key: JobKey) -> String { SHA256.of("\(key.owner)\u{0}\(key.key)").hex }

  private static func name(ofContent content: String) -> String { SHA256.of(content).hex }
}

extension QueuedJob {
  /// Returns the same job under another id.
  fileprivate func renamed(_ id: String) -> QueuedJob {
    var job = self
    job.id = id
    return job
  }
}

/// Queue of ended jobs, each delivered to one server until that has processed it.
package final class CompletionQueue: Sendable {
  private let nats: NatsConnection
  private let names: QueueNames
  private let consumer: PullConsumer

  init(_ nats: NatsConnection, _ names: QueueNames, replicas: Int) async throws(Fault) {
    (self.nats, self.names) = (nats, names)
    var stream = StreamSettings(names.endings, subjects: [names.ended])
    (stream.retention, stream.replicas) = (.workQueue, replicas)
    try await nats.makeStream(stream, keepingOthers: true)
    var settings = ConsumerSettings("servers")
    settings.acknowledgeWithin = .seconds(60)
    consumer = try await PullConsumer.open(settings, of: names.endings, on: nats)
  }

  /// Adds an ended job; does nothing for a job that only its sender waits for.
  ///
  /// A job that is added twice within two minutes is added once.
  package func add(_ record: JobRecord) async throws(Fault) {
    guard record.job.completion == .byServer else { return }
    let message = NatsMessage(names.ended, record.job.id)
    _ = try await Retrying.run { () throws(Fault) in
      try await self.nats.publish(message, PublishConditions(id: "ended-\(record.job.id)"))
    }
  }

  /// Returns the next ended job; nil if there is none within the time.
  package func next(within time: Duration) async throws(Fault) -> CompletionDelivery? {
    guard let delivery = try await consumer.fetch(1, within: time).first else { return nil }
    let id = String(decoding: delivery.message.bytes.prefix(64), as: UTF8.self)
    return CompletionDelivery(id: id, delivery: delivery)
  }
}

/// Delivery of an ended job to a server, until that has processed it.
package struct CompletionDelivery: Sendable {
  package let id: String
  fileprivate let delivery: Delivery

  fileprivate init(id: String, delivery: Delivery) { (self.id, self.delivery) = (id, delivery) }

  /// Confirms that the ending is processed, so that no other server gets it.
  package func settle() async throws(Fault) { try await delivery.acknowledge() }

  /// Returns the ending to the queue, to be processed again after two seconds.
  package func giveBack() async { try? await delivery.giveBack(after: .seconds(2)) }
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

/// Names of a queue's streams, buckets and subjects in NATS.
struct QueueNames: Sendable {
  private let name: String

  init(_ name: String) { self.name = name }

  var stream: String { "\(name)-jobs" }
  var records: String { "\(name)-renders" }
  var keys: String { "\(name)-keys" }
  var losses: String { "\(name)-losses" }
  var contents: String { "\(name)-contents" }
  var journal: String { "\(name)-journal" }
  var changes: String { "\(name).journal" }
  var locks: String { "\(name)-locks" }
  var workers: String { "\(name)-workers" }
  var facts: String { "\(name)-facts" }
  var endings: String { "\(name)-endings" }
  var ended: String { "\(name).ended" }
  var allJobs: String { "\(name).jobs.>" }
  var wake: String { "\(name).wake" }

  func notice(of id: String, about topic: String) -> String { "\(name).notice.\(topic).\(id)" }

  /// The subject of notices about a sender's jobs, for that sender alone.
  func word(to owner: String, of id: String) -> String { "\(name).tell.\(owner).\(id)" }

  /// The subjects of requests that any server may answer.
  var requests: String { "\(name).ask.*.*.*" }

  /// The subjects of requests that one server is to answer.
  func requests(to server: String) -> String { "\(name).ask.*.*.*.\(server)" }

  func request(of caller: QueueCaller, to server: String?) -> String {
    "\(name).ask.\(caller.text)" + (server.map { ".\($0)" } ?? "")
  }

  /// The caller that the subject of a request names; nil for another subject.
  func caller(of subject: String) -> QueueCaller? {
    let words = subject.split(separator: ".", omittingEmptySubsequences: false)
    guard (5...6).contains(words.count), words[0] == name, words[1] == "ask" else { return nil }
    return QueueCaller(words[2..<5])
  }

  /// The subject below which a caller's answers come.
  func inbox(of caller: QueueCaller) -> String { "\(name).reply.\(caller.text)" }

  func subject(of job: QueuedJob) -> String { "\(name).jobs.\(job.priority.rawValue).\(JobKind(of: job).text)" }

  /// The kind of jobs on a subject; nil for another priority, where that is named, or no such subject.
  func kind(of subject: String, _ priority: QueuedJob.Priority? = nil) -> JobKind? {
    let words = subject.split(separator: ".")
    guard words.count == 4, priority.map({ $0.rawValue == words[2] }) ?? true else { return nil }
    return JobKind(String(words[3]))
  }

  /// Returns the name of a subject's consumer: letters, digits and hyphens, as NATS requires.
  func consumer(of subject: String) -> String { String(SHA256.of(subject).hex.prefix(32)) }
}
