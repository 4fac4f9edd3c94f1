extension Event {
  /// Whether it says that something came of an action, rather than that the action was done or looked at.
  ///
  /// Requests don't count either: when they end is the network's affair, and nobody sees them.
  package var isEffect: Bool {
    switch source {
    case .input, .network: false
    case .host: !Self.ownActions.contains(name)
    case .page: name != "console"
    case .ad: name != "creativeViewWasClicked" && name != "adViewWasClicked"
    case .creative: !Self.isQuestion(name)
    case .vast: Self.answersOfFilms.contains(name)
    case .mraid, .modal, .feed: true
    }
  }

  /// What the host logs of the person's own doing, and of taking pictures.
  private static let ownActions: Set<String> = [
    "load", "close", "rotate", "background", "foreground", "volume", "scroll", "settled", "screenshot", "pictureFailed",
  ]

  /// What a film tells because of a person; its moments come by themselves.
  private static let answersOfFilms: Set<String> = [
    "click", "skip", "closeLinear", "mute", "unmute", "pause", "resume", "playerExpand", "playerCollapse", "iconClick",
    "companionClick",
  ]

  /// Calls that ask or listen and change nothing.
  private static func isQuestion(_ name: String) -> Bool {
    name.hasPrefix("get") || ["isViewable", "supports", "addEventListener", "removeEventListener"].contains(name)
  }
}
