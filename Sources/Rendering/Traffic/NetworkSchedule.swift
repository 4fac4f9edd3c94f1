internal import Core
internal import Recordings

/// When what a recorder has to send is sent, by the render's time: as it was recorded, or as a slow network would.
///
/// The network is one line: what is on its way at the same time shares it, part by part.
struct NetworkSchedule {
  private struct Entry {
    var piece: DuePiece
    var at: Duration
  }

  private let profile: NetworkProfile?
  /// What has come and has no instant yet; in any order.
  private var arrived: [DuePiece] = []
  private var waiting: [Entry] = []
  /// When the line is free.
  private var free = Duration.zero
  /// What is lost is the same each time.
  private var chance: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(profile: NetworkProfile?) { self.profile = profile }

  mutating func add(_ piece: DuePiece) { arrived.append(piece) }

  mutating func remove(_ piece: Int) {
    arrived.removeAll { $0.piece == piece }
    waiting.removeAll { $0.piece.piece == piece }
  }

  /// Gives what has come at this instant its own, in an order that doesn't depend on who was faster.
  mutating func place(at now: Duration) {
    for piece in arrived.sorted(by: Self.isBefore) {
      waiting.append(Entry(piece: piece, at: instant(of: piece, now)))
    }
    arrived = []
  }

  /// When the next is due; nil for none.
  var next: Duration? { waiting.map(\.at).min() }

  /// Whether nothing waits.
  var isEmpty: Bool { arrived.isEmpty && waiting.isEmpty }

  /// Whether something of this kind waits.
  func has(_ isMeant: (DuePiece) -> Bool) -> Bool { arrived.contains(where: isMeant) || waiting.contains { isMeant($0.piece) } }

  /// Takes the first that is due by now, and whether the network is gone by its instant.
  mutating func takeDue(at now: Duration) -> (piece: DuePiece, isLost: Bool)? {
    let first = waiting.indices.min { ($0 == $1) ? false : isEarlier(waiting[$0], waiting[$1]) }
    guard let first, waiting[first].at <= now else { return nil }
    let entry = waiting.remove(at: first)
    let isLost = profile?.offlineAfter.map { entry.at >= Bounded.seconds($0) } ?? false
    return (entry.piece, isLost)
  }

  private func isEarlier(_ one: Entry, _ other: Entry) -> Bool {
    one.at == other.at ? Self.isBefore(one.piece, other.piece) : one.at < other.at
  }

  private static func isBefore(_ one: DuePiece, _ other: DuePiece) -> Bool {
    (one.exchange, one.order, one.piece) < (other.exchange, other.order, other.piece)
  }

  private mutating func instant(of piece: DuePiece, _ now: Duration) -> Duration {
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

  /// By xorshift, which is enough for chance that has to come again.
  private mutating func isLost(_ share: Double) -> Bool {
    chance ^= chance << 13
    chance ^= chance >> 7
    chance ^= chance << 17
    return Double(chance >> 11) / Double(1 << 53) < share
  }
}
