extension Bitmap {
  /// The smallest rectangle around every pixel that another bitmap has otherwise; nil when they are alike.
  ///
  /// Of bitmaps of different sizes everything differs.
  package func difference(to other: Bitmap) -> PixelRect? {
    guard width == other.width, height == other.height else { return bounds }
    guard self != other else { return nil }
    var (left, top, right, bottom) = (width, height, -1, -1)
    pixels.withUnsafeBufferPointer { ours in
      other.pixels.withUnsafeBufferPointer { theirs in
        for y in 0..<height {
          let row = y * width..<(y + 1) * width
          guard let first = row.first(where: { ours[$0] != theirs[$0] }),
            let last = row.last(where: { ours[$0] != theirs[$0] })
          else { continue }
          left = min(left, first - row.lowerBound)
          right = max(right, last - row.lowerBound)
          top = min(top, y)
          bottom = y
        }
      }
    }
    return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }
}
