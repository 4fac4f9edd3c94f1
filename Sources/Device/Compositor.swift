internal import Core
package import Pixels

/// Draws a screen as its user would see it, in physical pixels at the device's `renderScale`.
package struct Compositor: Sendable {
  package init() {}

  /// Draws the layers from bottom to top.
  ///
  /// A view without an image shows the layers below it; an image larger than its frame is clipped.
  package func compose(_ screen: Screen, views: [ViewID: Bitmap]) -> Bitmap {
    let grid = PixelGrid(scale: screen.device.renderScale)
    var canvas = Canvas(size: screen.size, grid: grid, fill: Palette.page)
    guard screen.isForeground else {
      canvas.homeScreen(of: screen)
      for layer in screen.systemLayers { drawSystem(layer, on: &canvas, Palette.signsOnLight) }
      return canvas.bitmap
    }
    for (index, layer) in screen.layers.enumerated() {
      let visible = visibleRegion(of: index, in: screen, views: views)
      guard !visible.isEmpty else { continue }
      draw(layer, of: screen, visible: visible, image: layer.viewID.flatMap { views[$0] }, on: &canvas)
    }
    return canvas.bitmap
  }

  /// The part of a layer outside the opaque images above it; the rest of the layer needs no drawing.
  private func visibleRegion(of index: Int, in screen: Screen, views: [ViewID: Bitmap]) -> Region {
    let pixel = 1 / Double(screen.device.renderScale)
    // A pixel less on each side, since frames in whole pixels may differ from those in dip.
    let border = Insets(top: pixel, left: pixel, bottom: pixel, right: pixel)
    guard let shown = screen.shownFrame(of: screen.layers[index]) else { return Region(union: []) }
    return screen.layers[(index + 1)...].reduce(Region(union: [shown])) { region, above in
      guard above.isOpaque, let image = above.viewID.flatMap({ views[$0] }) else { return region }
      var drawn = above.viewFrame
      drawn.width = min(drawn.width, Double(image.width) * pixel)
      drawn.height = min(drawn.height, Double(image.height) * pixel)
      guard let cover = above.clippedFrame?.intersection(drawn) else { return region }
      return region.subtracting(cover.inset(by: border))
    }
  }

  private func draw(
    _ layer: Layer, of screen: Screen, visible: Region, image: Bitmap?, on canvas: inout Canvas
  ) {
    switch layer.kind {
    case .hostPage:
      canvas.hostPage(of: screen, visible: visible)
    case .ad, .browser, .feed:
      if layer.kind == .browser { canvas.browserToolbar(in: layer.frame) }
      guard let image, let clip = screen.shownFrame(of: layer) else { return }
      canvas.image(image, in: layer.viewFrame, clip: clip)
    case .scrim:
      for rect in visible.rects { canvas.fill(rect, Palette.scrim) }
    case .closeControl:
      canvas.closeControl(in: layer.frame)
    case .statusBar, .homeIndicator:
      let isDark = screen.layers.contains { $0.kind == .scrim }
      drawSystem(layer, on: &canvas, isDark ? Palette.signsOnDark : Palette.signsOnLight)
    }
  }

  private func drawSystem(_ layer: Layer, on canvas: inout Canvas, _ color: Color) {
    if layer.kind == .statusBar {
      canvas.statusBar(in: layer.frame, color)
    } else {
      canvas.homeIndicator(in: layer.frame, color)
    }
  }
}

/// Converts dip into physical pixels.
struct PixelGrid: Sendable {
  /// Pixels per dip.
  let scale: Int

  /// The pixels of a drawn rectangle: edges are rounded to pixel borders, so that neighbours touch without a gap.
  func area(_ rect: Rect) -> PixelRect {
    let (left, top) = (pixels(rect.x), pixels(rect.y))
    return PixelRect(x: left, y: top, width: pixels(rect.maxX) - left, height: pixels(rect.maxY) - top)
  }

  /// The pixels of a view: corner and size are rounded separately, so that the area is as large as the view's image.
  func frame(_ rect: Rect) -> PixelRect {
    PixelRect(x: pixels(rect.x), y: pixels(rect.y), width: pixels(rect.width), height: pixels(rect.height))
  }

  /// A point in pixels, with fractions.
  func point(_ point: Point) -> PixelPoint {
    PixelPoint(x: point.x * Double(scale), y: point.y * Double(scale))
  }

  /// A length rounded to whole pixels; extreme values are clamped to ±1e9, and those that aren't finite become 0.
  func pixels(_ length: Double) -> Int {
    guard length.isFinite else { return 0 }
    return Bounded.int(length * Double(scale), in: -1_000_000_000...1_000_000_000)
  }
}
