internal import Core
internal import MRAID

/// Lays out the host page: a header, a plausible feed around the ad's slot, and more of it for as long as one scrolls.
struct FeedLayout: Sendable {
  /// The whole screen, whose width the header has.
  let bounds: Rect
  /// Where the page's content stands.
  let area: Rect
  /// The slot on the unscrolled page, as on the screen.
  let slot: Rect?

  private static let headerHeight = 52.0
  private static let margin = 16.0

  private var width: Double { max(0, min(area.width - 2 * Self.margin, 728)) }
  private var x: Double { area.x + (area.width - width) / 2 }
  private var wideStory: FeedBlock { .story(picture: (min(width * 9 / 16, 280)).rounded()) }

  /// What lies between two heights of the unscrolled page, on the screen's coordinates but for the scroll.
  func shapes(from top: Double, to bottom: Double) -> [FeedShape] {
    var shapes = header
    if let slot {
      shapes += above(slot)
      shapes.append(FeedShape(role: .slot, rect: slot))
    }
    shapes += endless(from: top, to: bottom)
    return shapes.filter { $0.rect.maxY > top && $0.rect.y < bottom }
  }

  /// The page's header is there when the slot leaves room for it.
  private var hasHeader: Bool { (slot?.y ?? .infinity) >= area.y + Self.headerHeight }

  private var header: [FeedShape] {
    guard hasHeader else { return [] }
    let (y, height) = (area.y, Self.headerHeight)
    let right = area.maxX - Self.margin
    return [
      FeedShape(role: .header, rect: Rect(x: bounds.x, y: y, width: bounds.width, height: height)),
      FeedShape(role: .hairline, rect: Rect(x: bounds.x, y: y + height - 1, width: bounds.width, height: 1)),
      FeedShape(role: .badge, rect: Rect(x: area.x + Self.margin, y: y + 11, width: 28, height: 28)),
      FeedShape(role: .heading, rect: Rect(x: area.x + 56, y: y + 19, width: 104, height: 12)),
      FeedShape(role: .badge, rect: Rect(x: right - 20, y: y + 15, width: 20, height: 20)),
      FeedShape(role: .badge, rect: Rect(x: right - 54, y: y + 15, width: 20, height: 20)),
    ]
  }

  /// Where the feed begins.
  private var start: Double { area.y + (hasHeader ? Self.headerHeight : 0) + Self.margin }

  /// Fills the room between header and slot to the last line.
  private func above(_ slot: Rect) -> [FeedShape] {
    var shapes: [FeedShape] = []
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

  /// The block that uses a height best, counted from 0; nil when not even a line fits.
  private func block(fitting height: Double, number: Int) -> FeedBlock? {
    if number == 0, height >= FeedBlock.captionHeight + 110 {
      let picture = min(wideStory.height, height) - FeedBlock.captionHeight
      return .story(picture: picture.rounded(.down))
    }
    if height >= FeedBlock.thumbnail.height { return .teaser(variant: number) }
    let lines = ((height - 8) / FeedBlock.linePitch).rounded(.down) + 1
    return height >= 8 ? .paragraph(lines: Bounded.int(lines, in: 0...10_000)) : nil
  }

  /// The feed below the slot, or from the header on; it repeats without end, so only what is asked for is laid out.
  private func endless(from top: Double, to bottom: Double) -> [FeedShape] {
    let story = wideStory
    let teasers: [FeedBlock] = (0..<3).map { .teaser(variant: $0) }
    let cycle = slot == nil ? [story] + teasers : teasers[..<2] + [story] + teasers[2...]
    let length = cycle.reduce(0) { $0 + $1.height + 2 * Self.margin }
    let first = slot.map { $0.maxY + Self.margin } ?? start
    var y = first + max(0, ((top - first) / length).rounded(.down)) * length
    var shapes: [FeedShape] = []
    while y < bottom {
      for block in cycle where y < bottom {
        shapes += block.shapes(x: x, y: y, width: width)
        y += block.height + Self.margin
        shapes.append(FeedShape(role: .hairline, rect: Rect(x: x, y: y, width: width, height: 1)))
        y += Self.margin
      }
    }
    return shapes
  }
}
