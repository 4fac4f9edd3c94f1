package import Core

/// One layer of the screen; frames are in dip from the screen's top-left corner.
package struct Layer: Hashable, Sendable, Identifiable {
  /// Unique on its screen.
  package var id: String
  package var kind: LayerKind
  package var frame: Rect
  /// The part of the screen outside which the layer is invisible; nil for no clipping.
  package var clip: Rect?
  /// The web view drawn in the layer, for ads, browsers and feeds.
  package var viewID: ViewID?
  /// Indicates if the web view's image hides everything below; false for a view with a transparent background.
  package var isOpaque: Bool
  /// Indicates if an ad below counts as covered; by default the value of `LayerKind.occludes`.
  package var occludes: Bool
  /// Indicates if a touch ends at this layer; by default the value of `LayerKind.takesTouches`.
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

  /// Indicates if the host or the system draws the layer, rather than a creative.
  package var isHostOwned: Bool { kind.isHostOwned }

  /// Frame of the web view; a browser's is below its toolbar.
  package var viewFrame: Rect {
    kind == .browser ? frame.inset(by: Insets(top: Self.browserToolbarHeight)) : frame
  }

  /// The frame clipped to `clip`; nil if nothing is left.
  package var clippedFrame: Rect? {
    let shown = clip.map { frame.intersection($0) } ?? frame
    return shown.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A point of the screen in coordinates of the layer's web view.
  package func viewPoint(_ point: Point) -> Point {
    Point(x: point.x - viewFrame.x, y: point.y - viewFrame.y)
  }

  /// Height in dip, the same as of a close region, which fits into the toolbar.
  package static let browserToolbarHeight = 50.0
}

/// Kind of a layer, which decides its drawing, whether it covers the layers below and whether it takes touches.
package enum LayerKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// The app's own page around the slot; fills the screen.
  case hostPage
  /// A web view with the host's own feed, around the ads.
  case feed
  /// A web view with the creative, or with the second part of a two-part expand.
  case ad
  /// The dark sheet that a modal lays over everything below it; takes all touches.
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
  /// Indicates if the host or the system draws the layer, rather than a creative.
  package var isHostOwned: Bool { self != .ad }

  /// Indicates if an ad below counts as covered.
  ///
  /// A scrim covers it although it is translucent: an ad under a modal can't be used. The host's close control doesn't:
  /// the container put it there for the ad (Open Measurement calls that a friendly obstruction). Nor do the system's
  /// bars, which are transparent and outside the content area, where an ad is clipped anyway.
  package var occludes: Bool {
    switch self {
    case .ad, .scrim, .browser: true
    case .hostPage, .feed, .closeControl, .statusBar, .homeIndicator: false
    }
  }

  /// Indicates if a touch ends at the layer; touches on the home indicator's band go to the app, as on real devices.
  package var takesTouches: Bool { self != .homeIndicator }
}

/// Identifies a web view whose images go onto the screen. These are the ad manager's ids as well, so that none needs
/// translating.
package typealias ViewID = AdViewID
