internal import Core

/// Measurements of a render beyond its events, written to `measurements.json` on request; they contain no verdicts.
package struct Measurements: Hashable, Sendable, Codable {
  /// Name of the file in a render's folder.
  package static let fileName = "measurements.json"

  /// Version of this document's format.
  package var schema = Galley.schema
  /// The clock by which the milliseconds are counted.
  private var clock: RenderOptions.Clock
  /// True if responses arrived at defined times of the clock, as over a simulated or recorded network; else nil.
  private var timesNetwork: Bool?
  /// The initial load up to each of the four boundaries, in the order of `LoadBoundary.Kind`.
  package var load: [LoadBoundary]
  /// Time of the page's first own paint, in milliseconds since the load began; nil if there was none.
  private var firstPaint: Double?
  /// Requests of the ad's pages in the order of their start, without data and blob addresses.
  package var resources: [MeasuredResource]
  package var heavyAd: HeavyAdBudget
  /// Media and animations that ran before the ad was first shown; nil if the page couldn't be asked.
  package var beforeShown: EarlyPlayback?
  /// The state of the ad's page at its first screenshots, one for each state.
  package var pages: [PageAudit]
  /// Animated images in the ad; nil if there are none.
  package var images: [ImageMotion]?
  /// Nil if the ad's motion wasn't watched.
  package var motion: MotionMeasure?
  /// Nil if the ad wasn't left alone for a minute, as is the case in real time.
  package var late: LateWatch?

  package init(
    clock: RenderOptions.Clock, load: [LoadBoundary], firstPaint: Double? = nil, resources: [MeasuredResource],
    heavyAd: HeavyAdBudget, beforeShown: EarlyPlayback? = nil, pages: [PageAudit] = [],
    images: [ImageMotion]? = nil, motion: MotionMeasure? = nil, late: LateWatch? = nil, timesNetwork: Bool = false
  ) {
    self.clock = clock
    self.timesNetwork = timesNetwork ? true : nil
    self.load = load
    self.firstPaint = firstPaint
    self.resources = resources
    self.heavyAd = heavyAd
    self.beforeShown = beforeShown
    self.pages = pages
    self.images = images
    self.motion = motion
    self.late = late
  }
}

extension Measurements {
  /// Indicates if loading took time of the clock. In virtual time only a simulated or recorded network takes any.
  package var isLoadTimed: Bool {
    clock == .real || timesNetwork == true && resources.contains { $0.origin == .network && $0.part == nil }
  }
}

/// Media and animations of an ad that already ran while it was invisible.
package struct EarlyPlayback: Hashable, Sendable, Codable {
  /// Number of videos and sounds that had begun.
  package var media: Int
  /// Number of running animations.
  private var animations: Int

  package init(media: Int, animations: Int) {
    self.media = media
    self.animations = animations
  }
}

/// An instant at which some rule ends the initial load, with the requests before and after it.
package struct LoadBoundary: Hashable, Sendable, Codable {
  /// Rules for the end of the initial load; creativeqa.io, AdValify, the IAB and OVK each have another.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case domContentLoaded
    /// One second after `domContentLoaded`.
    case domContentLoadedAndOneSecond
    /// The window's `load` event.
    case windowLoad
    /// `document.readyState` became `complete`.
    case complete
  }

  package var kind: Kind
  /// Time of the boundary, in milliseconds since the load began; nil if it was never reached.
  package var t: Double?
  /// Requests up to the boundary; all requests if it was never reached.
  package var initial: LoadWeight
  /// Requests after the boundary.
  package var subload: LoadWeight

  private init(kind: Kind, t: Double?, initial: LoadWeight, subload: LoadWeight) {
    self.kind = kind
    self.t = t
    self.initial = initial
    self.subload = subload
  }

  /// Divides the resources at `t` by the start of each request.
  package init(kind: Kind, t: Double?, dividing resources: [MeasuredResource]) {
    let isEarly = { (resource: MeasuredResource) in t.map { resource.start <= $0 } ?? true }
    self.init(
      kind: kind, t: t, initial: LoadWeight(resources.filter(isEarly)),
      subload: LoadWeight(resources.filter { !isEarly($0) }))
  }
}

extension LoadBoundary {
  /// Makes all four boundaries from the three times that the page reports.
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
