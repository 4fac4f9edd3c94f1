/// Observation of an ad that was left alone after everything else of its render.
///
/// Only a virtual clock permits it, since in real time it would take too long.
package struct LateWatch: Hashable, Sendable, Codable {
  /// Sequence number of the first event during the observation.
  package var firstEvent: Int
  /// Start, in milliseconds since the load began.
  package var from: Double
  /// End, in milliseconds since the load began; less than a minute if the machine had no more time for it.
  package var until: Double
  /// Videos and sounds that became audible during the observation.
  package var sounds: [Sound]
  /// Time of the last change seen, in milliseconds since the load began; nil if the ad never moved.
  ///
  /// Changes are looked for until about half a minute after the load.
  package var lastChange: Double?

  package init(firstEvent: Int, from: Double, until: Double, sounds: [Sound] = [], lastChange: Double? = nil) {
    (self.firstEvent, self.from, self.until, self.sounds) = (firstEvent, from, until, sounds)
    self.lastChange = lastChange
  }

  /// The instant until which an ad is watched, in milliseconds since its load began.
  package static let end = 60_000.0

  /// A video or sound that became audible.
  package struct Sound: Hashable, Sendable, Codable {
    /// Time of the check that first found it audible, in milliseconds since the load began.
    package var t: Double
    package var selector: String

    package init(t: Double, selector: String) { (self.t, self.selector) = (t, selector) }
  }
}
