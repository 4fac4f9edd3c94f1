internal import RenderModel

/// State of one worker in the pool.
struct PoolWorker: Sendable {
  /// Stage between the worker's start and its exit.
  enum Phase: Hashable, Sendable {
    /// Started, but has sent no message yet.
    case starting
    case serving
    /// Its input has ended; it should exit by itself.
    case leaving
    /// Killed for this reason; its exit hasn't been reported yet.
    case terminating(TerminationReason)
  }
  /// Reason for killing a worker.
  enum TerminationReason: Hashable, Sendable {
    /// Its job used up the allowed time.
    case deadline
    /// Its job is no longer wanted.
    case cancelled
    /// It sent no message in the allowed time.
    case unresponsive(String)
  }

  /// The clock of its engine, which never changes.
  let clock: RenderOptions.Clock
  var phase = Phase.starting
  /// Id of the job that it renders.
  var present: Int?
  /// Id of the job that it holds to render next.
  var next: Int?
  /// Indicates if it has sent a message about `present`.
  var hasBegun = false
  /// Number of jobs that it finished.
  var served = 0
  /// Indicates if it exceeds the permitted memory of a worker.
  var exceedsMemory = false
  /// Serial number of its latest watch.
  var watch = 0

  init(clock: RenderOptions.Clock = .virtual) {
    self.clock = clock
  }

  /// Indicates if it could begin a job at once.
  var isIdle: Bool { phase == .serving && present == nil }

  /// Indicates if it counts against the pool's capacity.
  var isActive: Bool { phase == .starting || phase == .serving }
}
