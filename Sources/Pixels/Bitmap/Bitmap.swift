internal import Glibc

/// Image in physical pixels, laid out as a cairo ARGB32 surface without padding.
package struct Bitmap: Sendable {
  package let width: Int
  package let height: Int
  // No observer guards their number: from another module, an observed array is copied at every element written.
  /// Pixels row by row from the top-left, each 0xAARRGGBB premultiplied; values may change but never their number.
  package var pixels: [UInt32]

  /// Creates a bitmap of existing pixels, of which there must be `width * height`.
  package init(width: Int, height: Int, pixels: [UInt32]) {
    precondition(width >= 0 && height >= 0 && pixels.count == width * height, "a pixel for every place")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Creates a bitmap of one colour.
  package init(width: Int, height: Int, fill color: Color) {
    precondition(width >= 0 && height >= 0, "a size can't be negative")
    let pixels = [UInt32](repeating: color.premultiplied, count: width * height)
    self.init(width: width, height: height, pixels: pixels)
  }

  /// Copies `height` rows that start `stride` bytes apart, as an image surface's do.
  package init(width: Int, height: Int, copying source: UnsafeRawPointer, stride: Int) {
    precondition(width >= 0 && height >= 0 && abs(stride) >= width * 4, "a stride holds at least a row")
    let pixels = [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
      count = width * height
      guard count > 0, let target = buffer.baseAddress else { return }
      if stride == width * 4 {
        memcpy(target, source, count * 4)
      } else {
        for row in 0..<height { memcpy(target + row * width, source + row * stride, width * 4) }
      }
    }
    self.init(width: width, height: height, pixels: pixels)
  }

  /// The whole bitmap as a rectangle.
  package var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// Stops the program if the number of pixels no longer matches the size, before memory beyond them is accessed.
  func requireIntact() {
    precondition(pixels.count == width * height, "a bitmap's pixel count is fixed by its size")
  }

  /// Colour of the pixel at a position, which must lie inside the bitmap.
  package subscript(x: Int, y: Int) -> Color {
    precondition(x >= 0 && x < width && y >= 0 && y < height, "a place inside the bitmap")
    return Color(premultiplied: pixels[y * width + x])
  }

  /// Copies the part of `rect` that lies inside; empty if none does.
  package func crop(_ rect: PixelRect) -> Bitmap {
    requireIntact()
    guard let part = bounds.intersection(rect) else { return Bitmap(width: 0, height: 0, pixels: []) }
    return pixels.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return Bitmap(width: 0, height: 0, pixels: []) }
      let first = base + (part.y * width + part.x) * 4
      return Bitmap(width: part.width, height: part.height, copying: first, stride: width * 4)
    }
  }
}

extension Bitmap: Equatable {
  /// Compares two bitmaps: equal if they have the same size and the same value in every pixel.
  package static func == (a: Bitmap, b: Bitmap) -> Bool {
    guard a.width == b.width, a.height == b.height else { return false }
    return a.pixels.withUnsafeBytes { first in
      b.pixels.withUnsafeBytes { second in
        guard first.count == second.count else { return false }
        guard let p = first.baseAddress, let q = second.baseAddress, p != q else { return true }
        return memcmp(p, q, first.count) == 0
      }
    }
  }
}

extension Bitmap {
  /// Indicates if all pixels have the same colour, as in a blank page; an empty bitmap is uniform too.
  package var isUniform: Bool {
    pixels.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, bytes.count > 4 else { return true }
      // Every pixel equals the one after it exactly when the bytes equal themselves moved by a pixel.
      return memcmp(base, base + 4, bytes.count - 4) == 0
    }
  }

  /// Approximate number of pixels sampled for `contentShare`: precise to about a hundredth, and fast even for the
  /// largest screen.
  private static let samples = 4_096

  /// Share of pixels that aren't of the most frequent colour, from 0 to 1, from evenly spread samples.
  package var contentShare: Double {
    let step = max(1, Int((Double(pixels.count) / Double(Self.samples)).squareRoot()))
    var counts: [UInt32: Int] = [:]
    var seen = 0
    for y in stride(from: step / 2, to: height, by: step) {
      for x in stride(from: step / 2, to: width, by: step) {
        counts[pixels[y * width + x], default: 0] += 1
        seen += 1
      }
    }
    guard seen > 0 else { return 0 }
    return 1 - Double(counts.values.max() ?? 0) / Double(seen)
  }

  /// Indicates if all pixels are opaque; true for an empty bitmap.
  package var isOpaque: Bool {
    pixels.withUnsafeBufferPointer { SourceOver.alphas(of: $0).common == 255 }
  }
}

extension Bitmap {
  /// Returns the smallest rectangle around all pixels that differ from another bitmap; nil if the bitmaps are equal.
  ///
  /// If the sizes differ, it is the whole bitmap.
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

extension Bitmap {
  /// Returns a smaller copy: each pixel is the mean of a square of `factor` by `factor`, or of its part within the
  /// bitmap.
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

  /// Returns the mean of an area inside the bitmap; premultiplied values may simply be added.
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
