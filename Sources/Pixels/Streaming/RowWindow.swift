/// Some rows of a picture that isn't in memory as a whole, laid out as a raster's.
struct RowWindow: Sendable {
  /// The picture's size and layout.
  let width: Int
  let height: Int
  let channels: Int
  /// The rows that are here.
  let rows: Range<Int>
  /// Each behind its filter byte, then a raster's slack.
  let bytes: [UInt8]

  var stride: Int { 1 + width * channels }

  /// The picture, of which nobody may look at rows that aren't here.
  func withPlane<T>(_ body: (RasterPlane) -> T) -> T {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("rows have bytes") }
      let first = base + (1 - rows.lowerBound * stride)
      return body(RasterPlane(base: first, stride: stride, channels: channels, width: width, height: height))
    }
  }
}
