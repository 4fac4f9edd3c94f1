/// What a render measured beyond its events, written as `measurements.json` when it was asked to; nothing is judged.
package struct Measurements: Hashable, Sendable, Codable {
  /// Where a render leaves it, in its folder.
  package static let fileName = "measurements.json"

  /// The version of this document's shape.
  package var schema = 1
  /// Which time the milliseconds are of.
  package var clock: RenderOptions.Clock
  /// The initial load by each of the four boundaries, in the order of `LoadBoundary.Kind`.
  package var load: [LoadBoundary]
  /// When the page first painted something of its own, in milliseconds since the load began; nil when it hadn't.
  package var firstPaint: Double?
  /// What the ad's pages asked for, in the order of the asking; data and blob addresses left out.
  package var resources: [MeasuredResource]
  package var heavyAd: HeavyAdBudget
  /// What played before the ad was first shown; nil when that couldn't be asked.
  package var beforeShown: EarlyPlayback?
  /// The ad's page as it stood in each of its first pictures, one a state.
  package var pages: [PageAudit]
  /// Nil when nothing was watched.
  package var motion: MotionMeasure?

  package init(
    clock: RenderOptions.Clock, load: [LoadBoundary], firstPaint: Double? = nil, resources: [MeasuredResource],
    heavyAd: HeavyAdBudget, beforeShown: EarlyPlayback? = nil, pages: [PageAudit] = [], motion: MotionMeasure? = nil
  ) {
    self.clock = clock
    self.load = load
    self.firstPaint = firstPaint
    self.resources = resources
    self.heavyAd = heavyAd
    self.beforeShown = beforeShown
    self.pages = pages
    self.motion = motion
  }
}

/// What of an ad already ran when nobody could see it yet.
package struct EarlyPlayback: Hashable, Sendable, Codable {
  /// Films and sounds that had begun.
  package var media: Int
  /// Animations that ran.
  package var animations: Int

  package init(media: Int, animations: Int) {
    self.media = media
    self.animations = animations
  }
}
