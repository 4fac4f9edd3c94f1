/// What a picture that stands still can be written as.
package enum StillFormat: String, Hashable, Sendable, Codable, CaseIterable {
  case jpeg, png, webp

  /// The end of its files' names.
  package var ending: String { self == .jpeg ? "jpg" : rawValue }

  package var mediaType: String { "image/\(rawValue)" }
}

/// What became of a picture that was written.
package struct WrittenStill: Hashable, Sendable, Codable {
  package let bytes: Int
  /// Pixels.
  package let width: Int
  package let height: Int
  /// From 1 to 100; nil for a format that loses nothing.
  package let quality: Int?

  package init(bytes: Int, width: Int, height: Int, quality: Int?) {
    (self.bytes, self.width, self.height, self.quality) = (bytes, width, height, quality)
  }
}
