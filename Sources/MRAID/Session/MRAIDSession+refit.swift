extension MRAIDSession {
  /// Asks for a new place when a resized ad lies wrong in another content area; nothing when it lies right already.
  ///
  /// MRAID leaves open what becomes of a resized ad when the device turns. Here it keeps to what `resize()` asked for
  /// as far as a person can still close it, and getters and `sizeChange` follow once it stands.
  mutating func refit(in new: HostGeometry) -> [MRAIDEffect] {
    guard state == .resized, let properties = shownResize else { return [] }
    let rules = profile.behaviour.resize
    let frame = properties.refitted(in: new, rules: rules)
    guard !frame.isAlmost(new.currentPosition) else { return [] }
    pending = PendingTransition(
      target: .resized, cause: "turn", origin: nil, opensPartTwo: false, orientationBefore: appliedOrientation,
      bounds: new.maxSize, isRefit: true)
    return [.present(.resized(frame: frame, closePosition: properties.closePosition(by: rules)))]
  }
}

extension Rect {
  /// Whether no edge differs by as much as half a dip, which a conversion through the screen can cost.
  fileprivate func isAlmost(_ other: Rect) -> Bool {
    [x - other.x, y - other.y, width - other.width, height - other.height].allSatisfy { abs($0) < 0.5 }
  }
}
