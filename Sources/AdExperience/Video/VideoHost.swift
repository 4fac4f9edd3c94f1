package import MRAID

/// What a video creative needs of the world around it: a player, and somebody to tell.
package protocol VideoHost: AnyObject {
  /// Starts the film or lets it go on.
  func play(_ view: AdViewID)
  /// Stops it where it is.
  func pause(_ view: AdViewID)
  /// Turns its sound off or on.
  func setMuted(_ isMuted: Bool, _ view: AdViewID)
  /// It has the whole screen, or its slot again.
  func setFullScreen(_ isFullScreen: Bool, _ view: AdViewID)
  /// Whether it is to stand still, since somebody wants to look at this very moment.
  func standsStill(_ view: AdViewID) -> Bool
  /// Notes an event of the standard, and what is told to whom because of it.
  func track(_ event: TrackedEvent)
}

/// An event of a video ad, as the log has it and as its beacons are sent.
package struct TrackedEvent: Hashable, Sendable {
  /// The standard's word.
  package var name: String
  /// What else is known, the same in every run.
  package var detail: [String: JSONValue] = [:]
  /// Addresses with their macros.
  package var beacons: [String] = []
  /// What the macros stand for that this event knows.
  package var macros: [String: String] = [:]
  /// Seconds of the film; nil before it plays.
  package var playhead: Double?

  package init(
    _ name: String, detail: [String: JSONValue] = [:], beacons: [String] = [], macros: [String: String] = [:],
    playhead: Double? = nil
  ) {
    self.name = name
    self.detail = detail
    self.beacons = beacons
    self.macros = macros
    self.playhead = playhead
  }
}
