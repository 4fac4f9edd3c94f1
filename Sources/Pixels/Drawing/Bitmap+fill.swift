extension Bitmap {
  /// Lays a colour over the part of `rect` inside the bitmap; an opaque colour replaces what was there.
  package mutating func fill(_ rect: PixelRect, _ color: Color) {
    guard color.premultiplied != 0, let area = bounds.intersection(rect) else { return }
    withRows(of: area) { row, _ in
      if color.isOpaque {
        row.update(repeating: color.premultiplied, count: area.width)
      } else {
        SourceOver.blend(color, over: row, count: area.width)
      }
    }
  }

  /// Lays a colour over a rectangle whose corners are quarter circles of `radius` pixels, with smooth edges.
  package mutating func fillRoundedRect(_ rect: PixelRect, radius: Double, color: Color) {
    guard !rect.isEmpty else { return }
    let radius = min(radius, Double(min(rect.width, rect.height)) / 2)
    guard radius > 0 else { return fill(rect, color) }

    let side = Int(radius.rounded(.up))
    let (lower, right) = (max(rect.y + side, rect.maxY - side), max(rect.x + side, rect.maxX - side))
    fill(PixelRect(x: rect.x, y: rect.y + side, width: rect.width, height: lower - rect.y - side), color)
    for (top, bottom) in [(rect.y, rect.y + side), (lower, rect.maxY)] {
      let height = bottom - top
      fill(PixelRect(x: rect.x + side, y: top, width: right - rect.x - side, height: height), color)
      for (left, end) in [(rect.x, rect.x + side), (right, rect.maxX)] {
        let corner = PixelRect(x: left, y: top, width: end - left, height: height)
        shade(corner, color) { Self.coverage(of: $0, inRounded: rect, radius: radius) }
      }
    }
  }

  /// How much of the pixel around `point` a rounded rectangle covers, 0 to 1.
  private static func coverage(of point: PixelPoint, inRounded rect: PixelRect, radius: Double) -> Double {
    let (halfWidth, halfHeight) = (Double(rect.width) / 2, Double(rect.height) / 2)
    let dx = abs(point.x - Double(rect.x) - halfWidth) - (halfWidth - radius)
    let dy = abs(point.y - Double(rect.y) - halfHeight) - (halfHeight - radius)
    let outside = PixelPoint(x: max(dx, 0), y: max(dy, 0)).length
    return 0.5 + radius - outside - min(max(dx, dy), 0)
  }
}
