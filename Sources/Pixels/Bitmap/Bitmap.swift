internal import Glibc

/// A picture in physical pixels, laid out as a cairo ARGB32 image without padding.
package struct Bitmap: Sendable {
  package let width: Int
  package let height: Int
  // No observer guards their number: from another module, an observed array is copied at every element written.
  /// Row by row from the top-left, each 0xAARRGGBB premultiplied; values may change but never their number.
  package var pixels: [UInt32]

  /// Takes ready pixels, of which there must be `width * height`.
  package init(width: Int, height: Int, pixels: [UInt32]) {
    precondition(width >= 0 && height >= 0 && pixels.count == width * height, "a pixel for every place")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// A bitmap of one colour.
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

  /// Stops the program when the pixels no longer fit the size, before memory beyond them is touched.
  func requireIntact() {
    precondition(pixels.count == width * height, "a bitmap's pixel count is fixed by its size")
  }

  /// The pixel at a place inside the bitmap.
  package subscript(x: Int, y: Int) -> Color {
    precondition(x >= 0 && x < width && y >= 0 && y < height, "a place inside the bitmap")
    return Color(premultiplied: pixels[y * width + x])
  }

  /// Copies the part of `rect` that lies inside; empty when none does.
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
