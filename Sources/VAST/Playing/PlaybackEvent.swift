/// What happens to a film, as the standard names it (VAST 4.2 §3.14).
package enum PlaybackEvent: Hashable, Sendable {
  /// The first picture shows: the ad counts as seen.
  case impression
  case creativeView
  case start
  case firstQuartile
  case midpoint
  case thirdQuartile
  case complete
  /// It may be skipped from now on; nobody is told of that.
  case skippable
  /// A moment somebody asked for, in seconds.
  case progress(Double)
  case mute
  case unmute
  case pause
  case resume
  case skip
  case closeLinear
  /// It left its slot for the whole screen, and came back.
  case expand
  case collapse

  /// The standard's newest word.
  package var name: String {
    switch self {
    case .impression: "impression"
    case .creativeView: "creativeView"
    case .start: "start"
    case .firstQuartile: "firstQuartile"
    case .midpoint: "midpoint"
    case .thirdQuartile: "thirdQuartile"
    case .complete: "complete"
    case .skippable: "skippable"
    case .progress: "progress"
    case .mute: "mute"
    case .unmute: "unmute"
    case .pause: "pause"
    case .resume: "resume"
    case .skip: "skip"
    case .closeLinear: "closeLinear"
    case .expand: "playerExpand"
    case .collapse: "playerCollapse"
    }
  }

  /// Every word that documents of any version have for it.
  package var words: Set<String> {
    switch self {
    case .expand: ["playerExpand", "fullscreen", "expand"]
    case .collapse: ["playerCollapse", "exitFullscreen", "collapse"]
    case .closeLinear: ["closeLinear", "close"]
    default: [name]
    }
  }
}
