/// Rectangle of whole physical pixels, given by its top-left corner.
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

  /// First column to the right of it; saturates instead of overflowing.
  package var maxX: Int { Self.sum(x, width) }
  /// First row below it; saturates instead of overflowing.
  package var maxY: Int { Self.sum(y, height) }
  /// Indicates if it contains no pixel; true for one with a negative side.
  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Returns the pixels in both rectangles; nil if there are none.
  package func intersection(_ other: PixelRect) -> PixelRect? {
    guard !isEmpty, !other.isEmpty else { return nil }
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the rectangle moved by this distance.
  package func offset(x dx: Int, y dy: Int) -> PixelRect {
    PixelRect(x: Self.sum(x, dx), y: Self.sum(y, dy), width: width, height: height)
  }

  /// Adds, limited to the range of `Int`.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (value, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b > 0 ? .max : .min) : value
  }
}

/// Size in physical pixels.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Number of pixels.
  package var area: Int { width * height }
}

/// Point in physical pixels; the centre of the first pixel is (0.5, 0.5).
package struct PixelPoint: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Indicates if both coordinates are finite numbers.
  var isFinite: Bool { x.isFinite && y.isFinite }

  /// Returns the distance from the point to the segment between `start` and `end`.
  func distance(toSegment start: PixelPoint, _ end: PixelPoint) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let (px, py) = (x - start.x, y - start.y)
    let squared = dx * dx + dy * dy
    let along = squared > 0 ? min(max((px * dx + py * dy) / squared, 0), 1) : 0
    return PixelPoint(x: px - along * dx, y: py - along * dy).length
  }

  /// Distance from (0, 0).
  var length: Double { (x * x + y * y).squareRoot() }
}
