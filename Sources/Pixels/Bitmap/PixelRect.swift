/// A rectangle of whole physical pixels, from its top-left corner.
package struct PixelRect: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The first column to the right of it; saturates instead of overflowing.
  package var maxX: Int { Self.sum(x, width) }
  /// The first row below it; saturates instead of overflowing.
  package var maxY: Int { Self.sum(y, height) }
  /// Whether it holds no pixel at all, as one with a negative side doesn't.
  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The pixels in both, or nil where there are none.
  package func intersection(_ other: PixelRect) -> PixelRect? {
    guard !isEmpty, !other.isEmpty else { return nil }
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The same rectangle moved.
  package func offset(x dx: Int, y dy: Int) -> PixelRect {
    PixelRect(x: Self.sum(x, dx), y: Self.sum(y, dy), width: width, height: height)
  }

  /// Adds, stopping at the ends of `Int`.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (value, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b > 0 ? .max : .min) : value
  }
}

/// A size in physical pixels.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// How many pixels it holds.
  package var area: Int { width * height }
}

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
