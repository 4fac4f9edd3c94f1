/// Format of a still image's file.
package enum StillFormat: String, Hashable, Sendable, Codable, CaseIterable {
  case jpeg, png, webp

  /// Extension of its files' names.
  package var ending: String { self == .jpeg ? "jpg" : rawValue }

  package var mediaType: String { "image/\(rawValue)" }
}

/// Result of writing an image.
package struct WrittenStill: Hashable, Sendable, Codable {
  package let bytes: Int
  /// Width and height in pixels.
  package let width: Int
  package let height: Int
  /// Quality from 1 to 100; nil for a lossless format.
  package let quality: Int?

  package init(bytes: Int, width: Int, height: Int, quality: Int?) {
    (self.bytes, self.width, self.height, self.quality) = (bytes, width, height, quality)
  }
}
