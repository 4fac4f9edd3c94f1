/// What differs in some rows of two images.
struct Band: Sendable {
  let rows: Range<Int>
  /// Pixels that count; its first row is the band's.
  var differing: PixelMask
  /// Pixels that look like anti-aliasing.
  var antialiased: PixelMask
  /// The greatest distance of a differing pixel, 0 to 1, and the sum of all.
  var largest = 0.0
  var sum = 0.0

  init(rows: Range<Int>, width: Int) {
    self.rows = rows
    differing = PixelMask(width: width, height: rows.count)
    antialiased = differing
  }
}
