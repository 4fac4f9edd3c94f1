internal import Core
internal import Telemetry
internal import Workers

/// Queue of renders: limited in length, fair among owners, and first come, first served for each owner.
package struct RenderQueue: Sendable {
  /// Maximum number of waiting tickets.
  package let capacity: Int
  /// Maximum number of concurrently active tickets.
  private let width: Int
  package private(set) var waiting: [Ticket] = []
  private var active: [String: String] = [:]
  /// True if no more tickets are admitted.
  package private(set) var isClosed = false

  package init(capacity: Int, width: Int) {
    (self.capacity, self.width) = (max(1, capacity), max(1, width))
  }

  package var isFull: Bool { waiting.count >= capacity }
  /// Number of active tickets.
  package var activeCount: Int { active.count }

  /// Adds a ticket. The capacity isn't checked, since renders accepted earlier may exceed it.
  package mutating func add(_ ticket: Ticket) { waiting.append(ticket) }

  /// Admits as many tickets as may be active.
  package mutating func admit() -> [Ticket] {
    var admitted: [Ticket] = []
    while !isClosed, active.count < width, let index = next {
      let ticket = waiting.remove(at: index)
      active[ticket.id] = ticket.owner
      admitted.append(ticket)
    }
    return admitted
  }

  /// Index of the first ticket of the owner with the fewest active ones.
  private var next: Int? {
    let load = active.values.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    return waiting.indices.min { load[waiting[$0].owner, default: 0] < load[waiting[$1].owner, default: 0] }
  }

  /// Removes a waiting or active ticket; false if there is none.
  @discardableResult package mutating func remove(_ id: String) -> Bool {
    if active.removeValue(forKey: id) != nil { return true }
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// Number of an owner's waiting and active tickets.
  package func count(of owner: String) -> Int {
    waiting.count { $0.owner == owner } + active.values.count { $0 == owner }
  }

  /// Stops the admission of tickets.
  package mutating func close() { isClosed = true }
}

/// A waiting render.
package struct Ticket: Hashable, Sendable {
  package let id: String
  /// The owner, among whom turns alternate.
  package let owner: String
  /// Time in milliseconds since 1970 after which it isn't started any more.
  private let deadline: Int64

  package init(id: String, owner: String, deadline: Int64) {
    (self.id, self.owner, self.deadline) = (id, owner, deadline)
  }
}

/// Count of requests rejected within the last minute.
package struct Rejections: Sendable {
  /// Length of the counted period in milliseconds.
  private static let window: Int64 = 60_000
  private var timestamps: [Int64] = []

  package init() {}

  /// Adds a rejection.
  package mutating func recordRejection(at timestamp: Int64) {
    forget(before: timestamp - Self.window)
    timestamps.append(timestamp)
  }

  /// Number of rejections within the minute before a time.
  package mutating func count(at timestamp: Int64) -> Int {
    forget(before: timestamp - Self.window)
    return timestamps.count
  }

  private mutating func forget(before timestamp: Int64) { timestamps.removeAll { $0 <= timestamp } }
}

/// Advice on when to repeat a rejected request.
package enum RetryAdvice {
  /// Whole seconds until a place is expected to be free, from 1 to 60.
  ///
  /// - Parameter pace: average seconds per render, nil if unknown.
  package static func seconds(waiting: Int, width: Int, pace: Double?) -> Int {
    guard let pace, width > 0, waiting > 0 else { return 1 }
    return Bounded.int(pace / Double(width), in: 1...60, rounding: .up)
  }
}

/// The load of a server, for load balancers and users.
struct Pressure: Sendable {
  /// Maximum numbers of running and queued renders.
  struct Capacity: Encodable, Sendable {
    let running: Int
    let queued: Int
  }

  let running: Int
  let queued: Int
  let capacity: Capacity
  /// Number of requests rejected in the last minute.
  let rejected: Int
  let isFull: Bool
  let isStopping: Bool
  /// Number of ended renders whose outcomes couldn't be stored yet.
  let unwritten: Int
  let workers: PoolMetrics
  /// External fault for which no renders can be accepted; nil if there is none.
  var problem: Fault?

  /// Indicates if another render would be accepted.
  var isReady: Bool { !isFull && !isStopping && unwritten == 0 && problem == nil }
}

extension Pressure: Encodable {
  private enum Key: String, CodingKey {
    case running, queued, capacity, recentlyRejected, ready, workers
  }
  private struct Workers: Encodable {
    let ready: Int
    let starting: Int
    let lost: Int
    let recycled: Int
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(running, forKey: .running)
    try container.encode(queued, forKey: .queued)
    try container.encode(capacity, forKey: .capacity)
    try container.encode(rejected, forKey: .recentlyRejected)
    try container.encode(isReady, forKey: .ready)
    let counts = Workers(
      ready: workers.busy + workers.idle, starting: workers.starting, lost: workers.lost, recycled: workers.recycled)
    try container.encode(counts, forKey: .workers)
  }
}

extension ServiceGauges {
  /// All metrics in Prometheus' text format, with the current values of the gauges.
  func text(_ pressure: Pressure, process: OwnProcess) -> String {
    let now: [(String, Double)] = [
      ("galley_renders_running", Double(pressure.running)), ("galley_renders_queued", Double(pressure.queued)),
      ("galley_queue_capacity", Double(pressure.capacity.queued)),
      ("galley_outcomes_unwritten", Double(pressure.unwritten)),
    ]
    return text(workers: pressure.workers, process: process)
      + now.map { "# TYPE \($0) gauge\n\($0) \($1.plain)\n" }.joined()
  }
}
