/// How the ad's picture changed while it was watched in its first state, before anybody touched it.
///
/// Every second dip of each row and column is looked at, some times a second.
package struct MotionMeasure: Hashable, Sendable, Codable {
  /// A picture that differed from the one before.
  package struct Step: Hashable, Sendable, Codable {
    /// Milliseconds since the load began.
    package var t: Double
    /// Which part of the ad changed, from 0 to 1.
    private var share: Double
    package init(t: Double, share: Double) {
      self.t = t
      self.share = share
    }
  }

  /// Milliseconds after the load began of the first and last picture.
  package var from: Double
  package var until: Double
  /// Pictures taken.
  package var frames: Int
  /// Those that differed from the one before, in order.
  package var steps: [Step]
  /// Whether every picture showed one colour only.
  package var isBlank: Bool
  /// Whether the last picture did; nil where nobody looked.
  package var endsBlank: Bool?
  package var flashes: FlashMeasure
  /// What the steps come to; nil in measurements of older versions.
  package var summary: MotionSummary?

  package init(
    from: Double, until: Double, frames: Int, steps: [Step], isBlank: Bool = false,
    endsBlank: Bool? = nil,
    flashes: FlashMeasure = FlashMeasure()
  ) {
    self.from = from
    self.until = until
    self.frames = frames
    self.steps = steps
    self.isBlank = isBlank
    self.endsBlank = endsBlank
    self.flashes = flashes
    summary = MotionSummary(steps: steps, from: from, until: until)
  }
}

extension MotionMeasure {
  /// When it last moved.
  package var lastChange: Double? { steps.last?.t }
  /// Whether it moved later than so many milliseconds after the load; nil when it wasn't watched for as long.
  package func moves(after t: Double) -> Bool? {
    MotionSummary.moves(after: t, lastChange, until)
  }
}

/// What advertisers ask about an ad's motion, as the pictures tell it. Milliseconds since the load began.
package struct MotionSummary: Hashable, Sendable, Codable {
  /// A stretch in which the ad moved without resting as long as `rest`.
  package struct Interval: Hashable, Sendable, Codable {
    private var from: Double
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
  private static let rest = 1_000.0

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

/// Flashes as WCAG 2.3.1 counts them, approximately: pairs of opposing changes of luminance by a tenth or more, the
/// darker below 0.8.
package struct FlashMeasure: Hashable, Sendable, Codable {
  /// All that were seen.
  package var count: Int
  /// The most within any second.
  package var mostInOneSecond: Int
  /// Milliseconds after the load where that second begins; nil when nothing flashed.
  private var worstFrom: Double?
  /// The largest area that flashed at once, in dip², and as a part of the ad.
  package var area: Double
  package var share: Double

  package init(
    count: Int = 0, mostInOneSecond: Int = 0, worstFrom: Double? = nil, area: Double = 0, share: Double = 0
  ) {
    self.count = count
    self.mostInOneSecond = mostInOneSecond
    self.worstFrom = worstFrom
    self.area = area
    self.share = share
  }
}
