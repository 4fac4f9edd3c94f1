internal import Core

/// What a render measured beyond its events, written as `measurements.json` when it was asked to; nothing is judged.
package struct Measurements: Hashable, Sendable, Codable {
  /// Where a render leaves it, in its folder.
  package static let fileName = "measurements.json"

  /// The version of this document's shape.
  package var schema = Galley.schema
  /// Which time the milliseconds are of.
  private var clock: RenderOptions.Clock
  /// The initial load by each of the four boundaries, in the order of `LoadBoundary.Kind`.
  package var load: [LoadBoundary]
  /// When the page first painted something of its own, in milliseconds since the load began; nil when it hadn't.
  private var firstPaint: Double?
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
  private var animations: Int

  package init(media: Int, animations: Int) {
    self.media = media
    self.animations = animations
  }
}

/// One of the instants that somebody ends the initial load at, and what lies before and after it.
package struct LoadBoundary: Hashable, Sendable, Codable {
  /// Whose rule it is differs: creativeqa.io, AdValify, the IAB and OVK each have one.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case domContentLoaded
    /// A second after it.
    case domContentLoadedAndOneSecond
    /// The window's `load` event.
    case windowLoad
    /// `document.readyState` is `complete`.
    case complete
  }

  package var kind: Kind
  /// Milliseconds since the load began; nil when it never came.
  package var t: Double?
  /// What was asked for by then; everything when it never came.
  package var initial: LoadWeight
  /// What was asked for later.
  package var subload: LoadWeight

  private init(kind: Kind, t: Double?, initial: LoadWeight, subload: LoadWeight) {
    self.kind = kind
    self.t = t
    self.initial = initial
    self.subload = subload
  }

  /// Divides the resources at `t`, by when each was asked for.
  package init(kind: Kind, t: Double?, dividing resources: [MeasuredResource]) {
    let isEarly = { (resource: MeasuredResource) in t.map { resource.start <= $0 } ?? true }
    self.init(
      kind: kind, t: t, initial: LoadWeight(resources.filter(isEarly)),
      subload: LoadWeight(resources.filter { !isEarly($0) }))
  }
}

extension LoadBoundary {
  /// All four, from the three that the page tells.
  package static func all(
    domContentLoaded: Double?, windowLoad: Double?, complete: Double?, dividing resources: [MeasuredResource]
  ) -> [LoadBoundary] {
    let timestamps: [(Kind, Double?)] = [
      (.domContentLoaded, domContentLoaded),
      (.domContentLoadedAndOneSecond, domContentLoaded.map { $0 + 1_000 }),
      (.windowLoad, windowLoad), (.complete, complete),
    ]
    return timestamps.map { LoadBoundary(kind: $0, t: $1, dividing: resources) }
  }
}
