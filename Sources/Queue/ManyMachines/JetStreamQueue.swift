package import Core
internal import FoundationEssentials
package import JetStream
internal import Synchronization

/// The queue of many machines, on NATS: any number of servers accept, any number of workers render.
///
/// A message says that a job waits; what is true of the job stands in a bucket of values, which is changed only by who
/// knows the latest version. So a message that comes twice, or late, changes nothing.
package final class JetStreamQueue: RenderQueue {
  private let nats: NatsConnection
  private let names: QueueNames
  private let bounds: QueueBounds
  private let records: KeyValueBucket
  private let keys: KeyValueBucket
  private let losses: KeyValueBucket
  /// Jobs that have ended and that a server is to bring to an end of its own.
  package let endings: EndingQueue
  private let tally = Mutex(QueueTally())
  private let consumers = Mutex<[String: PullConsumer]>([:])

  /// Makes what is missing on the servers; `name` tells queues apart that share an account.
  package init(_ nats: NatsConnection, name: String = "galley", settings: JetStreamQueueSettings) async throws(Fault) {
    (self.nats, names, bounds) = (nats, QueueNames(name), settings.bounds)
    var jobs = StreamSettings(names.stream, subjects: [names.allJobs])
    (jobs.retention, jobs.replicas) = (.workQueue, settings.replicas)
    jobs.mostMessages = Int64(bounds.waiting)
    try await nats.makeStream(jobs, keepingOthers: true)
    endings = try await EndingQueue(nats, names, replicas: settings.replicas)
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
      guard ["nats-stream-full", "nats-storage-full"].contains(error.code) else { throw error }
      throw .engine("queue-full", "\(bounds.waiting) renders are waiting or under way already")
    }
    await wake()
    return acceptance
  }

  /// Publishes the message that stands for a job; a second one of the same name is none.
  private func makeKnown(_ job: QueuedJob, as name: String) async throws(Fault) {
    _ = try await Retrying.run { () throws(Fault) in
      try await self.nats.publish(NatsMessage(self.names.subject(of: job), job.id), PublishConditions(id: name))
    }
  }

  /// How many milliseconds later than a job its message may come.
  private static let messageDelay: Int64 = 30_000

  /// Has another message stand for a job whose own never came out, or is gone; true when that was so.
  ///
  /// Whoever wrote the job down may have died before its message was out, and servers that lose their leader may lose
  /// one.
  /// It is for jobs that have waited for a while: of one that was just handed out nobody knows yet.
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

  /// Leaves nothing of a job that isn't accepted after all; a message that came through all the same finds no job.
  private func forget(_ job: QueuedJob, _ key: JobKey?) async {
    try? await records.remove(job.id)
    if let key { try? await keys.remove(Self.name(of: key)) }
  }

  /// Keeps a key for a job; the id of the job that it stands for already, if any.
  private func claim(_ key: JobKey?, for id: String) async throws(Fault) -> String? {
    guard let key else { return nil }
    let (name, bytes) = (Self.name(of: key), Array("\(key.fingerprint) \(id)".utf8))
    while true {
      do throws(Fault) {
        _ = try await Retrying.run { () throws(Fault) in try await self.keys.create(name, bytes) }
        return nil
      } catch where error.code == "nats-revision-differs" {
        guard let known = try await keys.get(name)?.bytes else { continue }
        let words = String(decoding: known, as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[0] == key.fingerprint else { throw JobKey.reused }
        // An attempt before may have come through without an answer.
        return words[1] == id ? nil : String(words[1])
      }
    }
  }

  /// Writes a new job down; false when it is there already.
  private func create(_ record: JobRecord) async throws(Fault) -> Bool {
    let bytes = try record.bytes
    do throws(Fault) {
      _ = try await Retrying.run { () throws(Fault) in try await self.records.create(record.job.id, bytes) }
      return true
    } catch where error.code == "nats-revision-differs" {
      // An attempt before may have come through without an answer.
      return try await self.record(record.job.id) == record
    }
  }

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

  /// Looks once at everything that waits and is covered, what goes first first.
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

  /// Turns a message into a lease, or does away with it.
  private func take(_ delivery: Delivery, _ worker: String) async throws(Fault) -> Lease? {
    let id = String(decoding: delivery.message.bytes, as: UTF8.self)
    guard QueuedJob.isID(id) else {
      // No queue wrote that; it would come back for ever.
      try? await delivery.terminate()
      return nil
    }
    do throws(Fault) {
      if let lease = try await takeAtOnce(id, delivery, worker) { return lease }
      while true {
        guard let entry = try await entry(id) else {
          try await delivery.terminate()
          return nil
        }
        let (record, losses) = try await countSilence(of: entry.record, delivery)
        let turn = record.turn(
          for: worker, ticket: Lease.newTicket(), losses: losses, bounds: bounds, sequence: delivery.sequence)
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
          return Lease(next, revision: revision, handle: delivery.message.reply ?? "")
        }
      }
    } catch {
      // Somebody else is to try; if not even that can be said, the message comes back by itself.
      try? await delivery.giveBack(after: .milliseconds(200))
      throw error
    }
  }

  /// Leases a job that nobody has begun, by what any server knows of it; nil where the one that leads is to be asked.
  ///
  /// That may be some moments old: then somebody wrote since, and the lease isn't written in its place.
  private func takeAtOnce(_ id: String, _ delivery: Delivery, _ worker: String) async throws(Fault) -> Lease? {
    guard let entry = try await records.glance(id).flatMap(Self.read), entry.record.status == .queued else { return nil }
    let losses = try await self.losses.glance(Self.name(ofContent: entry.record.job.content)).flatMap(Self.losses)
    let turn = entry.record.turn(
      for: worker, ticket: Lease.newTicket(), losses: losses?.losses, bounds: bounds, sequence: delivery.sequence)
    guard case .lease(let next) = turn, let revision = try await update(next, entry.revision) else { return nil }
    return Lease(next, revision: revision, handle: delivery.message.reply ?? "")
  }

  /// Counts a lease that is over without a word against the creative; all of the creative's losses.
  private func countSilence(
    of record: JobRecord, _ delivery: Delivery
  ) async throws(Fault) -> (JobRecord, Losses?) {
    guard record.status == .running, record.sequence == delivery.sequence else {
      return (record, try await knownLosses(of: record.job.content)?.losses)
    }
    tally.withLock { $0.redelivered += 1 }
    let losses = try await countLoss(
      of: record.job.content, cause: record.cause, reason: "\(record.worker ?? "its worker") fell silent")
    return (record, losses)
  }

  package func heartbeat(_ lease: Lease) async throws(Fault) {
    guard try await entry(lease.job.id)?.revision == lease.revision else { throw lease.lost }
    try await nats.send(NatsMessage(lease.handle, "+WPI"))
  }

  package func end(_ lease: Lease, _ outcome: JobOutcome) async throws(Fault) {
    try await end(lease, outcome) { [endings] record in try? await endings.add(record) }
  }

  /// The same where servers needn't be handed the job: `tell` lets them know how it ended, nil when it couldn't.
  package func end(
    _ lease: Lease, _ outcome: JobOutcome, tell: @Sendable (JobRecord) async -> Void?
  ) async throws(Fault) {
    let record = lease.record.ended(outcome)
    try await settle(lease, record)
    // What fails from here on is made good by whoever gets the message again.
    guard await tell(record) != nil else { return }
    // Without an answer the message comes back, and is done away with by who gets it.
    _ = try? await nats.request(NatsMessage(lease.handle, "+ACK"))
  }

  package func release(_ lease: Lease) async throws(Fault) {
    try await settle(lease, lease.record.released())
    try? await nats.send(NatsMessage(lease.handle, "-NAK"))
    try? await nats.flush()
    await wake()
  }

  /// Writes what a lease came to, unless the job is somebody else's by now.
  private func settle(_ lease: Lease, _ record: JobRecord) async throws(Fault) {
    guard try await update(record, lease.revision) != nil else {
      tally.withLock { $0.stale += 1 }
      throw lease.lost
    }
  }

  package func cancel(_ id: String) async throws(Fault) -> Bool {
    while let entry = try await entry(id), !entry.record.status.isFinal {
      let record = entry.record.cancelled()
      guard try await update(record, entry.revision) != nil else { continue }
      try await endings.add(record)
      // Its message goes at once where it is known; otherwise whoever gets it does away with it.
      if let sequence = entry.record.sequence { try? await nats.removeMessage(sequence, of: names.stream) }
      return true
    }
    return false
  }

  package func record(_ id: String) async throws(Fault) -> JobRecord? { try await entry(id)?.record }

  private typealias KnownRecord = (record: JobRecord, revision: UInt64, timestamp: Int64)

  private func entry(_ id: String) async throws(Fault) -> KnownRecord? {
    let entry = try await Retrying.run { () throws(Fault) in try await self.records.get(id) }
    guard let entry, entry.bytes != nil else { return nil }
    guard let known = Self.read(entry) else {
      throw .engine("data-lost", "what is kept of the job \(id) can't be read")
    }
    return known
  }

  /// Nil for what is no job's record.
  private static func read(_ entry: KeyValueEntry) -> KnownRecord? {
    entry.bytes.flatMap { try? JSONDecoder().decode(JobRecord.self, from: Data($0)) }
      .map { ($0, entry.revision, entry.timestamp) }
  }

  /// The revision of what was written; nil when somebody else wrote meanwhile.
  private func update(_ record: JobRecord, _ revision: UInt64) async throws(Fault) -> UInt64? {
    let bytes = try record.bytes
    return try await Retrying.run { () throws(Fault) -> UInt64? in
      do throws(Fault) {
        return try await self.records.update(record.job.id, bytes, revision: revision)
      } catch where error.code == "nats-revision-differs" {
        // An attempt before may have come through without an answer.
        guard let entry = try await self.entry(record.job.id), entry.record == record else { return nil }
        return entry.revision
      }
    }
  }

  package func countLoss(of content: String, cause: String, reason: String) async throws(Fault) -> Losses {
    while true {
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
      } catch where error.code == "nats-revision-differs" {
        continue
      }
    }
  }

  private func knownLosses(of content: String) async throws(Fault) -> (losses: Losses, revision: UInt64)? {
    let name = Self.name(ofContent: content)
    let entry = try await Retrying.run { () throws(Fault) in try await self.losses.get(name) }
    return entry.flatMap(Self.losses)
  }

  private static func losses(_ entry: KeyValueEntry) -> (losses: Losses, revision: UInt64)? {
    entry.bytes.flatMap { try? JSONDecoder().decode(Losses.self, from: Data($0)) }.map { ($0, entry.revision) }
  }

  package func forgetLosses(of content: String) async throws(Fault) {
    try await losses.remove(Self.name(ofContent: content))
  }

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
    tally.withLock { (counts.redelivered, counts.stale) = ($0.redelivered, $0.stale) }
    return counts
  }

  package func close() async { await nats.close() }

  /// The consumer of a subject, made when it is needed first.
  private func consumer(for subject: String) async throws(Fault) -> PullConsumer {
    if let known = consumers.withLock({ $0[subject] }) { return known }
    var settings = ConsumerSettings(names.consumer(of: subject), filter: subject)
    settings.acknowledgeWithin = bounds.leaseTime
    let made = try await PullConsumer.open(settings, of: names.stream, on: nats)
    consumers.withLock { $0[subject] = made }
    return made
  }

  /// Tells all who wait that there is something to look for.
  private func wake() async { try? await nats.send(NatsMessage(names.wake)) }

  private static func name(of key: JobKey) -> String { SHA256.of("\(key.owner)\u{0}\(key.key)").hex }

  private static func name(ofContent content: String) -> String { SHA256.of(content).hex }
}

extension QueuedJob {
  /// The same under another id.
  fileprivate func renamed(_ id: String) -> QueuedJob {
    var job = self
    job.id = id
    return job
  }
}

/// Jobs that have ended and that servers wait for, each handed to one server until that is done with it.
package final class EndingQueue: Sendable {
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

  /// Says that a job has ended; nothing happens for one that only who sent it waits for.
  ///
  /// Twice within two minutes is once.
  package func add(_ record: JobRecord) async throws(Fault) {
    guard record.job.isServed else { return }
    let message = NatsMessage(names.ended, record.job.id)
    _ = try await Retrying.run { () throws(Fault) in
      try await self.nats.publish(message, PublishConditions(id: "ended-\(record.job.id)"))
    }
  }

  /// The next one; nil when there is none within the time.
  package func next(within time: Duration) async throws(Fault) -> Ending? {
    guard let delivery = try await consumer.fetch(1, within: time).first else { return nil }
    return Ending(id: String(decoding: delivery.message.bytes.prefix(64), as: UTF8.self), delivery: delivery)
  }
}

/// A job that has ended, until somebody says that all is done about it.
package struct Ending: Sendable {
  package let id: String
  fileprivate let delivery: Delivery

  fileprivate init(id: String, delivery: Delivery) { (self.id, self.delivery) = (id, delivery) }

  /// Nobody else is to look at it.
  package func settle() async throws(Fault) { try await delivery.acknowledge() }

  /// Somebody is to try again in a while.
  package func giveBack() async { try? await delivery.giveBack(after: .seconds(2)) }
}

/// How a queue is kept in NATS.
package struct JetStreamQueueSettings: Hashable, Sendable {
  package var bounds = QueueBounds()
  /// Servers of the cluster that keep each message and value, 1 to 5.
  package var replicas = 1
  /// How long what is known of a job, and its key, stay after the last change.
  package var age = Duration.seconds(30 * 86_400)

  package init() {}
}

/// What the parts of a queue are called in NATS.
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

  func subject(of job: QueuedJob) -> String { "\(name).jobs.\(job.priority.rawValue).\(JobKind(of: job).text)" }

  /// The kind of jobs on a subject; nil for another priority, where that is named, or no such subject.
  func kind(of subject: String, _ priority: QueuedJob.Priority? = nil) -> JobKind? {
    let words = subject.split(separator: ".")
    guard words.count == 4, priority.map({ $0.rawValue == words[2] }) ?? true else { return nil }
    return JobKind(String(words[3]))
  }

  /// Consumers of one stream have names of letters, digits and hyphens.
  func consumer(of subject: String) -> String { String(SHA256.of(subject).hex.prefix(32)) }
}
