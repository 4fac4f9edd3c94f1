/// How the ad's picture changed while it was watched in its first state, before anybody touched it.
///
/// Every second dip of each row and column is looked at, some times a second.
package struct MotionMeasure: Hashable, Sendable, Codable {
  /// A picture that differed from the one before.
  package struct Step: Hashable, Sendable, Codable {
    /// Milliseconds since the load began.
    package var t: Double
    /// Which part of the ad changed, from 0 to 1.
    package var share: Double
    package init(t: Double, share: Double) {
      self.t = t
      self.share = share
    }
  }

  /// Milliseconds after the load began of the first and last picture.
  package var from: Double
  package var until: Double
  /// Pictures taken.
  package var pictures: Int
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
    from: Double, until: Double, pictures: Int, steps: [Step], isBlank: Bool = false,
    endsBlank: Bool? = nil,
    flashes: FlashMeasure = FlashMeasure()
  ) {
    self.from = from
    self.until = until
    self.pictures = pictures
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
