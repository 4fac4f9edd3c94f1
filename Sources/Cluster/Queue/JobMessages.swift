internal import Core
internal import Synchronization

/// Messages that announce waiting jobs, in a stream with one subject and one consumer for each priority and kind.
///
/// A message contains only its job's id.
final class JobMessages: Sendable {
  private let nats: NatsConnection
  private let names: QueueNames
  private let leaseTime: Duration
  private let consumers = Mutex<[String: PullConsumer]>([:])

  /// Creates the stream if it is missing.
  init(_ nats: NatsConnection, _ names: QueueNames, _ settings: JetStreamQueueSettings) async throws(Fault) {
    (self.nats, self.names, leaseTime) = (nats, names, settings.bounds.leaseTime)
    var jobs = StreamSettings(names.stream, subjects: [names.allJobs])
    (jobs.retention, jobs.replicas) = (.workQueue, settings.replicas)
    jobs.mostMessages = Int64(settings.bounds.waiting)
    try await nats.makeStream(jobs, keepingOthers: true)
  }

  /// Publishes the message that represents a job; NATS drops a second message with the same name.
  func publish(_ job: QueuedJob, as name: String) async throws(Fault) {
    _ = try await Retrying.run { () throws(Fault) in
      try await self.nats.publish(NatsMessage(self.names.subject(of: job), job.id), PublishConditions(id: name))
    }
  }

  /// Removes the message with this sequence number.
  func remove(_ sequence: UInt64) async throws(Fault) { try await nats.removeMessage(sequence, of: names.stream) }

  /// Returns the subjects with messages of jobs that `capabilities` cover, those of the highest priority first.
  func subjects(for capabilities: Capabilities) async throws(Fault) -> [String] {
    let subjects = try await nats.stateOfStream(names.stream, subjects: names.allJobs).subjects.keys
    return QueuedJob.Priority.allCases.flatMap { priority in
      // Kinds of the same priority in any order, so that none is always last.
      subjects.filter { names.kind(of: $0, priority).map(capabilities.covers) ?? false }.shuffled()
    }
  }

  /// Returns the next message on a subject; nil if none waits.
  func next(on subject: String) async throws(Fault) -> Delivery? {
    try await consumer(for: subject).fetch(1, within: .zero).first
  }

  /// Returns the progress of the consumer for jobs like this one, and the first message that it hasn't delivered.
  func progress(of job: QueuedJob) async throws(Fault) -> (state: ConsumerState, first: NatsMessage?) {
    let subject = names.subject(of: job)
    return try await Retrying.run { () throws(Fault) in
      let state = try await self.consumer(for: subject).state()
      return (state, try await self.firstWaiting(on: subject, state))
    }
  }

  private func firstWaiting(on subject: String, _ state: ConsumerState) async throws(Fault) -> NatsMessage? {
    try await nats.message(of: names.stream, from: state.lastDelivered + 1, subject: subject)
  }

  /// Returns the numbers of waiting and leased jobs.
  func counts() async throws(Fault) -> QueueCounts {
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
      let first = try await firstWaiting(on: subject, state)
      if let first { counts.oldest = min(counts.oldest ?? first.timestamp, first.timestamp) }
    }
    return counts
  }

  /// Returns the consumer of a subject, and creates it on first use.
  private func consumer(for subject: String) async throws(Fault) -> PullConsumer {
    if let known = consumers.withLock({ $0[subject] }) { return known }
    var settings = ConsumerSettings(names.consumer(of: subject), filter: subject)
    settings.acknowledgeWithin = leaseTime
    let made = try await PullConsumer.open(settings, of: names.stream, on: nats)
    consumers.withLock { $0[subject] = made }
    return made
  }
}

extension JobMessages {
  /// Extends the time for which a lease's message isn't delivered again.
  func extend(_ lease: Lease) async throws(Fault) { try await nats.send(NatsMessage(lease.handle, "+WPI")) }

  /// Removes a lease's message; without an answer it comes back, and the next process that receives it removes it.
  func acknowledge(_ lease: Lease) async { _ = try? await nats.request(NatsMessage(lease.handle, "+ACK")) }

  /// Returns a lease's message, so that it is delivered again at once.
  func giveBack(_ lease: Lease) async {
    try? await nats.send(NatsMessage(lease.handle, "-NAK"))
    try? await nats.flush()
  }

  /// Wakes all processes that wait for jobs.
  func wake() async { try? await nats.send(NatsMessage(names.wake)) }

  /// Subscribes to the calls of `wake` from now on.
  func listenForWaking() async throws(Fault) -> Subscription {
    try await Retrying.run { () throws(Fault) in try await Subscription.open(self.names.wake, on: self.nats) }
  }
}
