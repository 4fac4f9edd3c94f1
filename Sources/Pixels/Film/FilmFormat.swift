/// Format of a recording's file.
package enum FilmFormat: String, Hashable, Sendable, Codable, CaseIterable {
  case mp4, webm, gif, webp, apng

  /// Returns the format of a file's extension, in any case; an animated `.png` is an APNG.
  package init?(ending: String) {
    switch ending.lowercased() {
    case "png": self = .apng
    case let ending: self.init(rawValue: ending)
    }
  }

  package var mediaType: String {
    switch self {
    case .mp4: "video/mp4"
    case .webm: "video/webm"
    case .gif: "image/gif"
    case .webp: "image/webp"
    case .apng: "image/apng"
    }
  }
}
