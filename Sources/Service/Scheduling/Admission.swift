internal import Core
internal import Telemetry

/// Admission of renders: places for requests that are still being received, and rejections.
struct Admission: Sendable {
  /// Load of a server, or of a queue that servers share, at the time of a request.
  struct Load: Sendable {
    /// Number of waiting renders.
    let waiting: Int
    /// Number of the owner's waiting and running renders; 0 will do for an owner without a limit.
    let own: Int
    /// Seconds after which a rejected request may be repeated.
    let retryAfter: Int
  }

  /// The answer to every request while the server is shutting down.
  static var stopping: Problem {
    Problem(503, .engine("server-stopping", "the server is shutting down"), retryAfter: 10)
  }

  /// Maximum number of waiting renders.
  private let capacity: Int
  private let gauges: ServiceGauges
  private var rejections = Rejections()
  /// Number of requests that are being received or accepted, by owner.
  private var arriving: [String: Int] = [:]

  /// Creates an admission to a queue with `capacity` places.
  init(capacity: Int, gauges: ServiceGauges) { (self.capacity, self.gauges) = (capacity, gauges) }

  /// Number of requests rejected in the last minute.
  var rejectedLately: Int {
    mutating get { rejections.count(at: Instant.now) }
  }

  /// Keeps a place for an owner's request that is being received, or rejects it if there is none.
  mutating func expect(_ owner: String, most: Int?, _ load: Load) throws(Problem) {
    let own = arriving[owner, default: 0]
    if let most, load.own + own >= most {
      throw reject("renders-too-many", "\(most) renders of this token are waiting or running", load)
    }
    // Bodies that don't come to their end keep nobody else's out.
    let mostArriving = max(4, capacity / 2)
    guard own < mostArriving else {
      throw reject("requests-too-many", "\(mostArriving) requests of this caller are in progress", load)
    }
    guard load.waiting + arriving.values.reduce(0, +) < capacity else {
      throw reject("queue-full", "the queue is full: \(capacity) renders are waiting", load)
    }
    enter(owner)
  }

  /// Counts a request that is being received and needs no place of its own.
  mutating func enter(_ owner: String) { arriving[owner, default: 0] += 1 }

  /// Frees the place of a request.
  mutating func arrived(_ owner: String) {
    arriving[owner, default: 0] -= 1
    if arriving[owner, default: 0] <= 0 { arriving[owner] = nil }
  }

  private mutating func reject(_ code: String, _ message: String, _ load: Load) -> Problem {
    rejections.recordRejection(at: Instant.now)
    gauges.rejected(code)
    return Problem(429, code, message, retryAfter: load.retryAfter)
  }
}
