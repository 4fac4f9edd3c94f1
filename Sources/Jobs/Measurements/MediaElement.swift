/// A film or sound in the ad's document.
package struct MediaElement: Hashable, Sendable, Codable {
  /// `video#film`
  package var selector: String
  /// Without query and fragment.
  package var source: String
  package var isPlaying: Bool
  /// Whether it can be heard: it has sound, isn't muted and its volume isn't 0.
  package var isAudible: Bool
  package var autoplays: Bool
  package var loops: Bool
  package var hasControls: Bool
  /// Seconds; nil when unknown or endless.
  package var duration: Double?

  package init(
    selector: String, source: String = "", isPlaying: Bool, isAudible: Bool, autoplays: Bool = false,
    loops: Bool = false, hasControls: Bool = false, duration: Double? = nil
  ) {
    self.selector = selector
    self.source = source
    self.isPlaying = isPlaying
    self.isAudible = isAudible
    self.autoplays = autoplays
    self.loops = loops
    self.hasControls = hasControls
    self.duration = duration
  }
}
