internal import MRAID

/// A piece of the feed, as tall as its content.
enum FeedBlock: Hashable, Sendable {
  /// A wide picture of this height over a heading.
  case story(picture: Double)
  /// A heading beside a small picture; the variant makes neighbours differ.
  case teaser(variant: Int)
  /// This many lines of text.
  case paragraph(lines: Int)

  static let linePitch = 18.0
  private static let lineHeight = 8.0
  static let thumbnail = Size(width: 96, height: 72)
  /// What a story needs below its picture.
  static let captionHeight = 66.0

  var height: Double {
    switch self {
    case .story(let picture): picture + Self.captionHeight
    case .teaser: Self.thumbnail.height
    case .paragraph(let lines): Double(lines - 1) * Self.linePitch + Self.lineHeight
    }
  }

  /// Lays the block out with its top-left corner at (x, y).
  func shapes(x: Double, y: Double, width: Double) -> [FeedShape] {
    switch self {
    case .story(let picture):
      let caption = y + picture + 14
      return [
        FeedShape(role: .picture, rect: Rect(x: x, y: y, width: width, height: picture)),
        FeedShape(role: .heading, rect: Rect(x: x, y: caption, width: width * 0.94, height: 12)),
        FeedShape(role: .heading, rect: Rect(x: x, y: caption + 20, width: width * 0.58, height: 12)),
        FeedShape(role: .text, rect: Rect(x: x, y: caption + 44, width: width * 0.34, height: Self.lineHeight)),
      ]
    case .teaser(let variant):
      let shares = [[1, 0.66, 0.4], [0.94, 0.82, 0.28], [0.98, 0.45, 0.36]][variant % 3]
      let left = width - Self.thumbnail.width - 16
      let corner = Point(x: x + width - Self.thumbnail.width, y: y)
      return [
        FeedShape(role: .heading, rect: Rect(x: x, y: y + 6, width: left * shares[0], height: 12)),
        FeedShape(role: .heading, rect: Rect(x: x, y: y + 26, width: left * shares[1], height: 12)),
        FeedShape(role: .text, rect: Rect(x: x, y: y + 54, width: left * shares[2], height: Self.lineHeight)),
        FeedShape(role: .picture, rect: Rect(origin: corner, size: Self.thumbnail)),
      ]
    case .paragraph(let lines):
      return (0..<lines).map { line in
        let share = line == lines - 1 ? 0.56 : [1, 0.96, 0.98][line % 3]
        let top = y + Double(line) * Self.linePitch
        return FeedShape(role: .text, rect: Rect(x: x, y: top, width: width * share, height: Self.lineHeight))
      }
    }
  }
}
