internal import Core
internal import Workers

/// Who waits and whose turn it is: bounded, fair among owners, first come first served with each of them.
package struct RenderQueue: Sendable {
  /// Tickets that may wait.
  package let capacity: Int
  /// Tickets that may be under way together.
  private let width: Int
  package private(set) var waiting: [Ticket] = []
  private var active: [String: String] = [:]
  /// Whether nobody is let through any more.
  package private(set) var isClosed = false

  package init(capacity: Int, width: Int) {
    (self.capacity, self.width) = (max(1, capacity), max(1, width))
  }

  package var isFull: Bool { waiting.count >= capacity }
  /// Tickets that are under way.
  package var activeCount: Int { active.count }

  /// Lines a ticket up, even beyond the capacity when it was accepted long ago.
  package mutating func add(_ ticket: Ticket) { waiting.append(ticket) }

  /// Lets as many through as may be under way.
  package mutating func admit() -> [Ticket] {
    var admitted: [Ticket] = []
    while !isClosed, active.count < width, let index = next {
      let ticket = waiting.remove(at: index)
      active[ticket.id] = ticket.owner
      admitted.append(ticket)
    }
    return admitted
  }

  /// The first ticket of an owner who has the fewest under way.
  private var next: Int? {
    let load = active.values.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    return waiting.indices.min { load[waiting[$0].owner, default: 0] < load[waiting[$1].owner, default: 0] }
  }

  /// Takes a ticket out, wherever it is; says whether it was there.
  @discardableResult package mutating func remove(_ id: String) -> Bool {
    if active.removeValue(forKey: id) != nil { return true }
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return false }
    waiting.remove(at: index)
    return true
  }

  /// How many of an owner's wait or are under way.
  package func count(of owner: String) -> Int {
    waiting.count { $0.owner == owner } + active.values.count { $0 == owner }
  }

  /// Lets nobody through from now on.
  package mutating func close() { isClosed = true }
}

/// A render that waits for its turn.
package struct Ticket: Hashable, Sendable {
  package let id: String
  /// Whose it is: turns go round among owners.
  package let owner: String
  /// Milliseconds since 1970 after which it isn't worth rendering any more.
  private let deadline: Int64

  package init(id: String, owner: String, deadline: Int64) {
    (self.id, self.owner, self.deadline) = (id, owner, deadline)
  }
}

/// How many requests were turned away of late.
package struct Rejections: Sendable {
  /// What counts as late, in milliseconds.
  private static let window: Int64 = 60_000
  private var timestamps: [Int64] = []

  package init() {}

  /// Counts one more.
  package mutating func recordRejection(at timestamp: Int64) {
    forget(before: timestamp - Self.window)
    timestamps.append(timestamp)
  }

  /// How many within the window before an instant.
  package mutating func count(at timestamp: Int64) -> Int {
    forget(before: timestamp - Self.window)
    return timestamps.count
  }

  private mutating func forget(before timestamp: Int64) { timestamps.removeAll { $0 <= timestamp } }
}

/// When somebody who was turned away may expect room.
package enum RetryAdvice {
  /// Whole seconds until one of the waiting has gone, from 1 to 60.
  ///
  /// `pace` is the seconds a render took of late, nil when none is known.
  package static func seconds(waiting: Int, width: Int, pace: Double?) -> Int {
    guard let pace, width > 0, waiting > 0 else { return 1 }
    return Bounded.int(pace / Double(width), in: 1...60, rounding: .up)
  }
}

/// How full a server is, as it tells balancers and people.
struct Pressure: Sendable {
  /// What there is room for.
  struct Capacity: Encodable, Sendable {
    let running: Int
    let queued: Int
  }

  let running: Int
  let queued: Int
  let capacity: Capacity
  /// Requests turned away in the last minute.
  let rejected: Int
  let isFull: Bool
  let isStopping: Bool
  /// Renders that ended though it couldn't be written down yet.
  let unwritten: Int
  let workers: PoolMetrics
  /// Why nothing can be accepted that comes from elsewhere; nil where all is well.
  var problem: Fault?

  /// Whether another render would be accepted.
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
