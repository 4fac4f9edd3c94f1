/// What advertisers ask about an ad's motion, as the pictures tell it. Milliseconds since the load began.
package struct MotionSummary: Hashable, Sendable, Codable {
  /// A stretch in which the ad moved without resting as long as `rest`.
  package struct Interval: Hashable, Sendable, Codable {
    package var from: Double
    package var until: Double
    package init(from: Double, until: Double) {
      self.from = from
      self.until = until
    }
  }

  /// The last picture that differed from the one before; nil when none did.
  package var lastChange: Double?
  package var intervals: [Interval]
  /// Since when it has shown its end frame; nil when it moved until hardly before it was left.
  package var endFrame: Double?
  /// Whether it moved later than 15 and than 30 s after its load; nil when it wasn't watched for as long.
  package var movesAfter15: Bool?
  package var movesAfter30: Bool?

  /// What stands still so long has come to rest.
  static let rest = 1_000.0

  /// Of steps in order, watched from one instant until another.
  package init(steps: [MotionMeasure.Step], from: Double, until: Double) {
    lastChange = steps.last?.t
    intervals = steps.reduce(into: []) { intervals, step in
      if let last = intervals.last, step.t - last.until < Self.rest {
        intervals[intervals.count - 1].until = step.t
      } else {
        intervals.append(Interval(from: step.t, until: step.t))
      }
    }
    let still = lastChange ?? from
    endFrame = until - still >= Self.rest ? still : nil
    movesAfter15 = Self.moves(after: 15_000, lastChange, until)
    movesAfter30 = Self.moves(after: 30_000, lastChange, until)
  }

  static func moves(after t: Double, _ lastChange: Double?, _ until: Double) -> Bool? {
    if let lastChange, lastChange > t { return true }
    return until >= t ? false : nil
  }
}
