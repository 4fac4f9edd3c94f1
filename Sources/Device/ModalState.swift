package import Core
package import MRAID

/// State shown above the app: its kind, its view and its properties.
///
/// It is a plain value: the ad manager alone knows the creative that owns the content and handles its closing.
package struct ModalState: Hashable, Sendable {
  /// Kind of content.
  package var kind: Kind
  /// View with the content.
  package var displayView: AdViewID
  /// View that it was presented from; nil for the app itself.
  package var presentingView: AdViewID?
  /// Frame, orientation, close delay and position of the close control.
  package var properties: InterstitialDisplayProperties

  /// Creates a state that fills the content area and can be closed at once, unless the properties differ.
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

extension ModalState {
  /// Kind of content of a modal state.
  package enum Kind: Hashable, Sendable {
    /// Ad that was loaded to be shown full screen.
    case interstitial
    /// Ad that left its slot for the whole content area.
    case expanded
    /// Ad that left its slot for a frame of its own above the app.
    case resized
    /// The advertiser's page in the clickthrough browser.
    case browser(url: String)
    /// The host's full-screen player.
    case video(url: String)

    /// Name in the event log.
    package var name: String {
      switch self {
      case .interstitial: "interstitial"
      case .expanded: "expanded"
      case .resized: "resized"
      case .browser: "browser"
      case .video: "video"
      }
    }

    /// Indicates that it dims and blocks the content below; false for a resized ad.
    package var isModal: Bool { self != .resized }
  }
}

/// Display properties of a modal state.
package struct InterstitialDisplayProperties: Hashable, Sendable {
  /// Frame in dip from the content area's top-left corner (MRAID resize); nil fills the content area.
  package var contentFrame: Rect?
  /// Requested orientation, nil for any; the host has turned the app by the time the state is shown.
  package var interstitialLayout: AppOrientation?
  /// Seconds until the close control may be used, then 0; the presenter hides the control until then.
  ///
  /// The ad manager counts them: it refuses a host close meanwhile, and resets the state with 0 when the time is over.
  package var closeDelayLeft: Double
  /// Position of the host's close control; nil if there is none.
  package var closePosition: ClosePosition?

  /// Creates properties that fill the content area in any orientation, with a close control at the top right at once.
  package init(
    contentFrame: Rect? = nil, interstitialLayout: AppOrientation? = nil, closeDelayLeft: Double = 0,
    closePosition: ClosePosition? = .topRight
  ) {
    self.contentFrame = contentFrame
    self.interstitialLayout = interstitialLayout
    self.closeDelayLeft = closeDelayLeft
    self.closePosition = closePosition
  }
}

/// Identifier of a view that shows a part of an ad; the ad manager never holds the view itself.
package struct AdViewID: RawRepresentable, Hashable, Sendable, Codable {
  /// Name in the event log and in the layers.
  package let rawValue: String

  /// Creates the identifier from its name.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The creative's own page.
  package static let creative = AdViewID(rawValue: "creative")
  /// The page of a two-part expand.
  package static let secondPart = AdViewID(rawValue: "second-part")
  /// The player of an ad's first video.
  package static let player = AdViewID(rawValue: "player")
  /// The app's feed.
  package static let feed = AdViewID(rawValue: "feed")
  /// The clickthrough browser, or the placeholder of a player.
  package static let browser = AdViewID(rawValue: "browser")
}
