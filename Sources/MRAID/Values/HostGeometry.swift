/// What the host knows of its screen, in dip.
package struct HostGeometry: Hashable, Sendable, Codable {
  /// The device's screen in its present orientation.
  package var screenSize: Size
  /// The app's content area: the largest an ad can become.
  package var maxSize: Size
  /// Where the ad's slot is, from the content area's top-left.
  package var defaultPosition: Rect
  /// Where the ad is now, from the content area's top-left.
  package var currentPosition: Rect
  /// How the app stands.
  package var orientation: AppOrientation
  /// Whether the app refuses to turn.
  package var orientationLocked: Bool

  package init(
    screenSize: Size, maxSize: Size, defaultPosition: Rect, currentPosition: Rect, orientation: AppOrientation,
    orientationLocked: Bool = false
  ) {
    self.screenSize = screenSize
    self.maxSize = maxSize
    self.defaultPosition = defaultPosition
    self.currentPosition = currentPosition
    self.orientation = orientation
    self.orientationLocked = orientationLocked
  }
}

/// How the app stands on the screen.
package enum AppOrientation: String, Sendable, Codable, CaseIterable {
  case portrait, landscape
}
