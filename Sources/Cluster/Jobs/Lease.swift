package import Core

/// Result of accepting a job.
package enum JobAcceptance: Hashable, Sendable {
  case accepted
  /// The same request was accepted before, under this id.
  case known(id: String)
}

/// Temporary right of a worker to do a job.
package struct Lease: Hashable, Sendable {
  /// The job as it was when it was handed out.
  package let record: JobRecord
  /// Revision of the record, which grows each time that the job is handed out; an outcome is accepted only with the
  /// current one.
  package let revision: UInt64

  package var job: QueuedJob { record.job }
  package var attempt: Int { record.attempt }
  /// Subject by which the queue acknowledges the lease's message; empty if there is none.
  var handle: String { record.handle ?? "" }

  init(_ record: JobRecord, revision: UInt64) { (self.record, self.revision) = (record, revision) }

  /// Returns a secret of 128 bits that no other lease or acceptance has.
  static func newTicket() -> String {
    (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
  }

  /// Fault for a worker that has lost the lease.
  var lost: Fault { Self.lost(job.id) }

  /// Fault for a worker that has lost the lease of the job with this id.
  package static func lost(_ id: String) -> Fault {
    .engine(.leaseLost, "the job \(id) was reassigned or has ended")
  }
}

/// Limits of a queue.
package struct QueueBounds: Hashable, Sendable {
  /// Time without a heartbeat after which another worker gets the job.
  package var leaseTime = Duration.seconds(30)
  /// Maximum number of attempts at a job.
  package var attempts = 3
  /// Maximum number of releases of a job after which the attempt doesn't count.
  package var returns = 50
  /// Number of processes that may die under a creative before it is quarantined.
  package var losses = 3
  /// Maximum number of waiting jobs; in NATS leased jobs count as well.
  package var waiting = 200

  package init() {}
}

/// Numbers of jobs in a queue, for metrics and for systems that start workers.
package struct QueueCounts: Hashable, Sendable {
  /// Jobs that wait, by kind.
  package var waiting: [JobKind: Int] = [:]
  /// Jobs that a worker holds.
  package var leased = 0
  /// Time at which the oldest waiting job was accepted, in milliseconds since 1970; nil if none waits.
  package var oldest: Int64?
  /// Jobs that this process was handed after the lease of another worker was lost.
  package var redelivered = 0
  /// Outcomes in this process that came too late and were refused.
  package var stale = 0
  /// Unreadable records that this process filed as failed jobs.
  package var unreadable = 0

  package init() {}

  /// All jobs that wait.
  package var allWaiting: Int { waiting.values.reduce(0, +) }
}

/// Counters of this process's events in a queue since its start.
struct QueueTally: Sendable {
  var redelivered = 0
  var stale = 0
  var unreadable = 0
}
