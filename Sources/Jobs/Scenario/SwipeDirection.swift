package import MRAID

/// Where a finger goes; what it moves follows it.
package enum SwipeDirection: String, Hashable, Sendable, Codable, CaseIterable {
  case left, right, up, down

  /// The share of a width or height a swipe leaves out at either end.
  private static let margin = 0.15

  /// How much of a surface's width or height a swipe over it crosses.
  package static let stroke = 1 - 2 * margin

  /// Where a finger goes down and up again to swipe over a surface, through its middle.
  package func path(over surface: Rect) -> (from: Point, to: Point) {
    let middle = Point(x: surface.x + surface.width / 2, y: surface.y + surface.height / 2)
    let (left, right) = (surface.x + surface.width * Self.margin, surface.x + surface.width * (1 - Self.margin))
    let (top, bottom) = (surface.y + surface.height * Self.margin, surface.y + surface.height * (1 - Self.margin))
    return switch self {
    case .left: (Point(x: right, y: middle.y), Point(x: left, y: middle.y))
    case .right: (Point(x: left, y: middle.y), Point(x: right, y: middle.y))
    case .up: (Point(x: middle.x, y: bottom), Point(x: middle.x, y: top))
    case .down: (Point(x: middle.x, y: top), Point(x: middle.x, y: bottom))
    }
  }
}
