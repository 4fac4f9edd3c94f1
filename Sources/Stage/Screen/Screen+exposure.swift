package import MRAID

extension Screen {
  /// How much of a layer can be seen, as `exposureChange` reports it (MRAID 3.0 §7); `.none` for an unknown layer.
  ///
  /// The visible rectangle is what screen and clip leave of the layer, counted from the layer's top-left corner. The
  /// occluding layers above are cut to it and taken apart until none overlap. Nothing is visible in the background.
  package func exposure(of id: Layer.ID) -> Exposure {
    guard isForeground, let index = layers.firstIndex(where: { $0.id == id }) else { return .none }
    let layer = layers[index]
    guard let visible = shownFrame(of: layer) else { return .none }
    let occluders = layers[(index + 1)...].filter(\.occludes).compactMap { $0.clippedFrame?.intersection(visible) }
    let covered = Region(union: occluders)

    let share = (visible.area - covered.area) / layer.frame.area
    // Sums of fractional areas may miss zero by a hair.
    guard share > 1e-9 else { return .none }
    let occlusions = covered.rects.map { $0.offset(x: -layer.frame.x, y: -layer.frame.y) }
    return Exposure(
      exposedPercentage: min(100, share * 100),
      visibleRectangle: visible.offset(x: -layer.frame.x, y: -layer.frame.y),
      occlusionRectangles: occlusions.isEmpty ? nil : occlusions)
  }

  /// How much can be seen of the topmost layer that shows the view.
  package func exposure(ofView view: ViewID) -> Exposure {
    layer(showing: view).map { exposure(of: $0.id) } ?? .none
  }
}
