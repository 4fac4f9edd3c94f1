package import Core
package import RenderModel

/// Stored state of a job. Every change is a function of this type, independent of the queue that stores it.
package struct JobRecord: Hashable, Sendable, Codable {
  package let job: QueuedJob
  package private(set) var status = RenderStatus.queued
  /// Number of leases so far, without those released such that the attempt doesn't count.
  package private(set) var attempt = 0
  /// Worker that holds the job, or held it last; nil if it was never leased.
  package private(set) var worker: String?
  /// Unique secret of the acceptance or lease that wrote the record; distinguishes it from equal records of other
  /// writers.
  package private(set) var ticket: String
  /// Result for the process that accepted the job; nil if there is none.
  package private(set) var result: String?
  /// Reason for which the job didn't complete; nil if it did or hasn't ended.
  package private(set) var fault: Fault?
  /// Sequence number of the message that represents the job, in queues that use messages; nil if it isn't known.
  package private(set) var sequence: UInt64?
  /// The subject by which the latest delivery of that message is acknowledged.
  package private(set) var handle: String?
  /// Number of releases after which the attempt didn't count; nil for none.
  package private(set) var returns: Int?

  /// Creates the record of an accepted job; `ticket` is unique to this acceptance.
  package init(_ job: QueuedJob, ticket: String) { (self.job, self.ticket) = (job, ticket) }

  /// Returns the record of a failed job that replaces a record which can't be read.
  static func unreadable(_ id: String, ticket: String) -> JobRecord {
    var record = JobRecord(
      QueuedJob(id: id, owner: "", content: "", payload: "", created: 0), ticket: ticket)
    record.end(.failed, .engine("job-unreadable", "the stored job \(id) isn't a job"))
    return record
  }

  /// Indicates if its numbers and texts are within the limits of records that a queue writes.
  var isSound: Bool {
    guard (try? job.check()) != nil else { return false }
    return (0...1000).contains(attempt) && (0...1_000_000).contains(returns ?? 0) && ticket.utf8.count <= 100
      && (worker?.utf8.count ?? 0) <= 200 && (handle?.utf8.count ?? 0) <= 500
  }

  /// Name under which the loss of the current lease is counted, so that it counts once.
  package var cause: String { "\(job.id)-\(attempt)" }
}

/// Deaths of processes that a creative has caused.
package struct Losses: Hashable, Sendable, Codable {
  /// Causes of the deaths, each listed once; the latest 20 are kept.
  package private(set) var causes: [String] = []
  /// Reason of the latest death; empty if there is none.
  package private(set) var reason = ""

  package init() {}

  /// Counts a death; the same cause counts once.
  package mutating func add(_ cause: String, _ reason: String) {
    guard !causes.contains(cause) else { return }
    causes = (causes + [cause]).suffix(20)
    self.reason = reason
  }
}

extension JobRecord {
  /// Decision about a job whose turn it is.
  package enum Turn: Hashable, Sendable {
    /// The worker gets the job, in this state.
    case lease(JobRecord)
    /// The job isn't handed out any more and ends in this state.
    case end(JobRecord)
    /// The message is dropped: the job has ended, or another message represents it.
    case drop
  }

  /// Decides about a job whose turn it is; `losses` are its creative's, and `ticket` is unique to this lease.
  package func turn(
    for worker: String, ticket: String, losses: Losses?, bounds: QueueBounds, sequence: UInt64? = nil,
    handle: String? = nil
  ) -> Turn {
    if status.isFinal || (self.sequence != nil && sequence != self.sequence) { return .drop }
    var next = self
    if let losses, losses.causes.count >= bounds.losses {
      let message = "\(losses.causes.count) processes died while they rendered the creative; it is quarantined: "
      next.end(.quarantined, .creative("creative-quarantined", message + losses.reason))
      return .end(next)
    }
    if attempt >= bounds.attempts {
      next.end(.failed, .engine("attempts-spent", "the job was started \(attempt) times and never ended"))
      return .end(next)
    }
    if (returns ?? 0) >= bounds.returns {
      next.end(.failed, .engine("attempts-spent", "the job was returned \(returns ?? 0) times and never ended"))
      return .end(next)
    }
    (next.status, next.attempt, next.sequence, next.handle) = (.running, attempt + 1, sequence, handle)
    (next.worker, next.ticket) = (worker, ticket)
    return .lease(next)
  }

  /// Returns the record after its worker has reported the end: completed, or failed with a fault.
  package func ended(_ fault: Fault?, result: String?) -> JobRecord {
    var next = self
    next.end(fault == nil ? .completed : .failed, fault)
    next.result = result
    return next
  }

  /// Returns the record after a release by its holder: as if it had never been leased, unless the attempt counts.
  package func released(counts: Bool = false) -> JobRecord {
    var next = self
    next.status = .queued
    if !counts { (next.attempt, next.returns) = (max(0, attempt - 1), (returns ?? 0) + 1) }
    return next
  }

  /// Returns the record after the job was cancelled.
  package func cancelled() -> JobRecord {
    var next = self
    next.end(.cancelled, .request("render-cancelled", "the render was cancelled"))
    return next
  }

  /// Returns the record after its holder was lost: queued again, and the attempt counts.
  package func requeued() -> JobRecord {
    var next = self
    next.status = .queued
    return next
  }

  /// Returns the queued record without a message that represents it; `ticket` is unique.
  package func withoutMessage(ticket: String) -> JobRecord {
    var next = requeued()
    (next.sequence, next.ticket) = (nil, ticket)
    return next
  }

  private mutating func end(_ status: RenderStatus, _ fault: Fault?) { (self.status, self.fault) = (status, fault) }

  /// Stored form of the record, in JSON.
  var bytes: [UInt8] {
    get throws(Fault) {
      guard let bytes = try? JSONText.bytes(self) else {
        throw .engine("data-failed", "a job can't be encoded as JSON")
      }
      return bytes
    }
  }
}
