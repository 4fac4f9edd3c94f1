/// How much of the ad can be seen, as `exposureChange` reports it (MRAID 3.0 §7).
package struct Exposure: Hashable, Sendable, Codable {
  /// 0.0–100.0, of the ad's own area.
  package var exposedPercentage: Double
  /// The visible part, from the ad container's top-left; nil when nothing is visible.
  package var visibleRectangle: Rect?
  /// What covers the visible rectangle: not overlapping, largest first; nil when nothing does.
  package var occlusionRectangles: [Rect]?

  package init(exposedPercentage: Double, visibleRectangle: Rect?, occlusionRectangles: [Rect]? = nil) {
    self.exposedPercentage = exposedPercentage
    self.visibleRectangle = visibleRectangle
    self.occlusionRectangles = occlusionRectangles
  }

  /// Nothing of the ad can be seen.
  package static let none = Exposure(exposedPercentage: 0, visibleRectangle: nil)
}
