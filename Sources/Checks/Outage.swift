package import RenderModel

/// Result of an ad's render without one of its hosts.
package struct Outage: Hashable, Sendable, Codable {
  package let host: String
  package let outcome: RenderRecord.Outcome
  /// Share of the ad, from 0 to 1, that isn't of its commonest colour, in the fullest screenshot; nil without one.
  ///
  /// `usualContent` is the same with the host available.
  package let content: Double?
  package let usualContent: Double?
  /// Uncaught errors of scripts that don't occur with the host available.
  package let faults: [String]

  package init(
    host: String, outcome: RenderRecord.Outcome, content: Double?, usualContent: Double?, faults: [String]
  ) {
    (self.host, self.outcome, self.content, self.usualContent, self.faults) =
      (host, outcome, content, usualContent, faults)
  }

  /// Values of `content` below which an ad shows nothing, and above which it shows something.
  private static let (nothing, something) = (0.005, 0.02)

  /// Indicates if the ad shows nothing, but does so with the host available; true also if the render didn't complete.
  package var isBlank: Bool {
    guard outcome == .completed else { return true }
    return (content ?? 0) < Self.nothing && (usualContent ?? 0) > Self.something
  }
}
