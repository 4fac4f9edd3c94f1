package import RenderModel

/// What became of an ad when one of the hosts that it asks wasn't there.
package struct Outage: Hashable, Sendable, Codable {
  package let host: String
  package let outcome: RenderRecord.Outcome
  /// The part of the ad that isn't of its commonest colour, from 0 to 1, in the fullest picture, and the same with the
  /// host there; nil where there is no picture of it.
  package let content: Double?
  package let usualContent: Double?
  /// Faults that scripts didn't catch, which they don't have with the host there.
  package let faults: [String]

  package init(
    host: String, outcome: RenderRecord.Outcome, content: Double?, usualContent: Double?, faults: [String]
  ) {
    (self.host, self.outcome, self.content, self.usualContent, self.faults) =
      (host, outcome, content, usualContent, faults)
  }

  /// Content below which an ad shows nothing, and above which it shows something.
  private static let (nothing, something) = (0.005, 0.02)

  /// Whether nothing is to be seen, where there is something to be seen with the host there.
  package var isBlank: Bool {
    guard outcome == .completed else { return true }
    return (content ?? 0) < Self.nothing && (usualContent ?? 0) > Self.something
  }
}
