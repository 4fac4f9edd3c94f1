package import AdManager
package import Core

/// One thing on the screen; frames are dip from the screen's top-left.
package struct Layer: Hashable, Sendable, Identifiable {
  /// Unique on its screen.
  package var id: String
  package var kind: LayerKind
  package var frame: Rect
  /// The part of the screen outside which nothing of it shows, nil for all of it.
  package var clip: Rect?
  /// The web view drawn in it, for ads and browsers.
  package var viewID: ViewID?
  /// Whether the web view's picture hides all that is below; false for a view with a transparent background.
  package var isOpaque: Bool
  /// Whether an ad below counts as covered; by default as `LayerKind.occludes` says.
  package var occludes: Bool
  /// Whether a touch ends here; by default as `LayerKind.takesTouches` says.
  package var takesTouches: Bool

  package init(
    id: String, kind: LayerKind, frame: Rect, clip: Rect? = nil, viewID: ViewID? = nil, isOpaque: Bool = true,
    occludes: Bool? = nil, takesTouches: Bool? = nil
  ) {
    self.id = id
    self.kind = kind
    self.frame = frame
    self.clip = clip
    self.viewID = viewID
    self.isOpaque = isOpaque
    self.occludes = occludes ?? kind.occludes
    self.takesTouches = takesTouches ?? kind.takesTouches
  }

  /// Whether the host or the system draws it, not a creative.
  package var isHostOwned: Bool { kind.isHostOwned }

  /// Where the web view stands: a browser's is below its toolbar.
  package var viewFrame: Rect {
    kind == .browser ? frame.inset(by: Insets(top: Self.browserToolbarHeight)) : frame
  }

  /// The frame cut to the clip; nil when nothing is left.
  package var clippedFrame: Rect? {
    let shown = clip.map { frame.intersection($0) } ?? frame
    return shown.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A place on the screen as the layer's web view counts it.
  package func viewPoint(_ point: Point) -> Point {
    Point(x: point.x - viewFrame.x, y: point.y - viewFrame.y)
  }

  /// As tall as a close region, which fits into it.
  package static let browserToolbarHeight = 50.0
}

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

/// Names a web view whose pictures go onto the stage: the ad manager's own names, so that nothing is translated.
package typealias ViewID = AdViewID
