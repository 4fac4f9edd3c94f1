internal import Core
internal import Jobs
internal import ServiceStore

/// How a render ended, and whom to tell.
struct Outcome: Sendable {
  let id: String
  let ending: Ending
  /// The address to tell; nil for the one in the request, if any.
  let callback: String?
}

/// Outcomes that couldn't be written down, as on a full disk: kept in memory until they can, tried less and less often.
struct OutcomeShelf: Sendable {
  /// Why the latest attempt failed.
  private var fault: Fault?
  private var kept: [Outcome] = []
  private var next = ContinuousClock.now
  private var pause = OutcomeShelf.shortest
  private static let shortest = Duration.seconds(1)
  /// The longest pause between two attempts.
  static let longest = Duration.seconds(30)

  var count: Int { kept.count }

  /// Why a render's outcome couldn't be written down; nil when it was, or has none.
  func fault(of id: String) -> Fault? { kept.contains { $0.id == id } ? fault : nil }

  /// Keeps one; the first that a render ended with counts.
  mutating func keep(_ outcome: Outcome, because fault: Fault, at instant: ContinuousClock.Instant) {
    if kept.isEmpty { (next, pause) = (instant + Self.shortest, Self.shortest) }
    if !kept.contains(where: { $0.id == outcome.id }) { kept.append(outcome) }
    self.fault = fault
  }

  /// What is worth an attempt, in the order in which it ended.
  func due(at instant: ContinuousClock.Instant) -> [Outcome] { instant < next ? [] : kept }

  /// It still can't be written down.
  mutating func wait(because fault: Fault, at instant: ContinuousClock.Instant) {
    self.fault = fault
    pause = min(pause * 2, Self.longest)
    next = instant + pause
  }

  /// It is written down.
  mutating func remove(_ id: String) {
    kept.removeAll { $0.id == id }
    pause = Self.shortest
  }
}
