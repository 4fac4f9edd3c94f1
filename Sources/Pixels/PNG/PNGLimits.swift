/// What the codec refuses to handle, so that a bad file can't take all memory.
enum PNGLimits {
  /// The most pixels in a picture: 400 MB of memory.
  static let pixels = 100_000_000
  /// The most bytes in a file.
  static let bytes = 512 << 20
  /// The most bytes in a text, profile or other chunk beside the picture.
  static let chunk = 16 << 20

  /// Throws when a picture has more pixels than are handled.
  static func check(width: Int, height: Int) throws(PNGError) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= pixels else {
      throw .tooLarge("\(width)x\(height) is more than \(pixels / 1_000_000) megapixels")
    }
  }
}
