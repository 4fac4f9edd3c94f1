/// Detection of animated images: the engine advances to their next frame when it has painted the last.
package enum MovingImage {
  /// Types that are never animated, prefixes of types that aren't images, and types that reveal nothing.
  private static let still: Set<String> = [
    "image/jpeg", "image/jpg", "image/pjpeg", "image/bmp", "image/x-icon", "image/vnd.microsoft.icon",
  ]
  private static let others = ["text/", "font/", "audio/", "video/", "application/"]
  private static let unknown: Set<String> = ["", "text/plain", "application/octet-stream"]

  /// Bytes of the smallest GIF with two frames and the time between them; most tracking pixels are smaller.
  private static let leastMovingGIF = 50

  /// Indicates if a resource may be animated; `body` is its data, nil if unknown, and `bytes` its length, or -1.
  package static func mayBe(mimeType: String, body: [UInt8]?, bytes: Int = -1) -> Bool {
    if still.contains(mimeType) { return false }
    if mimeType == "image/gif", (0..<leastMovingGIF).contains(body?.count ?? bytes) { return false }
    if mimeType == "image/png" { return body.map(isAnimatedPNG) ?? true }
    return unknown.contains(mimeType) || !others.contains { mimeType.hasPrefix($0) }
  }

  /// Indicates if a PNG is animated: it says so before its first image data, among chunks that are small.
  private static func isAnimatedPNG(_ body: [UInt8]) -> Bool {
    body.firstRange(of: Array("acTL".utf8)) != nil
  }
}
