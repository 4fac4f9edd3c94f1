/// What a player tells of its film and of the person in front of it.
package enum PlayerReport: Hashable, Sendable {
  case playing
  /// Seconds played.
  case time(Double)
  case paused
  case ended
  case muted(Bool)
  /// It can't go on, and why.
  case failed(String)
  /// The person touched the film, or its Learn More.
  case clicked
  case skipped
  /// The person wants the whole screen, or the slot back.
  case fullScreen
  /// An icon came into sight, or was touched; by its place in the ad.
  case iconShown(Int)
  case iconClicked(Int)
  /// An icon is due, and nothing of it came.
  case iconFailed(Int)

  /// Whether it says how far the film has come.
  package var isProgress: Bool {
    switch self {
    case .time, .ended: true
    default: false
    }
  }

  /// Whether somebody touched the player, so that the ad is what the person is at.
  package var isPersons: Bool {
    switch self {
    case .clicked, .skipped, .fullScreen, .iconClicked: true
    case .playing, .time, .paused, .ended, .muted, .failed, .iconShown, .iconFailed: false
    }
  }
}
