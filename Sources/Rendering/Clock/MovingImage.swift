/// Images that may move by themselves: the engine goes on to their next picture when it has painted the last.
enum MovingImage {
  /// Types that never move, those that aren't images, and those that say nothing.
  private static let still: Set<String> = ["image/jpeg", "image/bmp", "image/x-icon", "image/vnd.microsoft.icon"]
  private static let others = ["text/", "font/", "audio/", "video/", "application/"]
  private static let unknown: Set<String> = ["", "text/plain", "application/octet-stream"]

  /// Whether a resource may be one; `body` is what came, nil when that isn't known.
  static func mayBe(mimeType: String, body: [UInt8]?) -> Bool {
    if still.contains(mimeType) { return false }
    if mimeType == "image/png" { return body.map(isAnimatedPNG) ?? true }
    return unknown.contains(mimeType) || !others.contains { mimeType.hasPrefix($0) }
  }

  /// An animated PNG says so before its first picture, among chunks that are small.
  private static func isAnimatedPNG(_ body: [UInt8]) -> Bool {
    body.firstRange(of: Array("acTL".utf8)) != nil
  }
}
