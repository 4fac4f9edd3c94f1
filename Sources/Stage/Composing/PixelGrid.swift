internal import Core
internal import MRAID
internal import Pixels

/// Turns dip into physical pixels.
struct PixelGrid: Sendable {
  /// Pixels per dip.
  let scale: Int

  /// A drawn area: each edge goes to the nearest pixel border, so neighbours touch without a gap.
  func area(_ rect: Rect) -> PixelRect {
    let (left, top) = (pixels(rect.x), pixels(rect.y))
    return PixelRect(x: left, y: top, width: pixels(rect.maxX) - left, height: pixels(rect.maxY) - top)
  }

  /// A view's area: corner and size go to whole pixels each for itself, so it's as large as the view's picture.
  func frame(_ rect: Rect) -> PixelRect {
    PixelRect(x: pixels(rect.x), y: pixels(rect.y), width: pixels(rect.width), height: pixels(rect.height))
  }

  /// A place between pixels.
  func point(_ point: Point) -> PixelPoint {
    PixelPoint(x: point.x * Double(scale), y: point.y * Double(scale))
  }

  /// A length to the nearest whole pixel; absurd ones are cut so that they stay numbers.
  func pixels(_ length: Double) -> Int {
    guard length.isFinite else { return 0 }
    return Bounded.int(length * Double(scale), in: -1_000_000_000...1_000_000_000)
  }
}
