internal import MRAID

/// One thing shown above the app: what, for which view, how.
package struct ModalState: Hashable, Sendable {
  /// What a modal state holds.
  package enum Kind: Hashable, Sendable {
    case interstitial
    case expanded
    case resized
    /// A page of the advertiser's: the clickthrough browser.
    case browser(url: String)
    /// The host's full-screen player.
    case video(url: String)

    /// For the event log.
    package var name: String {
      switch self {
      case .interstitial: "interstitial"
      case .expanded: "expanded"
      case .resized: "resized"
      case .browser: "browser"
      case .video: "video"
      }
    }

    /// Whether it dims and blocks what lies below; a resized ad doesn't.
    package var isModal: Bool { self != .resized }
  }

  package var kind: Kind
  /// The view with the content.
  package var displayView: AdViewID
  /// The view it was presented from, nil for the app itself.
  package var presentingView: AdViewID?
  package var properties: InterstitialDisplayProperties

  package init(
    kind: Kind, displayView: AdViewID, presentingView: AdViewID? = nil,
    properties: InterstitialDisplayProperties = InterstitialDisplayProperties()
  ) {
    self.kind = kind
    self.displayView = displayView
    self.presentingView = presentingView
    self.properties = properties
  }
}
