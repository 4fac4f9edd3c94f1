internal import Core
package import Recordings

/// Schedule, in the render's time, of the data that a recorder sends: with the recorded timing or that of a slow
/// network.
///
/// The network is one line: transfers at the same time share it piece by piece.
package struct NetworkSchedule: Sendable {
  private struct Entry {
    var piece: ScheduledChunk
    var at: Duration
  }

  private let profile: NetworkProfile?
  /// Pieces that have arrived and have no instant yet, in any order.
  private var arrived: [ScheduledChunk] = []
  private var waiting: [Entry] = []
  /// Instant from which the line is free.
  private var free = Duration.zero
  /// State of the pseudorandom numbers for losses, with a fixed seed so that each run loses the same pieces.
  private var chance: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init(profile: NetworkProfile?) { self.profile = profile }

  package mutating func add(_ piece: ScheduledChunk) { arrived.append(piece) }

  package mutating func remove(_ piece: Int) {
    arrived.removeAll { $0.piece == piece }
    waiting.removeAll { $0.piece.piece == piece }
  }

  /// Assigns instants to the pieces that have arrived, in an order that doesn't depend on their order of arrival.
  package mutating func place(at now: Duration) {
    for piece in arrived.sorted(by: Self.isBefore) {
      waiting.append(Entry(piece: piece, at: instant(of: piece, now)))
    }
    arrived = []
  }

  /// Instant at which the next piece is due; nil for none.
  package var next: Duration? { waiting.map(\.at).min() }

  /// Indicates that no piece waits.
  package var isEmpty: Bool { arrived.isEmpty && waiting.isEmpty }

  /// Indicates if a piece that matches waits.
  package func has(_ isMeant: (ScheduledChunk) -> Bool) -> Bool {
    arrived.contains(where: isMeant) || waiting.contains { isMeant($0.piece) }
  }

  /// Removes and returns the first piece due by now, or nil; `isLost` is true if the network is offline by its instant.
  package mutating func takeDue(at now: Duration) -> (piece: ScheduledChunk, isLost: Bool)? {
    let first = waiting.indices.min { ($0 == $1) ? false : isEarlier(waiting[$0], waiting[$1]) }
    guard let first, waiting[first].at <= now else { return nil }
    let entry = waiting.remove(at: first)
    let isLost = profile?.offlineAfter.map { entry.at >= Bounded.seconds($0) } ?? false
    return (entry.piece, isLost)
  }

  private func isEarlier(_ one: Entry, _ other: Entry) -> Bool {
    one.at == other.at ? Self.isBefore(one.piece, other.piece) : one.at < other.at
  }

  private static func isBefore(_ one: ScheduledChunk, _ other: ScheduledChunk) -> Bool {
    (one.exchange, one.order, one.piece) < (other.exchange, other.order, other.piece)
  }

  private mutating func instant(of piece: ScheduledChunk, _ now: Duration) -> Duration {
    guard let profile else { return now + Bounded.milliseconds(piece.after) }
    // Trips there and back: to connect, to agree on TLS 1.3, and to ask.
    let trips: Double =
      switch piece.kind {
      case .firstHead: 2
      case .firstSecureHead: 3
      case .head: 1
      case .body: 0
      }
    var at = now + Bounded.seconds(profile.latency * trips)
    if profile.loss > 0, isLost(profile.loss) { at += Bounded.seconds(max(0.2, 2 * profile.latency)) }
    guard piece.bytes > 0, let rate = profile.down, rate > 0 else { return at }
    free = max(at, free) + Bounded.seconds(Double(piece.bytes) / rate)
    return free
  }

  /// Decides if a piece is lost, by xorshift, which suffices for reproducible chance.
  private mutating func isLost(_ share: Double) -> Bool {
    chance ^= chance << 13
    chance ^= chance >> 7
    chance ^= chance << 17
    return Double(chance >> 11) / Double(1 << 53) < share
  }
}
