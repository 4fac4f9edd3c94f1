package import MRAID

/// How a modal state is shown.
package struct InterstitialDisplayProperties: Hashable, Sendable {
  /// Dip from the content area's top-left (MRAID resize); nil fills the content area.
  package var contentFrame: Rect?
  /// The orientation asked for, nil for any.
  package var interstitialLayout: AppOrientation?
  /// Seconds until the close control may be used.
  package var closeDelayLeft: Double
  /// Where the host's close control stands.
  package var closePosition: ClosePosition

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
