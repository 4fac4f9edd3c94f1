internal import Core
package import Pixels

/// Draws a screen as its user would see it, in physical pixels at the device's `renderScale`.
package struct Compositor: Sendable {
  package init() {}

  /// Layers from bottom to top; a view without a picture shows what is below it, a larger one is cut to its frame.
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

  /// What is left of a layer outside the opaque pictures above it: nothing else of it needs drawing.
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

/// Turns dip into physical pixels.
struct PixelGrid: Sendable {
  /// Pixels per dip.
  let scale: Int

  /// A drawn area: each edge goes to the nearest pixel border, so neighbours touch without a gap.
  func area(_ rect: Rect) -> PixelRect {
    let (left, top) = (pixels(rect.x), pixels(rect.y))
    return PixelRect(x: left, y: top, width: pixels(rect.maxX) - left, height: pixels(rect.maxY) - top)
  }

  /// A view's area: corner and size go to whole pixels each for itself, so it's as large as the view's picture.
  func frame(_ rect: Rect) -> PixelRect {
    PixelRect(x: pixels(rect.x), y: pixels(rect.y), width: pixels(rect.width), height: pixels(rect.height))
  }

  /// A place between pixels.
  func point(_ point: Point) -> PixelPoint {
    PixelPoint(x: point.x * Double(scale), y: point.y * Double(scale))
  }

  /// A length to the nearest whole pixel; absurd ones are cut so that they stay numbers.
  func pixels(_ length: Double) -> Int {
    guard length.isFinite else { return 0 }
    return Bounded.int(length * Double(scale), in: -1_000_000_000...1_000_000_000)
  }
}
