internal import MRAID
internal import Pixels

/// A bitmap that is drawn on in dip.
struct Canvas: Sendable {
  private(set) var bitmap: Bitmap
  let grid: PixelGrid

  init(size: Size, grid: PixelGrid, fill color: Color) {
    let area = grid.area(Rect(origin: .zero, size: size))
    bitmap = Bitmap(width: area.width, height: area.height, fill: color)
    self.grid = grid
  }

  /// Lays a colour over a rectangle; `radius` in dip rounds its corners.
  mutating func fill(_ rect: Rect, _ color: Color, radius: Double = 0) {
    bitmap.fillRoundedRect(grid.area(rect), radius: radius * Double(grid.scale), color: color)
  }

  /// Lays a colour over a disc.
  mutating func disc(_ center: Point, radius: Double, _ color: Color) {
    bitmap.fillCircle(center: grid.point(center), radius: radius * Double(grid.scale), color: color)
  }

  /// Draws a line with round ends.
  mutating func line(from start: Point, to end: Point, width: Double, _ color: Color) {
    bitmap.strokeLine(
      from: grid.point(start), to: grid.point(end), width: width * Double(grid.scale), color: color)
  }

  /// Lays a colour over a polygon.
  mutating func polygon(_ corners: [Point], _ color: Color) {
    bitmap.fillPolygon(corners.map(grid.point), color: color)
  }

  /// Lays a view's picture into its frame, cut to `clip`; one that is a pixel or two short repeats its last ones.
  mutating func picture(_ source: Bitmap, in frame: Rect, clip: Rect) {
    let target = grid.frame(frame)
    guard let shown = target.intersection(grid.area(clip)) else { return }
    bitmap.blit(source, x: target.x, y: target.y, clip: shown)

    let short = (x: target.width - source.width, y: target.height - source.height)
    let dx = (1...2).contains(short.x) ? short.x : 0
    let dy = (1...2).contains(short.y) ? short.y : 0
    let right = PixelRect(x: target.maxX - dx, y: target.y, width: dx, height: target.height - dy)
    let bottom = PixelRect(x: target.x, y: target.maxY - dy, width: target.width - dx, height: dy)
    let corner = PixelRect(x: right.x, y: bottom.y, width: dx, height: dy)
    for (strip, x, y) in [(right, dx, 0), (bottom, 0, dy), (corner, dx, dy)] {
      guard let strip = strip.intersection(shown) else { continue }
      bitmap.blit(source, x: target.x + x, y: target.y + y, clip: strip)
    }
  }
}
