@testable import Pixels

/// Small pictures made of rectangles.
struct RasterSample {
  let width: Int
  let height: Int
  var channels = 3
  private var bytes: [UInt8]

  /// A picture of one colour, 0xAARRGGBB with straight alpha.
  init(_ width: Int, _ height: Int, fill: UInt32 = 0xFFFF_FFFF, channels: Int = 3) {
    (self.width, self.height, self.channels) = (width, height, channels)
    bytes = []
    for _ in 0..<(width * height) { bytes += Self.bytes(fill, channels) }
  }

  /// The same with a filled rectangle.
  func with(_ color: UInt32, x: Int, y: Int, width: Int, height: Int) -> RasterSample {
    var copy = self
    for row in y..<(y + height) {
      for column in x..<(x + width) { copy.set(column, row, color) }
    }
    return copy
  }

  mutating func set(_ x: Int, _ y: Int, _ color: UInt32) {
    let at = (y * width + x) * channels
    bytes.replaceSubrange(at..<(at + channels), with: Self.bytes(color, channels))
  }

  var raster: Raster { Raster(width: width, height: height, channels: channels, packed: bytes) }

  private static func bytes(_ color: UInt32, _ channels: Int) -> [UInt8] {
    [16, 8, 0, 24].prefix(channels).map { UInt8(truncatingIfNeeded: color >> $0) }
  }
}
