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
  var stride: Int { lead + width * channels }

  /// How many pixels there are.
  package var area: Int { width * height }
}
