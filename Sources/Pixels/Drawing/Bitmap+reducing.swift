extension Bitmap {
  /// A smaller picture: each pixel is the mean of a square of `factor` by `factor`, at the edges of what there is of it.
  package func reduced(by factor: Int) -> Bitmap {
    requireIntact()
    guard factor > 1, width > 0, height > 0 else { return self }
    let (columns, rows) = ((width + factor - 1) / factor, (height + factor - 1) / factor)
    let reduced = [UInt32](unsafeUninitializedCapacity: columns * rows) { target, count in
      count = columns * rows
      pixels.withUnsafeBufferPointer { source in
        for row in 0..<rows {
          for column in 0..<columns {
            let area = PixelRect(
              x: column * factor, y: row * factor, width: min(factor, width - column * factor),
              height: min(factor, height - row * factor))
            target[row * columns + column] = mean(of: area, in: source)
          }
        }
      }
    }
    return Bitmap(width: columns, height: rows, pixels: reduced)
  }

  /// The mean of an area inside the bitmap; premultiplied values may simply be added.
  private func mean(of area: PixelRect, in source: UnsafeBufferPointer<UInt32>) -> UInt32 {
    var (alpha, red, green, blue): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let pixel = source[y * width + x]
        alpha += pixel >> 24
        red += pixel >> 16 & 0xFF
        green += pixel >> 8 & 0xFF
        blue += pixel & 0xFF
      }
    }
    let count = UInt32(area.width * area.height)
    let mean = { (sum: UInt32) in (sum + count / 2) / count }
    return mean(alpha) << 24 | mean(red) << 16 | mean(green) << 8 | mean(blue)
  }
}
