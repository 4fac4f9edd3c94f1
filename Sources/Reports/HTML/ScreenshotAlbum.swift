internal import Checks
internal import Core
internal import FoundationEssentials
internal import Pixels
internal import RenderModel

/// All pictures of a page, read and reduced before the page is written.
struct ScreenshotAlbum: Sendable {
  /// Place in which a picture is shown.
  enum Use: Hashable, Sendable {
    case filmstrip
    /// Box of the state graph, a third as wide as the screen.
    case graph
    /// Card on the wall, or the strip above a timeline.
    case thumb
    /// Film, with all its frames and in its full size.
    case film
  }
  private struct Key: Sendable, Hashable {
    let path: String
    let use: Use
  }

  private let pictures: [Key: ReportScreenshot]

  /// Reads the pictures of a report's results; the more there are, the smaller each becomes.
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

  /// Returns a picture of a result by its path in the result's folder; nil if it can't be read.
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
    if creative.build != nil {
      for still in PlayableStills(creative.record, map).stills { wish(still.file, .thumb) }
      for film in [creative.record.filmstrip?.animation, creative.film].compactMap(\.self) { wish(film, .film) }
    }
    for file in GraphModel.of(creative, map).states.compactMap(\.picture) { wish(file, .graph) }
  }
}

/// Requested sizes of one picture, which is decoded once.
private struct ScreenshotWish: Sendable {
  /// Pixels per dip.
  let scale: Int
  /// Additional factor of reduction for pages with many pictures.
  let share: Int
  var uses: Set<ScreenshotAlbum.Use> = []
  /// Maximum size of a thumbnail in dips.
  private static let thumb = (width: 330, height: 430)
  /// Maximum size in bytes of a film that a page contains.
  private static let largestFilm = 8 << 20

  /// Returns the pictures; empty for a file that can't be read.
  func pictures(of path: String) -> [ScreenshotAlbum.Use: ReportScreenshot] {
    guard let bytes = try? FileReading.regular(path, most: 64 << 20) else { return [:] }
    let digest = SHA256.of(bytes)
    if let size = WebPHeader.size(bytes) {
      guard uses == [.film], bytes.count <= Self.largestFilm else { return [:] }
      return [.film: ReportScreenshot(webP: bytes, width: size.width, height: size.height, digest: digest)]
    }
    guard let bitmap = try? PNGDecoder.decode(bytes) else { return [:] }
    var pictures: [ScreenshotAlbum.Use: ReportScreenshot] = [:]
    for use in uses.subtracting([.film]) {
      pictures[use] = ReportScreenshot(bitmap, factor: factor(use, bitmap), digest: digest)
    }
    if uses.contains(.film), bytes.count <= Self.largestFilm {
      pictures[.film] = ReportScreenshot(film: bytes, of: bitmap, digest: digest)
    }
    return pictures
  }

  /// Returns the factor by which width and height are reduced.
  private func factor(_ use: ScreenshotAlbum.Use, _ bitmap: Bitmap) -> Int {
    switch use {
    case .film: return 1
    case .filmstrip: return scale * share
    case .graph: return scale * 3
    case .thumb:
      let wide = (bitmap.width + scale * Self.thumb.width - 1) / (scale * Self.thumb.width)
      let high = (bitmap.height + scale * Self.thumb.height - 1) / (scale * Self.thumb.height)
      return scale * max(1, wide, high)
    }
  }
}

/// Header of an animated WebP.
enum WebPHeader {
  /// Returns the size of the canvas in pixels; nil for any other file.
  ///
  /// Source: RFC 9649, section 2.7. Sides are stored less 1, in 24 bits.
  static func size(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= 30, bytes[0..<4].elementsEqual("RIFF".utf8), bytes[8..<16].elementsEqual("WEBPVP8X".utf8)
    else { return nil }
    func side(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]) << 16 }
    return (side(24) + 1, side(27) + 1)
  }
}

/// Picture as embedded in a page.
struct ReportScreenshot: Sendable {
  /// URL with the scheme `data:`.
  let address: String
  /// Width in CSS pixels.
  let width: Int
  let height: Int
  /// Hash of the source file, by which equal pictures are recognized.
  let digest: Digest
  /// Indicates if the picture has a single colour, as of an ad that hadn't begun.
  let isUniform: Bool

  /// Reduces a picture by a whole factor; nil if it can't be encoded.
  fileprivate init?(_ bitmap: Bitmap, factor: Int, digest: Digest) {
    let small = bitmap.reduced(by: factor)
    guard let bytes = try? PNGEncoder.encode(small) else { return nil }
    address = "data:image/png;base64," + Data(bytes).base64EncodedString()
    (width, height, self.digest, isUniform) = (small.width, small.height, digest, small.isUniform)
  }

  /// Keeps the file of an animated WebP as it is.
  fileprivate init(webP bytes: [UInt8], width: Int, height: Int, digest: Digest) {
    address = "data:image/webp;base64," + Data(bytes).base64EncodedString()
    (self.width, self.height, self.digest, isUniform) = (width, height, digest, false)
  }

  /// Keeps the file of an animation as it is; its frames have the size of the page.
  fileprivate init(film bytes: [UInt8], of first: Bitmap, digest: Digest) {
    address = "data:image/png;base64," + Data(bytes).base64EncodedString()
    (width, height, self.digest, isUniform) = (first.width, first.height, digest, first.isUniform)
  }
}
