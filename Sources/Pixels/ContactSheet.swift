/// Sheet of frames in rows, each above a caption with its timestamp.
package enum ContactSheet {
  private static let gap = 10
  /// Height in pixels for a line of text below a frame.
  private static let caption = 22
  private static let dot = 2
  /// Width in pixels of a sheet, after which frames continue in the next row; a single frame may be wider.
  private static let width = 1600

  /// Draws the frames, all of one size; `captions` may contain digits, points and `s`.
  package static func draw(_ frames: [Bitmap], captions: [String]) -> Bitmap {
    guard let first = frames.first else { return Bitmap(width: 0, height: 0, pixels: []) }
    let (across, down) = (first.width + gap, first.height + caption + gap)
    let columns = max(1, min(frames.count, (width - gap) / across))
    let rows = (frames.count + columns - 1) / columns
    var sheet = Bitmap(width: columns * across + gap, height: rows * down + gap, fill: Color(rgb: 0xE8_E8E8))
    for (index, (frame, text)) in zip(frames, captions).enumerated() {
      let (x, y) = (gap + index % columns * across, gap + index / columns * down)
      sheet.blit(frame, x: x, y: y)
      sheet.draw(text, x: x, y: y + first.height + 4, size: dot, color: Color(rgb: 0x33_3333))
    }
    return sheet
  }
}

extension Bitmap {
  /// Writes digits, points and `s` with their top-left corner at (x, y), `size` pixels to each dot; others are left
  /// blank.
  ///
  /// - Returns: width of the text in pixels.
  @discardableResult
  package mutating func draw(_ text: String, x: Int, y: Int, size: Int, color: Color) -> Int {
    var left = x
    for character in text {
      let rows = Self.glyphs[character] ?? []
      let columns = character == "." ? 2 : 5
      for (line, row) in rows.enumerated() {
        for column in 0..<columns where row >> (columns - 1 - column) & 1 == 1 {
          fill(PixelRect(x: left + column * size, y: y + line * size, width: size, height: size), color)
        }
      }
      left += (columns + 1) * size
    }
    return left - x
  }

  /// Rows of dots from the top, the leftmost dot in the highest bit: five columns, two for the point.
  private static let glyphs: [Character: [UInt8]] = [
    "0": [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
    "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "2": [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    "3": [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
    "4": [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    "6": [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    "8": [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    "9": [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    "s": [0b00000, 0b00000, 0b01110, 0b10000, 0b01110, 0b00001, 0b11110],
    ".": [0, 0, 0, 0, 0, 0b10, 0b10],
  ]
}
