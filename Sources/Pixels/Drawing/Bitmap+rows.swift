extension Bitmap {
  /// Hands out the rows of an area that must lie inside the bitmap, from its first column on.
  mutating func withRows(of area: PixelRect, _ body: (UnsafeMutablePointer<UInt32>, _ y: Int) -> Void) {
    requireIntact()
    let width = width
    pixels.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for y in area.y..<area.maxY { body(base + (y * width + area.x), y) }
    }
  }

  /// Lays a colour over an area as strongly as `coverage` says at each pixel's centre; it's limited to 0 to 1.
  @inline(__always)
  mutating func shade(_ area: PixelRect, _ color: Color, coverage: (PixelPoint) -> Double) {
    guard let area = bounds.intersection(area) else { return }
    withRows(of: area) { row, y in
      for column in 0..<area.width {
        let share = coverage(PixelPoint(x: Double(area.x + column) + 0.5, y: Double(y) + 0.5))
        guard share > 0 else { continue }
        let source = SourceOver.scale(color.premultiplied, by: UInt32(min(share, 1) * 255 + 0.5))
        row[column] = SourceOver.blend(source, over: row[column])
      }
    }
  }
}
