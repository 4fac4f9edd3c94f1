extension Bitmap {
  /// Writes digits, points and `s` with their top-left corner at (x, y), `size` pixels to each dot; others are left blank.
  ///
  /// - Returns: how wide the text is.
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

  /// Rows of dots from the top, the leftmost dot the highest bit: five columns, two for the point.
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
