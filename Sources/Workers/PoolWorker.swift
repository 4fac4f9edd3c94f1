internal import RenderModel

/// One worker as the pool sees it.
struct PoolWorker: Sendable {
  /// Where it stands between its start and its exit.
  enum Phase: Hashable, Sendable {
    /// Started, not heard of yet.
    case starting
    case serving
    /// Its input has ended; it is to exit by itself.
    case leaving
    /// Killed for this reason; its exit is still to come.
    case terminating(TerminationReason)
  }
  /// Why a worker was killed.
  enum TerminationReason: Hashable, Sendable {
    /// Its job had all the time it was allowed.
    case deadline
    /// Nobody wants its job any more.
    case cancelled
    /// It said nothing when it had to.
    case unresponsive(String)
  }

  /// The time its engine lives in, for as long as it does.
  let clock: RenderOptions.Clock
  var phase = Phase.starting
  /// The job it renders.
  var present: Int?
  /// The job it holds to render next.
  var next: Int?
  /// Whether it has said anything about `present`.
  var hasBegun = false
  /// Jobs it finished.
  var served = 0
  /// Whether it has grown beyond what a worker may have in memory.
  var exceedsMemory = false
  /// The number of its latest watch.
  var watch = 0

  init(clock: RenderOptions.Clock = .virtual) {
    self.clock = clock
  }

  /// Whether it could begin a job at once.
  var isIdle: Bool { phase == .serving && present == nil }

  /// Whether it counts against the pool's capacity.
  var isActive: Bool { phase == .starting || phase == .serving }
}
