/// Waits of a page's videos for the engine, in virtual time.
package struct VideoWaits: Sendable {
  /// Indicates that the page has had videos that wait.
  package private(set) var haveBeenSeen = false
  /// Number of waits that haven't ended.
  package private(set) var count = 0
  private var givenUp = 0

  package init() {}

  /// Counts a video that begins to wait, or goes on.
  package mutating func receive(_ mark: VideoMessage) {
    haveBeenSeen = true
    switch mark {
    case .waits: count += 1
    case .goesOn:
      count = max(0, count - 1)
      givenUp = 0
    }
  }

  /// Indicates that some of the waits haven't been given up.
  package var areAwaited: Bool { count > givenUp }

  /// Gives up the present waits, until one of these videos goes on.
  package mutating func giveUp() { givenUp = count }
}

/// Message of the script in each frame about videos, for which virtual time waits.
package enum VideoMessage: String, Sendable {
  case waits = "film-waits"
  case goesOn = "film-goes-on"
}
