/// Changes of the ad's image while it was watched in its first state, before any touch.
///
/// Every second dip of each row and column is compared, several times a second.
package struct MotionMeasure: Hashable, Sendable, Codable {
  /// An image that differed from the one before.
  package struct Step: Hashable, Sendable, Codable {
    /// Milliseconds since the load began.
    package var t: Double
    /// Changed share of the ad, from 0 to 1.
    private var share: Double
    package init(t: Double, share: Double) {
      self.t = t
      self.share = share
    }
  }

  /// Times of the first and last image, in milliseconds since the load began.
  package var from: Double
  package var until: Double
  /// Number of images.
  package var frames: Int
  /// Images that differed from the one before, in order.
  package var steps: [Step]
  /// Indicates if every image showed one colour only.
  package var isBlank: Bool
  /// Indicates if the last image showed one colour only; nil if it wasn't examined.
  package var endsBlank: Bool?
  package var flashes: FlashMeasure
  /// Summary of the steps; nil in measurements of older versions.
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
  /// Time of the last change, in milliseconds since the load began; nil if nothing changed.
  package var lastChange: Double? { steps.last?.t }
  /// Indicates if it moved later than `t` milliseconds after the load; nil if it wasn't watched for that long.
  package func moves(after t: Double) -> Bool? {
    MotionSummary.moves(after: t, lastChange, until)
  }
}

/// Facts about an ad's motion that advertisers ask for, derived from its images.
///
/// Times are in milliseconds since the load began.
package struct MotionSummary: Hashable, Sendable, Codable {
  /// An interval in which the ad moved without pausing for as long as `rest`.
  package struct Interval: Hashable, Sendable, Codable {
    private var from: Double
    package var until: Double
    package init(from: Double, until: Double) {
      self.from = from
      self.until = until
    }
  }

  /// Time of the last image that differed from the one before; nil if none did.
  package var lastChange: Double?
  package var intervals: [Interval]
  /// Time since which it shows its end frame; nil if it moved almost until the watching ended.
  package var endFrame: Double?
  /// Indicates if it moved later than 15 s and 30 s after the load; nil if it wasn't watched for that long.
  package var movesAfter15: Bool?
  package var movesAfter30: Bool?

  /// Milliseconds without change after which the ad counts as at rest.
  private static let rest = 1_000.0

  /// Summarizes steps in order, watched from one instant until another.
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

/// Flashes as counted by WCAG 2.3.1, approximately.
///
/// A flash is a pair of opposing changes of luminance by a tenth or more, the darker state below 0.8.
package struct FlashMeasure: Hashable, Sendable, Codable {
  /// Total number of flashes.
  package var count: Int
  /// Largest number within any second.
  package var mostInOneSecond: Int
  /// Start of that second, in milliseconds since the load began; nil if nothing flashed.
  private var worstFrom: Double?
  /// The largest area that flashed at once, in dip², and as a share of the ad.
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
