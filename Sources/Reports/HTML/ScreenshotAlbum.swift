internal import Checks
internal import Core
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
    /// On the wall, and on the strip above a timeline.
    case thumb
  }
  private struct Key: Sendable, Hashable {
    let path: String
    let use: Use
  }

  private let pictures: [Key: ReportScreenshot]

  /// The pictures of a report's results; the more there are, the smaller each gets.
  static func of(_ source: ReportSource) async -> ScreenshotAlbum {
    var wishes: [String: ScreenshotWish] = [:]
    for creative in source.report.creatives { add(creative, of: source, to: &wishes) }
    var pictures: [Key: ReportScreenshot] = [:]
    await withTaskGroup(of: (String, [Use: ReportScreenshot]).self) { group in
      // Decoded pictures are large: a few at a time.
      for (index, (path, wish)) in wishes.enumerated() {
        if index >= 4, let (path, made) = await group.next() {
          for (use, picture) in made { pictures[Key(path: path, use: use)] = picture }
        }
        group.addTask { (path, wish.pictures(of: path)) }
      }
      for await (path, made) in group {
        for (use, picture) in made { pictures[Key(path: path, use: use)] = picture }
      }
    }
    return ScreenshotAlbum(pictures: pictures)
  }

  /// A picture of a result's, by its path in the result's folder.
  func picture(
    _ file: String, for use: Use, in creative: CreativeReport, of source: ReportSource
  ) -> ReportScreenshot? {
    pictures[Key(path: source.path(of: file, in: creative), use: use)]
  }

  private static func add(
    _ creative: CreativeReport, of source: ReportSource, to wishes: inout [String: ScreenshotWish]
  ) {
    let scale = max(1, creative.record.device.renderScale)
    let total = source.report.creatives.reduce(0) { $0 + $1.record.screenshots.count }
    let share = total > 600 ? 3 : total > 200 ? 2 : 1
    func wish(_ file: String, _ uses: Use...) {
      let path = source.path(of: file, in: creative)
      guard !path.isEmpty else { return }
      wishes[path, default: ScreenshotWish(scale: scale, share: share)].uses.formUnion(uses)
    }
    for shot in creative.record.screenshots {
      wish(shot.path, .filmstrip, .thumb)
      wish(shot.pathOfAd, .filmstrip, .thumb)
    }
    let map = ResultFiles(source: source, creative: creative).stateMap
    for file in (map?.states.dropFirst() ?? []).compactMap(\.screenshot) { wish(file, .filmstrip) }
    for file in GraphModel.of(creative, map).states.compactMap(\.picture) { wish(file, .graph) }
  }
}

/// What a page wants of one picture, which is decoded once.
private struct ScreenshotWish: Sendable {
  /// Pixels of a dip.
  let scale: Int
  /// Dips of a pixel, in a page of many pictures.
  let share: Int
  var uses: Set<ScreenshotAlbum.Use> = []
  /// The most dips of a thumbnail.
  private static let thumb = (width: 330, height: 430)

  /// None of a file that can't be read.
  func pictures(of path: String) -> [ScreenshotAlbum.Use: ReportScreenshot] {
    guard let bytes = try? FileReading.regular(path, most: 64 << 20), let bitmap = try? PNGDecoder.decode(bytes) else {
      return [:]
    }
    let digest = SHA256.of(bytes)
    var pictures: [ScreenshotAlbum.Use: ReportScreenshot] = [:]
    for use in uses {
      pictures[use] = ReportScreenshot(bitmap, factor: factor(use, bitmap), digest: digest)
    }
    return pictures
  }

  /// How many pixels in a row become one.
  private func factor(_ use: ScreenshotAlbum.Use, _ bitmap: Bitmap) -> Int {
    switch use {
    case .filmstrip: return scale * share
    case .graph: return scale * 3
    case .thumb:
      let wide = (bitmap.width + scale * Self.thumb.width - 1) / (scale * Self.thumb.width)
      let high = (bitmap.height + scale * Self.thumb.height - 1) / (scale * Self.thumb.height)
      return scale * max(1, wide, high)
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
  /// Of the file it was made from: equal pictures have equal ones.
  let digest: Digest
  /// Whether it has one colour only: an ad that hadn't begun.
  let isUniform: Bool

  /// Makes a picture smaller by a whole factor; nil when it can't be written.
  fileprivate init?(_ bitmap: Bitmap, factor: Int, digest: Digest) {
    let small = bitmap.reduced(by: factor)
    guard let bytes = try? PNGEncoder.encode(small) else { return nil }
    address = "data:image/png;base64," + Data(bytes).base64EncodedString()
    (width, height, self.digest, isUniform) = (small.width, small.height, digest, small.isUniform)
  }
}
