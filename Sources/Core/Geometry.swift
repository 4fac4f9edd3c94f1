/// A place in density-independent pixels (dip), x to the right and y down.
package struct Point: Hashable, Sendable, Codable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The top-left corner.
  package static let zero = Point(x: 0, y: 0)
}

/// A width and a height in density-independent pixels (dip).
package struct Size: Hashable, Sendable, Codable {
  package var width: Double
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// No area at all; the size of an ad that isn't laid out yet.
  package static let zero = Size(width: 0, height: 0)

  /// The same size after a quarter turn.
  package var turned: Size { Size(width: height, height: width) }

  /// Area in square dip.
  package var area: Double { width * height }
}

extension Size: CustomStringConvertible {
  /// `320x50`, as the command line writes sizes.
  package var description: String { "\(width.plain)x\(height.plain)" }

  /// Reads a size such as `320x50`, each side from 1 to 10000; nil for any other text.
  package init?(slot text: String) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let sides = parts.compactMap { $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil }
    guard parts.count == 2, sides.count == 2, sides.allSatisfy((1...10_000).contains) else { return nil }
    self.init(width: Double(sides[0]), height: Double(sides[1]))
  }
}

/// A rectangle in density-independent pixels (dip), from its top-left corner; written flat in JSON as MRAID does.
package struct Rect: Hashable, Sendable, Codable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package init(origin: Point, size: Size) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  package var origin: Point { Point(x: x, y: y) }
  package var size: Size { Size(width: width, height: height) }
  package var maxX: Double { x + width }
  package var maxY: Double { y + height }
  package var area: Double { width * height }
  package var isEmpty: Bool { width <= 0 || height <= 0 }
  package var center: Point { Point(x: x + width / 2, y: y + height / 2) }

  /// The part that both cover, or nil where they share no area.
  package func intersection(_ other: Rect) -> Rect? {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Indicates if `other` lies wholly inside; shared edges count as inside.
  package func contains(_ other: Rect) -> Bool {
    other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
  }

  /// Indicates if the point is inside; the right and bottom edges are outside.
  package func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// The same rectangle moved.
  package func offset(x dx: Double, y dy: Double) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width, height: height)
  }
}

extension Size {
  /// `{width, height}`, as MRAID's getters return it.
  package var json: JSONValue { ["width": .number(width), "height": .number(height)] }
}

extension Rect {
  /// `{x, y, width, height}`, as MRAID's getters return it.
  package var json: JSONValue {
    ["x": .number(x), "y": .number(y), "width": .number(width), "height": .number(height)]
  }
}

/// Orientation of the app on the screen.
package enum AppOrientation: String, Sendable, Codable, CaseIterable {
  case portrait, landscape
}
