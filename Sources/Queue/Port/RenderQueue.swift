package import Core

/// Where renders wait for a worker, whatever keeps them: a file on this machine, or NATS for many.
///
/// Whoever holds a lease may be too late: what it does counts only while nobody else was given the job.
package protocol RenderQueue: Sendable {
  /// Accepts a job; the same request under the same key gets the one that was accepted before.
  ///
  /// `queue-full` when there is no room, `idempotency-key-reused` when the key stands for another request.
  func enqueue(_ job: QueuedJob, key: JobKey?) async throws(Fault) -> JobAcceptance

  /// Hands out the job whose turn it is among those that `capabilities` cover; nil when there is none within the time.
  func lease(_ capabilities: Capabilities, as worker: String, within time: Duration) async throws(Fault) -> Lease?

  /// Says that a lease is still worked on, so that nobody else gets the job; `lease-lost` when somebody has.
  func heartbeat(_ lease: Lease) async throws(Fault)

  /// Ends a job for good; `lease-lost` when somebody else was given it since, or it was cancelled.
  func end(_ lease: Lease, _ outcome: JobOutcome) async throws(Fault)

  /// Gives a job back at once, and the attempt doesn't count.
  func release(_ lease: Lease) async throws(Fault)

  /// Ends a job that nobody wants any more; says whether it hadn't ended yet.
  func cancel(_ id: String) async throws(Fault) -> Bool

  /// Where a job stands; nil for one that isn't known, or was forgotten.
  func record(_ id: String) async throws(Fault) -> JobRecord?

  /// Counts a process that died under a creative; returns all of the creative's.
  @discardableResult
  func countLoss(of content: String, cause: String, reason: String) async throws(Fault) -> Losses

  /// Gives a creative another chance.
  func forgetLosses(of content: String) async throws(Fault)

  /// How full the queue is.
  func counts() async throws(Fault) -> QueueCounts

  /// Ends what is under way; calls after it fail.
  func close() async
}

/// What becomes of a job that is to be accepted.
package enum JobAcceptance: Hashable, Sendable {
  case accepted
  /// The same request was accepted before, under this id.
  case known(id: String)
}

/// The right to do a job, for a while.
package struct Lease: Hashable, Sendable {
  /// The job as it was when it was handed out.
  package let record: JobRecord
  /// Grows each time that the job is handed out; what an outcome has to have.
  package let revision: UInt64
  /// What the queue knows the lease by besides.
  let handle: String

  package var job: QueuedJob { record.job }
  package var attempt: Int { record.attempt }

  init(_ record: JobRecord, revision: UInt64, handle: String = "") {
    (self.record, self.revision, self.handle) = (record, revision, handle)
  }

  /// A name that no other lease or acceptance has.
  static func newTicket() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

  /// What is said to who holds it no more.
  var lost: Fault { .engine("lease-lost", "the job \(job.id) was given to somebody else, or has ended") }
}

/// What a queue may take, and what it puts up with.
package struct QueueBounds: Hashable, Sendable {
  /// How long a worker may be silent until somebody else gets its job.
  package var leaseTime = Duration.seconds(30)
  /// How often a job is begun.
  package var attempts = 3
  /// Processes that may die under a creative until it isn't tried any more.
  package var losses = 3
  /// Jobs that may wait; in NATS those that are under way count as well.
  package var waiting = 200

  package init() {}
}

/// How full a queue is, for metrics and for who starts workers.
package struct QueueCounts: Hashable, Sendable {
  /// Jobs that wait, by kind.
  package var waiting: [JobKind: Int] = [:]
  /// Jobs that somebody holds.
  package var leased = 0
  /// When the job that waits longest was accepted, in milliseconds since 1970; nil when none waits.
  package var oldest: Int64?
  /// Of this process: jobs that it was handed after somebody else's lease was lost.
  package var redelivered = 0
  /// Of this process: outcomes that came too late and were refused.
  package var stale = 0

  package init() {}

  /// All jobs that wait.
  package var allWaiting: Int { waiting.values.reduce(0, +) }
}

/// What a process has seen of a queue since it began.
struct QueueTally: Sendable {
  var redelivered = 0
  var stale = 0
}
