package import Core
package import MRAID

/// One thing shown above the app: what, for which view, how.
///
/// It is a plain value: whose content it is, and who acts on its closing, is the ad manager's knowledge.
package struct ModalState: Hashable, Sendable {
  /// What it holds.
  package var kind: Kind
  /// The view with the content.
  package var displayView: AdViewID
  /// The view it was presented from, nil for the app itself.
  package var presentingView: AdViewID?
  /// Where it stands, how it is turned, and when it can be closed.
  package var properties: InterstitialDisplayProperties

  /// A state that fills the content area and can be closed at once, unless the properties say otherwise.
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
  /// What a modal state holds.
  package enum Kind: Hashable, Sendable {
    /// An ad that was loaded to be shown full screen.
    case interstitial
    /// An ad that left its slot for the whole content area.
    case expanded
    /// An ad that left its slot for a frame of its own above the app.
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
}

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
  /// Where the host's close control stands; nil where there is none.
  package var closePosition: ClosePosition?

  /// The content area, any orientation, and a close control at the top right from the start.
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

/// Names a view that shows something of an ad; the ad manager never holds the view itself.
package struct AdViewID: RawRepresentable, Hashable, Sendable, Codable {
  /// As the event log and the layers name it.
  package let rawValue: String

  /// Names a view.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The creative's own page.
  package static let creative = AdViewID(rawValue: "creative")
  /// The page of a two-part expand.
  package static let secondPart = AdViewID(rawValue: "second-part")
  /// The player of an ad's first film.
  package static let player = AdViewID(rawValue: "player")
  /// The app's feed.
  package static let feed = AdViewID(rawValue: "feed")
  /// The clickthrough browser, or what stands for a player.
  package static let browser = AdViewID(rawValue: "browser")
}
