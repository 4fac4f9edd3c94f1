/// A picture in its file's own layout, 3 or 4 bytes a pixel with straight alpha: what comparing works on.
package struct Raster: Sendable {
  package let width: Int
  package let height: Int
  /// 3 for RGB, 4 for RGBA with straight alpha.
  package let channels: Int
  /// Bytes before each row's first pixel: 1 where a PNG's filter byte still stands, else 0.
  let lead: Int
  /// Rows from the top, then `slack` bytes that belong to none.
  let bytes: [UInt8]

  /// Bytes after the last row, so that three channels may be read four bytes at a time.
  static let slack = 16

  /// Takes rows that are laid out already.
  init(width: Int, height: Int, channels: Int, lead: Int, bytes: [UInt8]) {
    precondition(channels == 3 || channels == 4, "pixels have three or four bytes")
    precondition(bytes.count == (lead + width * channels) * height + Self.slack, "rows for the whole height")
    self.width = width
    self.height = height
    self.channels = channels
    self.lead = lead
    self.bytes = bytes
  }

  /// Takes RGB or RGBA bytes without anything between the rows.
  package init(width: Int, height: Int, channels: Int, packed: [UInt8]) {
    self.init(
      width: width, height: height, channels: channels, lead: 0,
      bytes: packed + [UInt8](repeating: 0, count: Self.slack))
  }

  /// Bytes from a row's start to the next one's.
  private var stride: Int { lead + width * channels }

  /// How many pixels there are.
  private var area: Int { width * height }
}

/// A raster's memory while it is held: pixels by place, rows by address; nothing is checked.
struct RasterPlane {
  let base: UnsafeRawPointer
  let stride: Int
  let channels: Int
  let width: Int
  let height: Int

  /// The first pixel of a row.
  @inline(__always)
  func row(_ y: Int) -> UnsafeRawPointer { base + y &* stride }

  /// A pixel with red in its lowest byte and straight alpha in its highest.
  @inline(__always)
  func pixel(_ x: Int, _ y: Int) -> UInt32 {
    let value = UInt32(littleEndian: (row(y) + x &* channels).loadUnaligned(as: UInt32.self))
    return channels == 3 ? value | 0xFF00_0000 : value
  }
}

extension Raster {
  /// The same picture as a bitmap is drawn: RGB when it is opaque, else RGBA with its alpha divided out.
  package init(_ bitmap: Bitmap) {
    bitmap.requireIntact()
    let channels = bitmap.isOpaque ? 3 : 4
    let size = bitmap.width * bitmap.height * channels
    let bytes = [UInt8](unsafeUninitializedCapacity: size + Self.slack) { buffer, count in
      count = size + Self.slack
      buffer.update(repeating: 0)
      guard let base = buffer.baseAddress else { return }
      for (index, pixel) in bitmap.pixels.enumerated() {
        let wire = ScanlinePixels.straight(pixel).littleEndian
        UnsafeMutableRawPointer(base).storeBytes(of: wire, toByteOffset: index &* channels, as: UInt32.self)
      }
    }
    self.init(width: bitmap.width, height: bitmap.height, channels: channels, lead: 0, bytes: bytes)
  }

  /// The picture as something to draw on.
  package var bitmap: Bitmap {
    let pixels = [UInt32](unsafeUninitializedCapacity: area) { buffer, count in
      count = area
      withPlane { plane in
        for y in 0..<height {
          for x in 0..<width { buffer[y &* width &+ x] = ScanlinePixels.premultiplied(plane.pixel(x, y)) }
        }
      }
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  /// The same picture with an alpha channel that is 255 throughout, or itself when it has one.
  var withAlpha: Raster {
    guard channels == 3 else { return self }
    let size = area * 4
    let bytes = [UInt8](unsafeUninitializedCapacity: size + Self.slack) { buffer, count in
      count = size + Self.slack
      guard let base = buffer.baseAddress else { return }
      UnsafeMutableBufferPointer(rebasing: buffer[size...]).update(repeating: 0)
      withPlane { plane in
        for y in 0..<height {
          let row = UnsafeMutableRawPointer(base + y &* width &* 4)
          for x in 0..<width {
            row.storeBytes(of: plane.pixel(x, y).littleEndian, toByteOffset: x &* 4, as: UInt32.self)
          }
        }
      }
    }
    return Raster(width: width, height: height, channels: 4, lead: 0, bytes: bytes)
  }

  /// Hands out the picture's pixels as memory.
  func withPlane<Answer>(_ body: (RasterPlane) -> Answer) -> Answer {
    bytes.withUnsafeBytes { buffer in
      // Never empty: there is always the slack.
      let base = buffer.baseAddress.unsafelyUnwrapped
      return body(
        RasterPlane(base: base + lead, stride: stride, channels: channels, width: width, height: height))
    }
  }
}
