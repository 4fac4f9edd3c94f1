package import MRAID

/// What an ad view asks for: the kind of ad, never the kind of creative.
package struct AdConfiguration: Hashable, Sendable {
  /// Where an ad of this kind is shown.
  package enum Kind: String, Sendable {
    /// In a slot of the app's page.
    case banner
    /// Above the app, until it is closed.
    case interstitial
  }

  /// Banner or interstitial.
  package var kind: Kind
  /// The slot's size in dip; an interstitial's is the content area's.
  package var size: Size
  /// Seconds until an interstitial's close control may be used; counted only where the ad manager has a timer.
  package var closeDelay: Double

  /// An ad of this kind and size.
  package init(kind: Kind, size: Size, closeDelay: Double = 0) {
    self.kind = kind
    self.size = size
    self.closeDelay = closeDelay
  }
}
