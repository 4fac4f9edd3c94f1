internal import Jobs

/// What happens to a pool.
enum PoolInput: Sendable {
  /// More to render; nothing is taken up after `end`.
  case submit([RenderJob])
  /// Nobody wants this job any more; nothing is told of it from then on.
  case cancel(Int)
  /// What a worker that is done with a creative has in memory, in mebibytes.
  case weighed(worker: Int, mebibytes: Int)
  /// The job has no form that a worker could read.
  case unsendable(Int, worker: Int, reason: String)
  /// No more jobs will come.
  case end
  case said(WorkerMessage, worker: Int)
  case exited(WorkerExit, worker: Int)
  /// The time of a `watch` is over; of an older one when `serial` isn't the latest.
  case expired(worker: Int, serial: Int)
}

/// What the pool's owner has to do, in order.
enum PoolEffect: Hashable, Sendable {
  /// Start a process for this worker, whose engine lives in this time; numbers are never used twice.
  case start(worker: Int, clock: RenderOptions.Clock = .real)
  /// Write the job to the worker's input; a `retry` finds leftovers of the attempt before.
  case send(RenderJob, worker: Int, retry: Bool)
  /// End the worker's input.
  case dismiss(worker: Int)
  case kill(worker: Int)
  /// Answer with `expired` after these seconds; replaces the worker's earlier watch.
  case watch(worker: Int, serial: Int, seconds: Double)
  case unwatch(worker: Int)
  case publish(PoolEvent)
  /// Make a record for a job that no worker could report on, and publish it.
  case giveUp(RenderJob, RenderRecord.Outcome, Fault, attempts: Int)
  /// Every job has its record and every worker is gone.
  case done
}
