/// Handling of a render's requests on their way to the network, unless it is left to the network.
package struct TrafficOptions: Hashable, Sendable, Codable {
  /// Choice between recording the network's answers and replaying recorded ones.
  package enum Mode: String, Sendable, Codable {
    /// The network answers, and nothing is recorded.
    case live
    /// The network answers, and all answers are recorded in the result's folder.
    case record
    /// A recording answers all requests, and the network none.
    case replay
    /// A recording answers, and the network answers the requests that aren't in it.
    case replayOrLive
  }

  package var mode: Mode
  /// Absolute path of the recording's folder for replays.
  package var folder: String?
  /// Speed of the network, as on the command line: `3g`, `offline-after:2s`; nil for its actual speed.
  package var profile: String?
  /// Rules for failures, such as `host=cdn.* status=503 at=first`.
  package var faults: [String]

  package init(_ mode: Mode = .live, folder: String? = nil, profile: String? = nil, faults: [String] = []) {
    self.mode = mode
    self.folder = folder
    self.profile = profile
    self.faults = faults
  }

  /// Indicates if responses arrive at defined times of the render's clock, rather than when the network delivers them.
  package var isScheduled: Bool { mode == .replay || mode == .replayOrLive || profile != nil }
}
