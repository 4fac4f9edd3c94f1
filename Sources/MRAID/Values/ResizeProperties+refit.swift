extension ResizeProperties {
  /// Where a resized ad lies once the content area is another: by the slot's new place, and never refused.
  ///
  /// What may not go offscreen shrinks to the content area and is shifted into it. What may keeps its size and place,
  /// but is shifted until its close region is on screen: no turn leaves a person without a way out.
  func refitted(in geometry: HostGeometry, rules: ResizeRules) -> Rect {
    let bounds = geometry.maxSize
    let home = geometry.defaultPosition
    var frame = Rect(x: home.x + offsetX, y: home.y + offsetY, width: width, height: height)
    if !allowOffscreen {
      frame.width = min(width, bounds.width)
      frame.height = min(height, bounds.height)
    }
    let kept = allowOffscreen ? closePosition(by: rules).region(in: frame) : frame
    return frame.offset(
      x: min(max(kept.x, 0), bounds.width - kept.width) - kept.x,
      y: min(max(kept.y, 0), bounds.height - kept.height) - kept.y)
  }
}
