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
