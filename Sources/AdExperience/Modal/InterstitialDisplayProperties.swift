package import MRAID

/// How a modal state is shown.
package struct InterstitialDisplayProperties: Hashable, Sendable {
  /// Dip from the content area's top-left (MRAID resize); nil fills the content area.
  package var contentFrame: Rect?
  /// The orientation asked for, nil for any; the host has turned the app by the time the state is shown.
  package var interstitialLayout: AppOrientation?
  /// Seconds until the close control may be used, 0 once it may; the presenter leaves it out as long as they run.
  ///
  /// The ad manager counts: it refuses a host close meanwhile, and resets the state with 0 when the time is over.
  package var closeDelayLeft: Double
  /// Where the host's close control stands.
  package var closePosition: ClosePosition

  /// The content area, any orientation, and a close control at the top right from the start.
  package init(
    contentFrame: Rect? = nil, interstitialLayout: AppOrientation? = nil, closeDelayLeft: Double = 0,
    closePosition: ClosePosition = .topRight
  ) {
    self.contentFrame = contentFrame
    self.interstitialLayout = interstitialLayout
    self.closeDelayLeft = closeDelayLeft
    self.closePosition = closePosition
  }
}
