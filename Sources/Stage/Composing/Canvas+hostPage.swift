internal import MRAID
internal import Pixels

extension Canvas {
  /// Draws the app's page as far as it can be seen.
  mutating func hostPage(of screen: Screen, visible: Region) {
    let area = screen.contentArea
    let slot = screen.slot.map { screen.slotFrame(for: $0.size, position: $0.position) }
    // Beyond this a page's coordinates would lose their fractions, and later even whole steps.
    let scroll = min(max(screen.scrollOffset, -1e7), 1e7)
    let (top, bottom) = (area.y + scroll, area.maxY + scroll)
    for shape in FeedLayout(bounds: screen.bounds, area: area, slot: slot).shapes(from: top, to: bottom) {
      let rect = shape.rect.offset(x: 0, y: -scroll)
      if visible.intersects(rect) { draw(shape.role, rect) }
    }
    bands(of: screen, visible: visible)
  }

  /// The bands above and below the content area, over whatever of the page has slid under them.
  private mutating func bands(of screen: Screen, visible: Region) {
    let (bounds, area) = (screen.bounds, screen.contentArea)
    let top = Rect(x: 0, y: 0, width: bounds.width, height: area.y)
    let bottom = Rect(x: 0, y: area.maxY, width: bounds.width, height: bounds.maxY - area.maxY)
    if visible.intersects(top) {
      fill(top, Palette.chrome)
      if screen.scrollOffset > 0 { fill(Rect(x: 0, y: top.maxY - 1, width: top.width, height: 1), Palette.hairline) }
    }
    if visible.intersects(bottom) {
      fill(bottom, Palette.chrome)
      fill(Rect(x: 0, y: bottom.y, width: bottom.width, height: 1), Palette.hairline)
    }
  }

  private mutating func draw(_ role: FeedShape.Role, _ rect: Rect) {
    switch role {
    case .header: fill(rect, Palette.chrome)
    case .hairline: fill(rect, Palette.hairline)
    case .badge: disc(rect.center, radius: rect.height / 2, Palette.pictureDetail)
    case .heading: fill(rect, Palette.heading, radius: 4)
    case .text: fill(rect, Palette.text, radius: 4)
    case .picture: placeholder(rect)
    case .slot: fill(rect, Palette.slot)
    }
  }

  /// A picture that isn't there: a sun above hills.
  private mutating func placeholder(_ rect: Rect) {
    fill(rect, Palette.picture, radius: 8)
    let unit = min(rect.height / 4.5, 30)
    let (x, y) = (rect.center.x, rect.center.y + unit * 0.8)
    disc(Point(x: x + unit * 0.75, y: y - unit * 1.35), radius: unit * 0.34, Palette.pictureDetail)
    polygon(
      [
        Point(x: x - unit * 1.6, y: y), Point(x: x - unit * 0.45, y: y - unit * 1.5),
        Point(x: x + unit * 0.3, y: y - unit * 0.5), Point(x: x + unit * 0.7, y: y - unit * 0.9),
        Point(x: x + unit * 1.6, y: y),
      ], Palette.pictureDetail)
  }
}
