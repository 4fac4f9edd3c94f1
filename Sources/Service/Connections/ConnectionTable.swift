/// The open connections, limited in total, by address and by token.
///
/// An idle connection is displaced by a new one; if none is idle, one that only waits for news is. Some further places
/// are reserved for probes, so that they are answered however full the server is.
struct ConnectionTable: Sendable {
  /// The activity of a connection.
  private enum Stand: Hashable {
    /// Idle state, since a position in the order of all events.
    case resting(since: Int)
    /// A request is being answered.
    case working
    /// State of waiting for news of a render or receiving it; the connection may be displaced at any time.
    case following(since: Int)
  }
  private struct Entry {
    let address: [UInt8]?
    /// True if it has one of the reserved places for probes.
    var isReserved: Bool
    var stand: Stand
    /// Holder of the request: a token's name, or an address if there are no tokens.
    var holder: String?

    var restsSince: Int? { if case .resting(let since) = stand { since } else { nil } }
    var followsSince: Int? { if case .following(let since) = stand { since } else { nil } }
  }
  /// A new connection, and the one that is displaced by it.
  struct Arrival: Hashable, Sendable {
    let id: Int
    var leaving: Leaving?
    var isReserved = false
  }
  /// A connection that is displaced.
  struct Leaving: Hashable, Sendable {
    let id: Int
    /// True if it waits for news, so that its client must be informed of the end.
    let isFollowing: Bool
  }

  private let bounds: ConnectionBounds
  private var entries: [Int: Entry] = [:]
  private var clock = 0

  init(_ bounds: ConnectionBounds) { self.bounds = bounds }

  var count: Int { entries.count }

  /// Number of connections whose requests are being answered.
  var answering: Int { count { $0.restsSince == nil } }

  /// Adds a connection and names the one that it displaces; nil if there is no place.
  ///
  /// A nil address stands for a trusted proxy, whose connections count towards the total only.
  mutating func arrive(from address: [UInt8]?) -> Arrival? {
    if let leaving = place(for: address, isReserved: false) { return enter(address, leaving, isReserved: false) }
    return place(for: address, isReserved: true).map { enter(address, $0, isReserved: true) }
  }

  /// Notes that a request is being answered; false if its connection has only a reserved place for probes.
  mutating func work(_ id: Int) -> Bool {
    guard var entry = entries[id] else { return true }
    entry.stand = .working
    if entry.isReserved, let leaving = place(for: entry.address, isReserved: false), leaving == nil {
      entry.isReserved = false
    }
    entries[id] = entry
    return !entry.isReserved
  }

  /// Notes the holder of the request; false if the holder has reached its limit.
  mutating func identify(_ id: Int, as holder: String) -> Bool {
    guard entries[id] != nil else { return true }
    guard count(where: { $0.holder == holder && $0.restsSince == nil }) < bounds.mostOfHolder else { return false }
    entries[id]?.holder = holder
    return true
  }

  /// Notes that a connection waits for news; returns the one that is displaced for it, which may be the longest
  /// waiting.
  mutating func follow(_ id: Int) -> Leaving? {
    guard let entry = entries[id] else { return nil }
    clock += 1
    entries[id]?.stand = .following(since: clock)
    let own = count { $0.followsSince != nil && $0.holder == entry.holder }
    if own > bounds.followersOfHolder {
      return leave(Self.longestFollowing(of: entries.filter { $0.value.holder == entry.holder }))
    }
    guard count(where: { $0.followsSince != nil }) > bounds.followers else { return nil }
    return leave(Self.longestFollowing(of: entries))
  }

  /// Notes that the answer is complete.
  mutating func rest(_ id: Int) {
    clock += 1
    entries[id]?.stand = .resting(since: clock)
    entries[id]?.holder = nil
  }

  /// Removes a connection that has closed.
  mutating func leave(_ id: Int) { entries[id] = nil }

  private mutating func enter(_ address: [UInt8]?, _ leaving: Leaving?, isReserved: Bool) -> Arrival {
    if let leaving { leave(leaving.id) }
    clock += 1
    entries[clock] = Entry(address: address, isReserved: isReserved, stand: .resting(since: clock), holder: nil)
    return Arrival(id: clock, leaving: leaving, isReserved: isReserved)
  }

  private mutating func leave(_ leaving: Leaving?) -> Leaving? {
    if let leaving { leave(leaving.id) }
    return leaving
  }

  /// A place among the reserved or the other ones, with the connection that is displaced for it; nil if there is none.
  private func place(for address: [UInt8]?, isReserved: Bool) -> Leaving?? {
    let (most, mostOfOne) =
      isReserved ? (bounds.reserve, bounds.reserveOfOne) : (bounds.most, bounds.mostOfOne)
    let others = entries.filter { $0.value.isReserved == isReserved }
    if let address, others.count(where: { $0.value.address == address }) >= mostOfOne {
      return leaving(of: others.filter { $0.value.address == address }).map { .some($0) }
    }
    guard others.count >= most else { return .some(nil) }
    return leaving(of: others).map { .some($0) }
  }

  /// The connection that has been idle longest, of the address with the most; if none is idle, the one waiting longest
  /// for news.
  private func leaving(of entries: [Int: Entry]) -> Leaving? {
    let sizes = entries.values.reduce(into: [[UInt8]: Int]()) { if let own = $1.address { $0[own, default: 0] += 1 } }
    let weight = { (entry: Entry) in entry.address.map { sizes[$0, default: 0] } ?? 0 }
    let resting = entries.filter { $0.value.restsSince != nil }
    // Of whoever has the most of them: one who opens many can only crowd out his own.
    let crowd = resting.values.map(weight).max()
    let oldest = resting.filter { weight($0.value) == crowd }
      .min { $0.value.restsSince ?? 0 < $1.value.restsSince ?? 0 }
    if let oldest { return Leaving(id: oldest.key, isFollowing: false) }
    return Self.longestFollowing(of: entries)
  }

  /// The connection that has waited longest for news, of the token or address with the most of these.
  private static func longestFollowing(of entries: [Int: Entry]) -> Leaving? {
    let following = entries.filter { $0.value.followsSince != nil }
    let sizes = following.values.reduce(into: [String?: Int]()) { $0[$1.holder, default: 0] += 1 }
    let crowd = sizes.values.max()
    let oldest = following.filter { sizes[$0.value.holder] == crowd }
      .min { $0.value.followsSince ?? 0 < $1.value.followsSince ?? 0 }
    return oldest.map { Leaving(id: $0.key, isFollowing: true) }
  }

  private func count(where isMeant: (Entry) -> Bool) -> Int { entries.values.count(where: isMeant) }
}

/// Limits for the number of connections, and for the time that one may make no progress.
struct ConnectionBounds: Sendable {
  /// Connections in total.
  var most = 1000
  /// Connections of one address that isn't a trusted proxy's.
  var mostOfOne = 200
  /// Further connections reserved for probes, and those of one address among them.
  var reserve = 50
  var reserveOfOne = 10
  /// Concurrent requests of one token, or of one address if there are no tokens.
  var mostOfHolder = 500
  /// Connections that wait for news of a render, and those of one token or address.
  var followers = 400
  var followersOfHolder = 100
  /// Seconds for the head of a request, from its first byte or from the connection's beginning.
  var head = 10.0
  /// Seconds within which a client must send more of a body that has begun.
  var body = 30.0
  /// Seconds within which a client must read some of its answer.
  var stall = 60.0
  /// Seconds within which a displaced connection must end.
  var farewell = 2.0
}
