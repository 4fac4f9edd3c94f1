/// Differing pixels that lie near one another.
package struct DifferenceRegion: Hashable, Sendable {
  /// The smallest rectangle around them.
  package var box: PixelRect
  package var differing: Int
  /// By how much the region moved from the first image to the second, when that alone explains it.
  package var shift: PixelShift?
}

/// A move by whole pixels: to the right and down when positive.
package struct PixelShift: Hashable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}
