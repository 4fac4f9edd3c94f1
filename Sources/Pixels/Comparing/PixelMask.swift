/// Set of an image's pixels, one bit each.
package struct PixelMask: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// Bits row by row, the leftmost pixel in a row's lowest bit; empty as long as no pixel was inserted.
  private(set) var words: [UInt64] = []
  let wordsPerRow: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    wordsPerRow = (width + 63) / 64
  }

  /// Indicates if no pixel was ever inserted.
  var isUntouched: Bool { words.isEmpty }

  /// Number of pixels in the set.
  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Returns true if a pixel, which must lie inside the image, is in the set.
  package func contains(_ x: Int, _ y: Int) -> Bool {
    !words.isEmpty && words[y * wordsPerRow + x / 64] >> (x % 64) & 1 == 1
  }

  mutating func insert(_ x: Int, _ y: Int) {
    allocate()
    words[y &* wordsPerRow &+ x / 64] |= 1 << UInt64(x % 64)
  }

  mutating func remove(_ x: Int, _ y: Int) {
    guard !words.isEmpty else { return }
    words[y &* wordsPerRow &+ x / 64] &= ~(1 << UInt64(x % 64))
  }

  /// Inserts the part of `rect` inside the image.
  mutating func insert(_ rect: PixelRect) {
    guard let area = PixelRect(x: 0, y: 0, width: width, height: height).intersection(rect) else { return }
    allocate()
    forEachWord(of: area) { $0 |= $1 }
  }

  /// Removes the part of `rect` inside the image.
  mutating func remove(_ rect: PixelRect) {
    guard !words.isEmpty, let area = PixelRect(x: 0, y: 0, width: width, height: height).intersection(rect) else {
      return
    }
    forEachWord(of: area) { $0 &= ~$1 }
  }

  /// Inserts the pixels of a mask of the same width, whose first row is put on row `top`.
  mutating func insert(_ other: PixelMask, fromRow top: Int) {
    guard !other.isUntouched else { return }
    allocate()
    for (index, word) in other.words.enumerated() where word != 0 {
      let (row, column) = index.quotientAndRemainder(dividingBy: other.wordsPerRow)
      words[(top + row) * wordsPerRow + column] |= word
    }
  }

  /// Calls `body` with each pixel in the set, row by row.
  func forEach(_ body: (_ x: Int, _ y: Int) -> Void) {
    for (index, word) in words.enumerated() where word != 0 {
      let (y, column) = index.quotientAndRemainder(dividingBy: wordsPerRow)
      var rest = word
      while rest != 0 {
        body(column * 64 + rest.trailingZeroBitCount, y)
        rest &= rest - 1
      }
    }
  }

  /// Returns true if a condition holds for every pixel of the set inside an area; stops at the first for which it
  /// doesn't.
  func allSatisfy(in area: PixelRect, _ holds: (_ x: Int, _ y: Int) -> Bool) -> Bool {
    for y in area.y..<area.maxY {
      for column in (area.x / 64)...((area.maxX - 1) / 64) {
        var rest = words[y * wordsPerRow + column]
        while rest != 0 {
          let x = column * 64 + rest.trailingZeroBitCount
          rest &= rest - 1
          if x >= area.x, x < area.maxX, !holds(x, y) { return false }
        }
      }
    }
    return true
  }

  private mutating func allocate() {
    if words.isEmpty { words = [UInt64](repeating: 0, count: wordsPerRow * height) }
  }

  /// Calls `body` with each word that an area inside the image touches, and the bits that belong to the area.
  private mutating func forEachWord(of area: PixelRect, _ body: (_ word: inout UInt64, _ bits: UInt64) -> Void) {
    for column in (area.x / 64)...((area.maxX - 1) / 64) {
      let left = max(area.x - column * 64, 0)
      let right = min(area.maxX - column * 64, 64)
      let bits = (UInt64.max >> UInt64(64 - (right - left))) << UInt64(left)
      for y in area.y..<area.maxY { body(&words[y * wordsPerRow + column], bits) }
    }
  }
}
