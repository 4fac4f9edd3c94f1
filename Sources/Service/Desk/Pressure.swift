internal import Workers

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
  let workers: PoolCensus

  /// Whether another render would be accepted.
  var isReady: Bool { !isFull && !isStopping && unwritten == 0 }
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
