internal import Core

/// Who may send a render: the queue, places for requests that are still on their way, and who is turned away.
struct Admission: Sendable {
  var queue: RenderQueue
  private let jobs: Int
  private let gauges: ServiceGauges
  private var rejections = Rejections()
  /// Requests that are being received or accepted, by whose they are.
  private var arriving: [String: Int] = [:]
  /// Seconds a render took of late.
  private var pace: Double?

  /// `waiting` renders may wait, `jobs` are rendered at a time.
  init(waiting: Int, jobs: Int, gauges: ServiceGauges) {
    (self.jobs, self.gauges) = (jobs, gauges)
    // Twice as many as there are workers, so that each has its next one at hand.
    queue = RenderQueue(capacity: waiting, width: jobs * 2)
  }

  /// Requests turned away in the last minute.
  var rejectedLately: Int {
    mutating get { rejections.count(at: Instant.now) }
  }

  /// Keeps a place for an owner's request that is on its way, or turns it away for whom there is no room.
  mutating func expect(_ owner: String, most: Int?) throws(Problem) {
    if queue.isClosed {
      throw Problem(503, .engine("server-stopping", "the server is shutting down"), retryAfter: 10)
    }
    if let most, queue.count(of: owner) + arriving[owner, default: 0] >= most {
      throw reject("renders-too-many", "\(most) renders of this token's are waiting or running already")
    }
    guard queue.waiting.count + arriving.values.reduce(0, +) < queue.capacity else {
      throw reject("queue-full", "\(queue.capacity) renders are waiting already")
    }
    enter(owner)
  }

  /// Counts a request that is on its way, and that needs no room of its own.
  mutating func enter(_ owner: String) { arriving[owner, default: 0] += 1 }

  /// Gives the place of a request up.
  mutating func arrived(_ owner: String) {
    arriving[owner, default: 0] -= 1
    if arriving[owner, default: 0] <= 0 { arriving[owner] = nil }
  }

  /// Learns how long a render took.
  mutating func noteRender(seconds: Double) { pace = (pace ?? seconds) * 0.8 + seconds * 0.2 }

  private mutating func reject(_ code: String, _ message: String) -> Problem {
    rejections.recordRejection(at: Instant.now)
    gauges.rejected(code)
    let seconds = RetryAdvice.seconds(waiting: queue.waiting.count, width: jobs, pace: pace)
    return Problem(429, code, message, retryAfter: seconds)
  }
}
