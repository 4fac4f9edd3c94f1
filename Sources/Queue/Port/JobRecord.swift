package import Core

/// Where a job stands.
package enum JobStatus: String, Hashable, Sendable, Codable, CaseIterable {
  case queued
  case running
  /// Rendered to its end.
  case completed
  case failed
  case cancelled
  /// Its creative killed too many workers to be tried again.
  case quarantined

  /// Whether nothing will change any more.
  package var isFinal: Bool { self != .queued && self != .running }
}

/// What a queue knows of a job; every change of it is one step here, whichever queue keeps it.
package struct JobRecord: Hashable, Sendable, Codable {
  package let job: QueuedJob
  package private(set) var status = JobStatus.queued
  /// How often it was leased and not released.
  package private(set) var attempt = 0
  /// Who holds it, or held it last.
  package private(set) var worker: String?
  /// Tells who wrote it, as accepting or leasing it, from anybody else who might write the same.
  package private(set) var ticket: String
  /// What came of it, for who accepted it.
  package private(set) var result: String?
  /// Why it didn't complete.
  package private(set) var fault: Fault?
  /// The message that stands for it, where messages do.
  package private(set) var sequence: UInt64?

  /// A job that is accepted; `ticket` is nobody else's.
  package init(_ job: QueuedJob, ticket: String) { (self.job, self.ticket) = (job, ticket) }

  /// What a lease that was lost counts as, so that it counts once.
  package var cause: String { "\(job.id)-\(attempt)" }
}

/// How a job ends.
package enum JobOutcome: Hashable, Sendable {
  case completed(result: String)
  case failed(Fault, result: String?)
}

/// Deaths that a creative has cost.
package struct Losses: Hashable, Sendable, Codable {
  /// What died, each once: at most 20 are kept.
  package private(set) var causes: [String] = []
  /// How the last of them came about.
  package private(set) var reason = ""

  package init() {}

  /// Counts one; the same cause counts once.
  package mutating func add(_ cause: String, _ reason: String) {
    guard !causes.contains(cause) else { return }
    causes = (causes + [cause]).suffix(20)
    self.reason = reason
  }
}

extension JobRecord {
  /// What becomes of a job whose turn it is.
  package enum Turn: Hashable, Sendable {
    /// Somebody gets it, in this state.
    case lease(JobRecord)
    /// Nobody gets it any more: it ends so.
    case end(JobRecord)
    /// It has ended, or another message stands for it.
    case drop
  }

  /// Decides what becomes of it; `losses` are its creative's, and `ticket` is no other lease's.
  package func turn(
    for worker: String, ticket: String, losses: Losses?, bounds: QueueBounds, sequence: UInt64? = nil
  ) -> Turn {
    if status.isFinal || (self.sequence != nil && sequence != self.sequence) { return .drop }
    var next = self
    if let losses, losses.causes.count >= bounds.losses {
      let message = "\(losses.causes.count) processes died under it and it isn't rendered any more; the last: "
      next.end(.quarantined, .creative("creative-quarantined", message + losses.reason))
      return .end(next)
    }
    if attempt >= bounds.attempts {
      next.end(.failed, .engine("attempts-spent", "it was begun \(attempt) times and never ended"))
      return .end(next)
    }
    (next.status, next.attempt, next.sequence) = (.running, attempt + 1, sequence)
    (next.worker, next.ticket) = (worker, ticket)
    return .lease(next)
  }

  /// Ended as its worker says.
  package func ended(_ outcome: JobOutcome) -> JobRecord {
    var next = self
    switch outcome {
    case .completed(let result):
      next.end(.completed, nil)
      next.result = result
    case .failed(let fault, let result):
      next.end(.failed, fault)
      next.result = result
    }
    return next
  }

  /// Given back by who holds it: as if it had never been taken.
  package func released() -> JobRecord {
    var next = self
    (next.status, next.attempt) = (.queued, max(0, attempt - 1))
    return next
  }

  /// Given up by who had it accepted.
  package func cancelled() -> JobRecord {
    var next = self
    next.end(.cancelled, .request("render-cancelled", "it was cancelled before it was done"))
    return next
  }

  /// Back in the queue after its holder was lost; the attempt counts.
  package func requeued() -> JobRecord {
    var next = self
    next.status = .queued
    return next
  }

  /// Waiting for another message to stand for it; `ticket` is nobody else's.
  package func withoutMessage(ticket: String) -> JobRecord {
    var next = requeued()
    (next.sequence, next.ticket) = (nil, ticket)
    return next
  }

  private mutating func end(_ status: JobStatus, _ fault: Fault?) { (self.status, self.fault) = (status, fault) }

  /// As it is kept.
  var bytes: [UInt8] {
    get throws(Fault) {
      guard let bytes = try? JSONText.bytes(self) else { throw .engine("data-failed", "a job has no form in JSON") }
      return bytes
    }
  }
}
