internal import Core
internal import Pixels

/// A bitmap with drawing operations in dip.
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

  /// Draws a view's image into its frame, clipped to `clip`; one that is a pixel or two short repeats its last pixels.
  mutating func image(_ source: Bitmap, in frame: Rect, clip: Rect) {
    bitmap.draw(source, in: grid.frame(frame), clip: grid.area(clip))
  }
}

extension Bitmap {
  /// Draws a view's image into its frame, clipped to `clip`; one that is a pixel or two short repeats its last pixels.
  mutating func draw(_ source: Bitmap, in target: PixelRect, clip: PixelRect) {
    guard let shown = target.intersection(clip) else { return }
    blit(source, x: target.x, y: target.y, clip: shown)

    let short = (x: target.width - source.width, y: target.height - source.height)
    let dx = (1...2).contains(short.x) ? short.x : 0
    let dy = (1...2).contains(short.y) ? short.y : 0
    let right = PixelRect(x: target.maxX - dx, y: target.y, width: dx, height: target.height - dy)
    let bottom = PixelRect(x: target.x, y: target.maxY - dy, width: target.width - dx, height: dy)
    let corner = PixelRect(x: right.x, y: bottom.y, width: dx, height: dy)
    for (strip, x, y) in [(right, dx, 0), (bottom, 0, dy), (corner, dx, dy)] {
      guard let strip = strip.intersection(shown) else { continue }
      blit(source, x: target.x + x, y: target.y + y, clip: strip)
    }
  }
}

extension Canvas {
  /// Draws the host's close control: a 30 dip disc in the middle of its region, legible on any creative.
  mutating func closeControl(in region: Rect) {
    let (center, arm) = (region.center, 5.0)
    disc(center, radius: 15, Palette.closeRim)
    disc(center, radius: 14, Palette.closeDisc)
    for (dx, dy) in [(arm, arm), (arm, -arm)] {
      line(
        from: Point(x: center.x - dx, y: center.y - dy), to: Point(x: center.x + dx, y: center.y + dy), width: 2.2,
        Palette.closeCross)
    }
  }

  /// Draws a browser's toolbar with an address field that leaves both ends free for controls.
  mutating func browserToolbar(in frame: Rect) {
    let bar = Rect(x: frame.x, y: frame.y, width: frame.width, height: Layer.browserToolbarHeight)
    fill(bar, Palette.chrome)
    fill(Rect(x: bar.x, y: bar.maxY - 1, width: bar.width, height: 1), Palette.hairline)
    let field = bar.inset(by: Insets(top: 9, left: 58, bottom: 9, right: 58))
    fill(field, Palette.image, radius: 10)
    let text = Rect(x: 0, y: field.center.y - 4, width: field.width * 0.4, height: 8)
    fill(text.offset(x: field.center.x - text.width / 2, y: 0), Palette.heading, radius: 4)
  }

  /// Draws the system's signs in the band along the top: the time on the left, signal and battery on the right.
  mutating func statusBar(in band: Rect, _ color: Color) {
    let isTall = band.height >= 40
    let y = band.y + band.height * (isTall ? 0.56 : 0.5)
    let margin = isTall ? 32.0 : 14
    fill(Rect(x: band.x + margin, y: y - 4.5, width: 34, height: 9), color, radius: 4.5)
    battery(right: band.maxX - margin, y: y, color)
    for bar in 0..<4 {
      let height = 4 + 2 * Double(bar)
      let x = band.maxX - margin - 54 + 5 * Double(bar)
      fill(Rect(x: x, y: y + 5 - height, width: 3, height: height), color, radius: 1)
    }
  }

  private mutating func battery(right: Double, y: Double, _ color: Color) {
    fill(Rect(x: right - 25, y: y - 5.5, width: 22, height: 11), color.faded(by: 0.35), radius: 3.5)
    fill(Rect(x: right - 23, y: y - 3.5, width: 15, height: 7), color, radius: 2)
    fill(Rect(x: right - 2, y: y - 2, width: 2, height: 4), color.faded(by: 0.45), radius: 1)
  }

  /// Draws the home indicator's bar in the band along the bottom.
  mutating func homeIndicator(in band: Rect, _ color: Color) {
    let width = min(140, band.width * 0.36)
    let bar = Rect(x: band.center.x - width / 2, y: band.maxY - 13, width: width, height: 5)
    fill(bar, color, radius: 2.5)
  }

  /// Draws the device's home screen, shown while the app is in the background.
  mutating func homeScreen(of screen: Screen) {
    fill(screen.bounds, Palette.wallpaper)
    let area = screen.contentArea.inset(by: Insets(top: 24, left: 24, bottom: 96, right: 24))
    let (icon, pitch) = (60.0, Size(width: 88, height: 100))
    let (columns, rows) = (
      Bounded.int((area.width + 28) / pitch.width, in: 0...100, rounding: .towardZero),
      Bounded.int((area.height + 40) / pitch.height, in: 0...6, rounding: .towardZero)
    )
    let left = area.center.x - (Double(columns) * pitch.width - 28) / 2
    for row in 0..<max(0, rows) {
      for column in 0..<max(0, columns) {
        let corner = Point(x: left + Double(column) * pitch.width, y: area.y + Double(row) * pitch.height)
        fill(Rect(origin: corner, size: Size(width: icon, height: icon)), Palette.icon, radius: 14)
      }
    }
  }
}

extension Color {
  /// The same colour with its alpha multiplied by `share`.
  fileprivate func faded(by share: Double) -> Color {
    func scaled(_ shift: UInt32) -> UInt32 {
      UInt32(Bounded.int(Double(premultiplied >> shift & 0xFF) * share, in: 0...255)) << shift
    }
    return Color(premultiplied: scaled(24) | scaled(16) | scaled(8) | scaled(0))
  }
}

/// Colours of everything that the host draws, light and muted so that the ad stands out.
enum Palette {
  static let page = Color(rgb: 0xFF_FFFF)
  /// The app's header and the bands outside the content area.
  static let chrome = Color(rgb: 0xF7_F8FA)
  static let hairline = Color(rgb: 0xE3_E6EA)
  static let heading = Color(rgb: 0xC8_CED6)
  static let text = Color(rgb: 0xE4_E8EC)
  static let image = Color(rgb: 0xEB_EEF2)
  static let screenshotDetail = Color(rgb: 0xDA_DFE6)
  /// The slot while it holds no ad.
  static let slot = Color(rgb: 0xF1_F3F5)
  /// Darker than most colours: around a full-screen ad it shows only in the bands, which should recede.
  static let scrim = Color(rgb: 0x00_0000, alpha: 204)
  /// The system's signs on light and on dark backgrounds.
  static let signsOnLight = Color(rgb: 0x2B_2F36)
  static let signsOnDark = Color(rgb: 0xFF_FFFF, alpha: 220)
  static let closeDisc = Color(rgb: 0x00_0000, alpha: 150)
  static let closeRim = Color(rgb: 0xFF_FFFF, alpha: 90)
  static let closeCross = Color(rgb: 0xFF_FFFF)
  /// The device's home screen while the app is in the background.
  static let wallpaper = Color(rgb: 0xDD_E3EA)
  static let icon = Color(rgb: 0xFF_FFFF, alpha: 150)
}
