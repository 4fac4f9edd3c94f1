/// Flashes as WCAG 2.3.1 counts them, approximately: pairs of opposing changes of luminance by a tenth or more, the
/// darker below 0.8.
package struct FlashMeasure: Hashable, Sendable, Codable {
  /// All that were seen.
  package var count: Int
  /// The most within any second.
  package var mostInOneSecond: Int
  /// Milliseconds after the load where that second begins; nil when nothing flashed.
  package var worstFrom: Double?
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
