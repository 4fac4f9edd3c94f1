internal import Pixels

/// What a screen looks like without the ads in its page: drawn and compressed once, for all pictures with ads in it.
struct ScreenTemplate: Sendable {
  /// The rows over and under those in which ads stand.
  private let above: CompressedRows
  private let below: CompressedRows
  /// The rows in which they stand, as they are without them.
  private let band: Bitmap

  /// What makes a screen's template: two screens alike in this have the same.
  struct Layout: Hashable, Sendable {
    /// The screen with nothing on it but what the host and the system draw.
    fileprivate let screen: Screen
    /// The rows in which ads stand, in physical pixels.
    let rows: Range<Int>

    /// Nil for a screen on which more than ads in the page comes and goes, or of which they are the most.
    init?(_ screen: Screen) {
      var bare = screen
      bare.layers.removeAll { $0.kind == .ad }
      let size = screen.pixelFrame(of: screen.bounds)
      guard screen.isForeground else {
        bare.layers = []
        (self.screen, rows) = (bare, 0..<0)
        return
      }
      let ads = screen.layers.filter { $0.kind == .ad }
      guard screen.feed == nil, Self.isPlain(screen.layers), let rows = Self.rows(of: ads, on: screen),
        rows.count * 2 <= size.height, Self.areApart(rows, bare)
      else { return nil }
      (self.screen, self.rows) = (bare, rows)
    }

    /// Whether the host's page is below all ads, the system's bars above them, and nothing else there.
    private static func isPlain(_ layers: [Layer]) -> Bool {
      guard layers.first?.kind == .hostPage else { return false }
      let rest = layers.dropFirst().drop { $0.kind == .ad }
      return rest.allSatisfy { $0.kind == .statusBar || $0.kind == .homeIndicator }
    }

    /// The rows that ads may change; none where all are off the screen.
    private static func rows(of ads: [Layer], on screen: Screen) -> Range<Int>? {
      let frames = ads.compactMap { screen.shownFrame(of: $0).map(PixelGrid(scale: screen.device.renderScale).area) }
      let shown = frames.compactMap { $0.intersection(screen.pixelFrame(of: screen.bounds)) }
      guard let top = shown.map(\.y).min(), let bottom = shown.map(\.maxY).max() else { return 0..<0 }
      return top..<bottom
    }

    /// Whether no bar of the system's is drawn where ads are.
    private static func areApart(_ rows: Range<Int>, _ bare: Screen) -> Bool {
      bare.layers.dropFirst().allSatisfy { layer in
        let frame = bare.pixelFrame(of: layer.frame)
        return !rows.overlaps(frame.y..<max(frame.y, frame.maxY))
      }
    }
  }

  /// Draws and compresses the screen.
  /// - Throws: as `CompressedRows`.
  init(_ layout: Layout) throws(PNGError) {
    let picture = Compositor().compose(layout.screen, views: [:])
    func rows(_ range: Range<Int>) -> Bitmap {
      picture.crop(PixelRect(x: 0, y: range.lowerBound, width: picture.width, height: range.count))
    }
    above = try CompressedRows(rows(0..<layout.rows.lowerBound))
    below = try CompressedRows(rows(layout.rows.upperBound..<picture.height))
    band = rows(layout.rows)
  }

  /// Memory that it takes.
  var byteCount: Int { above.byteCount + below.byteCount + band.pixels.count * 4 }

  /// The file of a picture with ads, of which only the rows with ads are drawn and compressed.
  ///
  /// The screen's layout has to be the template's. Nil when something shows through the picture.
  /// - Throws: as `CompressedRows`.
  func encode(_ screen: Screen, _ layout: Layout, views: [ViewID: Bitmap]) throws(PNGError) -> [UInt8]? {
    let grid = PixelGrid(scale: screen.device.renderScale)
    var band = band
    for layer in screen.layers where layer.kind == .ad {
      guard let image = layer.viewID.flatMap({ views[$0] }), let clip = screen.shownFrame(of: layer) else { continue }
      let (frame, area) = (grid.frame(layer.viewFrame), grid.area(clip))
      let up = -layout.rows.lowerBound
      band.draw(image, in: frame.offset(x: 0, y: up), clip: area.offset(x: 0, y: up))
    }
    guard band.isOpaque else { return nil }
    return try PNGEncoder.encode([above, CompressedRows(band), below])
  }
}
