/// What becomes of a render's requests on their way to the network, where it isn't left to the network.
package struct TrafficOptions: Hashable, Sendable, Codable {
  /// Whether what comes is kept, or what was kept answers.
  package enum Mode: String, Sendable, Codable {
    /// The network answers, and nothing is kept.
    case live
    /// The network answers, and all of it is kept in the result's folder.
    case record
    /// A recording answers, and nobody else.
    case replay
    /// A recording answers, and the network what that doesn't have.
    case replayOrLive
  }

  package var mode: Mode
  /// The recording's folder, absolute, where one answers.
  package var folder: String?
  /// How fast the network is, as the command line has it: `3g`, `offline-after:2s`; nil as fast as it is.
  package var profile: String?
  /// What goes wrong, like `host=cdn.* status=503 at=first`.
  package var faults: [String]

  package init(_ mode: Mode = .live, folder: String? = nil, profile: String? = nil, faults: [String] = []) {
    self.mode = mode
    self.folder = folder
    self.profile = profile
    self.faults = faults
  }

  /// Whether responses come at instants of the render's time rather than as they come.
  package var isScheduled: Bool { mode == .replay || mode == .replayOrLive || profile != nil }
}
