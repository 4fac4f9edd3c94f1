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
