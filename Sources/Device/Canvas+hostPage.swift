internal import Core

extension Canvas {
  /// Draws the visible part of the app's page.
  mutating func hostPage(of screen: Screen, visible: Region) {
    let area = screen.contentArea
    let slot = screen.slot.map { screen.slotFrame(for: $0.size, position: $0.position) }
    // Beyond this a page's coordinates would lose their fractions, and later even whole steps.
    let scroll = min(max(screen.scrollOffset, -1e7), 1e7)
    let (top, bottom) = (area.y + scroll, area.maxY + scroll)
    for shape in PlaceholderPage(bounds: screen.bounds, area: area, slot: slot).shapes(from: top, to: bottom) {
      let rect = shape.rect.offset(x: 0, y: -scroll)
      if visible.intersects(rect) { draw(shape.role, rect) }
    }
    bands(of: screen, visible: visible)
  }

  /// Draws the bands above and below the content area, over the parts of the page that have scrolled under them.
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

  private mutating func draw(_ role: PlaceholderShape.Role, _ rect: Rect) {
    switch role {
    case .header: fill(rect, Palette.chrome)
    case .hairline: fill(rect, Palette.hairline)
    case .badge: disc(rect.center, radius: rect.height / 2, Palette.screenshotDetail)
    case .heading: fill(rect, Palette.heading, radius: 4)
    case .text: fill(rect, Palette.text, radius: 4)
    case .image: placeholder(rect)
    case .slot: fill(rect, Palette.slot)
    }
  }

  /// Draws a placeholder for an image: a sun above hills.
  private mutating func placeholder(_ rect: Rect) {
    fill(rect, Palette.image, radius: 8)
    let unit = min(rect.height / 4.5, 30)
    let (x, y) = (rect.center.x, rect.center.y + unit * 0.8)
    disc(Point(x: x + unit * 0.75, y: y - unit * 1.35), radius: unit * 0.34, Palette.screenshotDetail)
    polygon(
      [
        Point(x: x - unit * 1.6, y: y), Point(x: x - unit * 0.45, y: y - unit * 1.5),
        Point(x: x + unit * 0.3, y: y - unit * 0.5), Point(x: x + unit * 0.7, y: y - unit * 0.9),
        Point(x: x + unit * 1.6, y: y),
      ], Palette.screenshotDetail)
  }
}

/// Layout of the host page: a header and a plausible feed around the ad's slot, continued as far as it is scrolled.
struct PlaceholderPage: Sendable {
  /// The whole screen; the header is as wide as it.
  let bounds: Rect
  /// The content area, in which the page's content lies.
  let area: Rect
  /// The slot on the unscrolled page, in coordinates of the screen; nil if the page has none.
  let slot: Rect?

  private static let headerHeight = 52.0
  private static let margin = 16.0

  private var width: Double { max(0, min(area.width - 2 * Self.margin, 728)) }
  private var x: Double { area.x + (area.width - width) / 2 }
  private var wideStory: PlaceholderBlock { .story(image: (min(width * 9 / 16, 280)).rounded()) }

  /// The shapes between two heights of the unscrolled page, in coordinates of the screen without the scroll offset.
  func shapes(from top: Double, to bottom: Double) -> [PlaceholderShape] {
    var shapes = header
    if let slot {
      shapes += above(slot)
      shapes.append(PlaceholderShape(role: .slot, rect: slot))
    }
    shapes += endless(from: top, to: bottom)
    return shapes.filter { $0.rect.maxY > top && $0.rect.y < bottom }
  }

  /// Indicates if the page has a header, which it has if the slot leaves room for one.
  private var hasHeader: Bool { (slot?.y ?? .infinity) >= area.y + Self.headerHeight }

  private var header: [PlaceholderShape] {
    guard hasHeader else { return [] }
    let (y, height) = (area.y, Self.headerHeight)
    let right = area.maxX - Self.margin
    return [
      PlaceholderShape(role: .header, rect: Rect(x: bounds.x, y: y, width: bounds.width, height: height)),
      PlaceholderShape(role: .hairline, rect: Rect(x: bounds.x, y: y + height - 1, width: bounds.width, height: 1)),
      PlaceholderShape(role: .badge, rect: Rect(x: area.x + Self.margin, y: y + 11, width: 28, height: 28)),
      PlaceholderShape(role: .heading, rect: Rect(x: area.x + 56, y: y + 19, width: 104, height: 12)),
      PlaceholderShape(role: .badge, rect: Rect(x: right - 20, y: y + 15, width: 20, height: 20)),
      PlaceholderShape(role: .badge, rect: Rect(x: right - 54, y: y + 15, width: 20, height: 20)),
    ]
  }

  /// Vertical position at which the feed begins, below the header and a margin.
  private var start: Double { area.y + (hasHeader ? Self.headerHeight : 0) + Self.margin }

  /// The blocks between header and slot, which fill that room to the last line.
  private func above(_ slot: Rect) -> [PlaceholderShape] {
    var shapes: [PlaceholderShape] = []
    var y = start
    let end = slot.y - Self.margin
    var count = 0
    while let block = block(fitting: end - y, number: count) {
      count += 1
      shapes += block.shapes(x: x, y: y, width: width)
      y += block.height + Self.margin
    }
    return shapes
  }

  /// The block that fits best into a height; nil if not even a line fits. `number` counts the blocks from 0.
  private func block(fitting height: Double, number: Int) -> PlaceholderBlock? {
    if number == 0, height >= PlaceholderBlock.captionHeight + 110 {
      let image = min(wideStory.height, height) - PlaceholderBlock.captionHeight
      return .story(image: image.rounded(.down))
    }
    if height >= PlaceholderBlock.thumbnail.height { return .teaser(variant: number) }
    let lines = ((height - 8) / PlaceholderBlock.linePitch).rounded(.down) + 1
    return height >= 8 ? .paragraph(lines: Bounded.int(lines, in: 0...10_000)) : nil
  }

  /// The feed below the slot, or from the header on; it repeats endlessly, so only the requested part is laid out.
  private func endless(from top: Double, to bottom: Double) -> [PlaceholderShape] {
    let story = wideStory
    let teasers: [PlaceholderBlock] = (0..<3).map { .teaser(variant: $0) }
    let cycle = slot == nil ? [story] + teasers : teasers[..<2] + [story] + teasers[2...]
    let length = cycle.reduce(0) { $0 + $1.height + 2 * Self.margin }
    let first = slot.map { $0.maxY + Self.margin } ?? start
    var y = first + max(0, ((top - first) / length).rounded(.down)) * length
    var shapes: [PlaceholderShape] = []
    while y < bottom {
      for block in cycle where y < bottom {
        shapes += block.shapes(x: x, y: y, width: width)
        y += block.height + Self.margin
        shapes.append(PlaceholderShape(role: .hairline, rect: Rect(x: x, y: y, width: width, height: 1)))
        y += Self.margin
      }
    }
    return shapes
  }
}

/// Block of the feed, as tall as its content.
enum PlaceholderBlock: Hashable, Sendable {
  /// A wide image of this height above a heading.
  case story(image: Double)
  /// A heading beside a small image; the variant makes neighbours differ.
  case teaser(variant: Int)
  /// This many lines of text.
  case paragraph(lines: Int)

  static let linePitch = 18.0
  private static let lineHeight = 8.0
  static let thumbnail = Size(width: 96, height: 72)
  /// Height of the heading and text below a story's image, in dip.
  static let captionHeight = 66.0

  var height: Double {
    switch self {
    case .story(let image): image + Self.captionHeight
    case .teaser: Self.thumbnail.height
    case .paragraph(let lines): Double(lines - 1) * Self.linePitch + Self.lineHeight
    }
  }

  /// Lays the block out with its top-left corner at (x, y).
  func shapes(x: Double, y: Double, width: Double) -> [PlaceholderShape] {
    switch self {
    case .story(let image):
      let caption = y + image + 14
      return [
        PlaceholderShape(role: .image, rect: Rect(x: x, y: y, width: width, height: image)),
        PlaceholderShape(role: .heading, rect: Rect(x: x, y: caption, width: width * 0.94, height: 12)),
        PlaceholderShape(role: .heading, rect: Rect(x: x, y: caption + 20, width: width * 0.58, height: 12)),
        PlaceholderShape(role: .text, rect: Rect(x: x, y: caption + 44, width: width * 0.34, height: Self.lineHeight)),
      ]
    case .teaser(let variant):
      let shares = [[1, 0.66, 0.4], [0.94, 0.82, 0.28], [0.98, 0.45, 0.36]][variant % 3]
      let left = width - Self.thumbnail.width - 16
      let corner = Point(x: x + width - Self.thumbnail.width, y: y)
      return [
        PlaceholderShape(role: .heading, rect: Rect(x: x, y: y + 6, width: left * shares[0], height: 12)),
        PlaceholderShape(role: .heading, rect: Rect(x: x, y: y + 26, width: left * shares[1], height: 12)),
        PlaceholderShape(role: .text, rect: Rect(x: x, y: y + 54, width: left * shares[2], height: Self.lineHeight)),
        PlaceholderShape(role: .image, rect: Rect(origin: corner, size: Self.thumbnail)),
      ]
    case .paragraph(let lines):
      return (0..<lines).map { line in
        let share = line == lines - 1 ? 0.56 : [1, 0.96, 0.98][line % 3]
        let top = y + Double(line) * Self.linePitch
        return PlaceholderShape(role: .text, rect: Rect(x: x, y: top, width: width * share, height: Self.lineHeight))
      }
    }
  }
}

/// Shape on the host page, in dip from the top of the unscrolled page.
struct PlaceholderShape: Hashable, Sendable {
  /// Meaning of a shape, which decides its colour.
  enum Role: Sendable {
    case header, hairline, badge, heading, text, image, slot
  }
  var role: Role
  var rect: Rect
}
