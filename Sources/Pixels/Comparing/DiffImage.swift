/// Images that visualise the differences of two images.
package enum DiffImage {
  /// Colour of pixels that count as different.
  private static let differing = Color(rgb: 0xFF_0000)
  /// Colour of pixels that look like anti-aliasing.
  private static let antialiased = Color(rgb: 0xFF_FF00)
  /// Colour of pixels that only moved.
  private static let shifted = Color(rgb: 0x00_80FF)
  /// Colour between images side by side, and around the smaller one.
  private static let ground = Color(rgb: 0x80_8080)
  private static let gap = 16

  /// Draws the first image faint and grey with the differences in colour above it, as pixelmatch does.
  ///
  /// Moves have a colour of their own, which pixelmatch lacks.
  package static func highlight(_ first: Raster, _ difference: ImageDifference) -> Bitmap {
    var bitmap = Bitmap(width: difference.size.width, height: difference.size.height, fill: .white)
    let area = PixelRect(x: 0, y: 0, width: first.width, height: first.height)
    first.withPlane { plane in
      bitmap.withRows(of: area) { row, y in
        for x in 0..<area.width { row[x] = faint(plane.pixel(x, y)) }
      }
    }
    bitmap.paint(difference.antialiased, antialiased)
    bitmap.paint(difference.shifted, shifted)
    bitmap.paint(difference.differing, differing)
    return bitmap
  }

  /// Returns the first image, the image of the differences and the second side by side.
  /// - Throws: `tooLarge` beyond 100 megapixels in all.
  package static func beside(_ first: Bitmap, _ middle: Bitmap, _ second: Bitmap) throws(PNGError) -> Bitmap {
    let images = [first, middle, second]
    let width = images.reduce(0) { $0 + $1.width } + gap * 2
    let height = images.map(\.height).max() ?? 0
    try PNGLimits.check(width: width, height: height)
    var bitmap = Bitmap(width: width, height: height, fill: ground)
    var left = 0
    for image in images {
      bitmap.blit(image, x: left, y: 0)
      left += image.width + gap
    }
    return bitmap
  }

  /// Returns both images on backgrounds of the same size, for an animation that alternates between them.
  /// - Throws: `tooLarge` beyond 100 megapixels in all.
  package static func blink(_ first: Bitmap, _ second: Bitmap) throws(PNGError) -> [Bitmap] {
    let (width, height) = (max(first.width, second.width), max(first.height, second.height))
    try PNGLimits.check(width: width, height: height * 2)
    return [first, second].map { image in
      var frame = Bitmap(width: width, height: height, fill: ground)
      frame.blit(image, x: 0, y: 0)
      return frame
    }
  }

  /// Returns a tenth of the pixel's brightness on white, truncated as in a byte array of JavaScript.
  private static func faint(_ pixel: UInt32) -> UInt32 {
    let color = YIQ.components(pixel)
    let brightness = color.x * 0.29889531 + color.y * 0.58662247 + color.z * 0.11448223
    let value = UInt32(255 + (brightness - 255) * 0.1 * Double(pixel &>> 24) / 255)
    return 0xFF00_0000 | value << 16 | value << 8 | value
  }
}

extension Bitmap {
  /// Gives every pixel of a mask of the bitmap's size an opaque colour.
  fileprivate mutating func paint(_ mask: PixelMask, _ color: Color) {
    let width = width
    pixels.withUnsafeMutableBufferPointer { pixels in
      mask.forEach { x, y in pixels[y &* width &+ x] = color.premultiplied }
    }
  }
}
