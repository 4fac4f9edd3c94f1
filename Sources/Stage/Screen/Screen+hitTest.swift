package import MRAID

extension Screen {
  /// The topmost layer at a place that takes touches: under a scrim that is the scrim, beside a resized ad the page.
  package func hitTest(_ point: Point) -> Layer? {
    guard isForeground, bounds.contains(point) else { return nil }
    return layers.last { $0.takesTouches && $0.clippedFrame?.contains(point) == true }
  }
}
