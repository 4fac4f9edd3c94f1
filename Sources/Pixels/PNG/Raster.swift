/// Image in its file's own layout, 3 or 4 bytes per pixel with straight alpha, as used by comparisons.
package struct Raster: Sendable {
  package let width: Int
  package let height: Int
  /// Number of channels: 3 for RGB, 4 for RGBA with straight alpha.
  package let channels: Int
  /// Bytes before each row's first pixel: 1 if a PNG's filter byte is still there, otherwise 0.
  let lead: Int
  /// Rows from the top, followed by `slack` bytes that belong to none.
  let bytes: [UInt8]

  /// Number of bytes after the last row, so that pixels of three channels may be read four bytes at a time.
  static let slack = 16

  /// Creates a raster of rows in its own layout.
  init(width: Int, height: Int, channels: Int, lead: Int, bytes: [UInt8]) {
    precondition(channels == 3 || channels == 4, "pixels have three or four bytes")
    precondition(bytes.count == (lead + width * channels) * height + Self.slack, "rows for the whole height")
    self.width = width
    self.height = height
    self.channels = channels
    self.lead = lead
    self.bytes = bytes
  }

  /// Creates a raster of RGB or RGBA bytes without gaps between the rows.
  package init(width: Int, height: Int, channels: Int, packed: [UInt8]) {
    self.init(
      width: width, height: height, channels: channels, lead: 0,
      bytes: packed + [UInt8](repeating: 0, count: Self.slack))
  }

  /// Bytes from the start of a row to that of the next.
  private var stride: Int { lead + width * channels }

  /// Number of pixels.
  private var area: Int { width * height }
}

/// View of a raster's memory during a call: pixels by position, rows by address, without checks.
struct RasterPlane {
  let base: UnsafeRawPointer
  let stride: Int
  let channels: Int
  let width: Int
  let height: Int

  /// Returns the address of a row's first pixel.
  @inline(__always)
  func row(_ y: Int) -> UnsafeRawPointer { base + y &* stride }

  /// Returns a pixel with red in its lowest byte and straight alpha in its highest.
  @inline(__always)
  func pixel(_ x: Int, _ y: Int) -> UInt32 {
    let value = UInt32(littleEndian: (row(y) + x &* channels).loadUnaligned(as: UInt32.self))
    return channels == 3 ? value | 0xFF00_0000 : value
  }
}

extension Raster {
  /// Converts a bitmap: to RGB if it is opaque, otherwise to RGBA with its alpha divided out.
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

  /// Bitmap of the same image, with premultiplied alpha.
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

  /// Copy with an alpha channel that is 255 throughout; the raster itself if it has one.
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

  /// Passes `body` a view of the pixels' memory.
  func withPlane<Answer>(_ body: (RasterPlane) -> Answer) -> Answer {
    bytes.withUnsafeBytes { buffer in
      // Never empty: there is always the slack.
      let base = buffer.baseAddress.unsafelyUnwrapped
      return body(
        RasterPlane(base: base + lead, stride: stride, channels: channels, width: width, height: height))
    }
  }
}
