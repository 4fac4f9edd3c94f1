package import Jobs

/// What a pool tells about its jobs; every job submitted ends in exactly one `finished` unless it or the pool is cancelled.
package enum PoolEvent: Hashable, Sendable {
  /// What died under a job.
  package enum Loss: Hashable, Sendable {
    case worker
    case webProcess
  }

  /// A worker took the job up, for the `attempt`-th time, from 1.
  case started(job: Int, attempt: Int)
  case progress(job: Int, phase: String)
  /// An attempt was lost for this reason; the job is queued again.
  case retrying(job: Int, lost: Loss, reason: String)
  /// The record is final and `result.json` is written.
  case finished(job: Int, record: RenderRecord)
}
