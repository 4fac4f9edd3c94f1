internal import FoundationEssentials

/// Pictures as data addresses, until the page has enough of them.
struct EmbeddedPictures {
  private var left: Int
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init(limit: Int) { left = limit }

  /// Nil when the file can't be read or there is no room for it any more.
  mutating func address(of path: String) -> String? {
    guard let bytes = try? ResultFile.read(path), bytes.count <= left, bytes.starts(with: Self.signature)
    else { return nil }
    left -= bytes.count
    return "data:image/png;base64," + bytes.base64EncodedString()
  }
}
