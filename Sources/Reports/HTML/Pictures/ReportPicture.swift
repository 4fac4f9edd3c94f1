internal import FoundationEssentials
internal import Pixels

/// A picture as a page carries it.
struct ReportPicture: Sendable {
  /// A `data:` address.
  let address: String
  /// CSS pixels.
  let width: Int
  let height: Int

  /// Reads a PNG file and makes it smaller by a whole factor; nil when it can't be read.
  init?(path: String, factor: Int) {
    guard let bitmap = try? PNGDecoder.read(path: path).reduced(by: factor),
      let bytes = try? PNGEncoder.encode(bitmap)
    else { return nil }
    address = "data:image/png;base64," + Data(bytes).base64EncodedString()
    (width, height) = (bitmap.width, bitmap.height)
  }
}
