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
