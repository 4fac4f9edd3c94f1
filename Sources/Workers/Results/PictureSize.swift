internal import Core
internal import FoundationEssentials

/// A picture's size in physical pixels, read from its first bytes alone.
struct PictureSize: Hashable, Sendable {
  let width: Int
  let height: Int

  /// Nil when there is no such file or it doesn't begin like a PNG: signature, then IHDR with width and height.
  init?(ofPNG path: String) {
    guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe), data.count >= 24,
      data.prefix(16) == Data([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82])
    else { return nil }
    width = data[16..<20].reduce(0) { $0 << 8 | Int($1) }
    height = data[20..<24].reduce(0) { $0 << 8 | Int($1) }
  }
}
