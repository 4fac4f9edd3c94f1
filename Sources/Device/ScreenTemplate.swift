internal import Pixels

/// A screen without the ads in its page, drawn and compressed once for all screenshots that add ads to it.
struct ScreenTemplate: Sendable {
  /// The rows above and below those with ads.
  private let above: CompressedRows
  private let below: CompressedRows
  /// The rows with ads, drawn without them.
  private let band: Bitmap

  /// Key of a screen's template: screens with equal layouts share a template.
  struct Layout: Hashable, Sendable {
    /// The screen with only the layers that the host and the system draw.
    fileprivate let screen: Screen
    /// The rows with ads, in physical pixels.
    let rows: Range<Int>

    /// Nil if layers other than the ads in the page may change, or if the ads take more than half of the rows.
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

    /// Indicates if the layers are the host's page, then ads, then the system's bars, and nothing else.
    private static func isPlain(_ layers: [Layer]) -> Bool {
      guard layers.first?.kind == .hostPage else { return false }
      let rest = layers.dropFirst().drop { $0.kind == .ad }
      return rest.allSatisfy { $0.kind == .statusBar || $0.kind == .homeIndicator }
    }

    /// The rows that ads may change; an empty range if all ads are off the screen.
    private static func rows(of ads: [Layer], on screen: Screen) -> Range<Int>? {
      let frames = ads.compactMap { screen.shownFrame(of: $0).map(PixelGrid(scale: screen.device.renderScale).area) }
      let shown = frames.compactMap { $0.intersection(screen.pixelFrame(of: screen.bounds)) }
      guard let top = shown.map(\.y).min(), let bottom = shown.map(\.maxY).max() else { return 0..<0 }
      return top..<bottom
    }

    /// Indicates if no system bar is drawn in the rows of the ads.
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

  /// Memory that the template takes, in bytes.
  var byteCount: Int { above.byteCount + below.byteCount + band.pixels.count * 4 }

  /// The PNG of a screen with ads, of which only the rows with ads are drawn and compressed.
  ///
  /// The screen must have the template's layout. Returns nil if the rows with ads aren't opaque.
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
