/// What a layer is, which decides how it is drawn, whether it covers what is below and whether it takes touches.
package enum LayerKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// The app's own page around the slot; fills the screen.
  case hostPage
  /// A web view with the host's own feed, around the ads.
  case feed
  /// A web view with the creative, or with the second part of a two-part expand.
  case ad
  /// What a modal lays over everything below it; swallows touches.
  case scrim
  /// The clickthrough browser or the AdChoices page: the host's toolbar above a web view.
  case browser
  /// The host's own close control.
  case closeControl
  /// The system's band along the top.
  case statusBar
  /// The system's band along the bottom.
  case homeIndicator
}

extension LayerKind {
  /// Whether the host or the system draws it, not a creative.
  package var isHostOwned: Bool { self != .ad }

  /// Whether an ad below counts as covered.
  ///
  /// A scrim does although it is translucent: what lies under a modal can't be used. The host's close control doesn't:
  /// the container put it there for the ad (Open Measurement calls that a friendly obstruction). Nor do the system's
  /// bars, which are transparent and outside the content area, where an ad is cut off anyway.
  package var occludes: Bool {
    switch self {
    case .ad, .scrim, .browser: true
    case .hostPage, .feed, .closeControl, .statusBar, .homeIndicator: false
    }
  }

  /// Whether a touch ends here; touches on the home indicator's band go to the app, as on real devices.
  package var takesTouches: Bool { self != .homeIndicator }
}
