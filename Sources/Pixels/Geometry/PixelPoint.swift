/// A point in physical pixels; the centre of the first pixel is (0.5, 0.5).
package struct PixelPoint: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Whether neither coordinate is infinite or not a number.
  var isFinite: Bool { x.isFinite && y.isFinite }

  /// How far the point is from the segment between `start` and `end`.
  func distance(toSegment start: PixelPoint, _ end: PixelPoint) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let (px, py) = (x - start.x, y - start.y)
    let squared = dx * dx + dy * dy
    let along = squared > 0 ? min(max((px * dx + py * dy) / squared, 0), 1) : 0
    return PixelPoint(x: px - along * dx, y: py - along * dy).length
  }

  /// The distance from (0, 0).
  var length: Double { (x * x + y * y).squareRoot() }
}
