internal import Checks
internal import FoundationEssentials
internal import Pixels
internal import RenderModel

/// Every picture a page shows, read and made smaller before the page is written.
struct ScreenshotAlbum: Sendable {
  /// Where a picture is to be seen.
  enum Use: Hashable, Sendable {
    case filmstrip
    /// In a box of the state graph, a third as wide as the screen.
    case graph
  }
  private struct Key: Sendable, Hashable {
    let path: String
    let use: Use
  }
  private struct Wish: Sendable {
    let key: Key
    /// How many pixels in a row become one.
    let factor: Int
  }

  private let pictures: [Key: ReportScreenshot]

  /// The pictures of a report's results; the more there are, the smaller each gets.
  static func of(_ source: ReportSource) async -> ScreenshotAlbum {
    let wishes = source.report.creatives.flatMap { Self.wishes($0, source: source) }
    var pictures: [Key: ReportScreenshot] = [:]
    await withTaskGroup(of: (Key, ReportScreenshot?).self) { group in
      // Decoded pictures are large: a few at a time.
      for (index, wish) in wishes.enumerated() {
        if index >= 4, let (key, picture) = await group.next() { pictures[key] = picture }
        group.addTask { (wish.key, ReportScreenshot(path: wish.key.path, factor: wish.factor)) }
      }
      for await (key, picture) in group { pictures[key] = picture }
    }
    return ScreenshotAlbum(pictures: pictures)
  }

  /// A picture of a result's, by its path in the result's folder.
  func picture(
    _ file: String, for use: Use, in creative: CreativeReport, of source: ReportSource
  ) -> ReportScreenshot? {
    pictures[Key(path: source.path(of: file, in: creative), use: use)]
  }

  private static func wishes(_ creative: CreativeReport, source: ReportSource) -> [Wish] {
    let scale = max(1, creative.record.device.renderScale)
    let total = source.report.creatives.reduce(0) { $0 + $1.record.screenshots.count }
    let share = total > 300 ? 3 : total > 60 ? 2 : 1
    let shots = creative.record.screenshots.map { (Use.filmstrip, $0.path, scale * share) }
    let map = ResultFiles(source: source, creative: creative).stateMap
    let states = (map?.states.dropFirst() ?? []).compactMap(\.screenshot).map { (Use.filmstrip, $0, scale * share) }
    let boxes = GraphModel.of(creative, map).states.compactMap(\.picture).map { (Use.graph, $0, scale * 3) }
    return (shots + states + boxes).map { use, file, factor in
      Wish(key: Key(path: source.path(of: file, in: creative), use: use), factor: factor)
    }
  }
}

/// A picture as a page carries it.
struct ReportScreenshot: Sendable {
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
