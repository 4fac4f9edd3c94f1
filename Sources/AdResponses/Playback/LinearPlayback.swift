/// Playback of a video, as a value: reports of the player are the input, events of the standard the output.
///
/// Each event is returned once and in the standard's order, however far apart the player's reports are.
package struct LinearPlayback: Hashable, Sendable {
  /// Report of the player.
  package enum Input: Hashable, Sendable {
    /// The video shows and moves, for the first time or again.
    case playing
    /// Seconds of the video that have been played.
    case time(Double)
    case paused
    case ended
    case muted(Bool)
    case skipped
    case closed
    /// Stopped early by the interactive creative above it; with the event for that, if there is one.
    case stopped(PlaybackEvent?)
    case fullScreen(Bool)
  }

  /// Phase of the playback.
  package enum Phase: Hashable, Sendable {
    case ready, playing, paused
    /// Played to its end.
    case ended
    /// Skipped, stopped or closed: no more events follow.
    case left
  }

  /// Length in seconds.
  package let duration: Double
  /// Seconds until it may be skipped; nil if it can't be.
  private let skipOffset: Double?
  package private(set) var phase = Phase.ready
  /// Seconds played.
  package private(set) var time = 0.0
  package private(set) var isMuted: Bool
  /// Second of the latest event that was due at a moment; 0 at the start, nil before it.
  package private(set) var lastMoment: Double?
  package private(set) var isFullScreen = false
  /// Moments that haven't come yet, soonest first.
  private var moments: [Moment]

  private struct Moment: Hashable, Sendable {
    var second: Double
    var event: PlaybackEvent
  }

  /// Creates a video of this length; `progress` are the moments with tracking addresses, in seconds.
  package init(duration: Double, skipOffset: Double? = nil, progress: [Double] = [], isMuted: Bool = false) {
    self.duration = duration
    self.skipOffset = skipOffset.flatMap { $0 < duration ? max(0, $0) : nil }
    self.isMuted = isMuted
    let quartiles = [
      Moment(second: duration * 0.25, event: .firstQuartile), Moment(second: duration * 0.5, event: .midpoint),
      Moment(second: duration * 0.75, event: .thirdQuartile),
    ]
    let skippable = self.skipOffset.map { [Moment(second: $0, event: .skippable)] } ?? []
    let wanted = Set(progress).filter { $0 >= 0 && $0 <= duration }.map { Moment(second: $0, event: .progress($0)) }
    // A quartile goes before a moment of the same instant.
    moments = (quartiles + wanted + skippable).enumerated().sorted {
      ($0.element.second, $0.offset) < ($1.element.second, $1.offset)
    }
    .map(\.element)
  }

  /// Returns the seconds up to `second` at which an event is due, each once and in order.
  package func moments(until second: Double) -> [Double] {
    moments.prefix { $0.second <= second }.map(\.second).reduce(into: []) { seconds, next in
      if seconds.last != next { seconds.append(next) }
    }
  }

  /// Indicates that the user may skip the video now.
  package var isSkippable: Bool { skipOffset.map { time >= $0 || phase == .ended } ?? false }

  /// Seconds until the host's close control may be used: until the video may be skipped, otherwise until its end.
  package var closeDelayLeft: Double { isOver ? 0 : max(0, (skipOffset ?? duration) - time) }

  package var isOver: Bool { phase == .ended || phase == .left }

  /// Returns the events that follow from a report, in order; none for a report that is meaningless in this phase.
  package mutating func handle(_ input: Input) -> [PlaybackEvent] {
    guard phase != .left else { return [] }
    switch input {
    case .playing: return begin()
    case .time(let seconds): return pass(seconds)
    case .paused: return move(from: .playing, to: .paused, .pause)
    case .ended: return end()
    case .muted(let isMuted):
      guard isMuted != self.isMuted else { return [] }
      self.isMuted = isMuted
      return phase == .ready ? [] : [isMuted ? .mute : .unmute]
    case .skipped: return isSkippable && phase != .ended ? leave(.skip) : []
    case .closed: return phase == .ended || phase == .ready ? [] : leave(.closeLinear)
    case .stopped(let event):
      guard phase != .ended else { return [] }
      phase = .left
      return event.map { [$0] } ?? []
    case .fullScreen(let isFull):
      guard isFull != isFullScreen else { return [] }
      isFullScreen = isFull
      return [isFull ? .expand : .collapse]
    }
  }

  private mutating func begin() -> [PlaybackEvent] {
    if phase == .ready {
      phase = .playing
      lastMoment = 0
      return [.impression, .creativeView, .start] + due(at: 0)
    }
    return move(from: .paused, to: .playing, .resume)
  }

  private mutating func pass(_ seconds: Double) -> [PlaybackEvent] {
    guard phase == .playing || phase == .paused, seconds.isFinite, seconds > time else { return [] }
    time = min(seconds, duration)
    return due(at: time)
  }

  private mutating func end() -> [PlaybackEvent] {
    guard phase == .playing || phase == .paused else { return [] }
    time = duration
    let last = due(at: duration)
    phase = .ended
    return last + [.complete]
  }

  private mutating func due(at second: Double) -> [PlaybackEvent] {
    let due = moments.prefix { $0.second <= second }
    moments.removeFirst(due.count)
    lastMoment = due.last?.second ?? lastMoment
    return due.map(\.event)
  }

  private mutating func leave(_ event: PlaybackEvent) -> [PlaybackEvent] {
    phase = .left
    return [event]
  }

  private mutating func move(from: Phase, to: Phase, _ event: PlaybackEvent) -> [PlaybackEvent] {
    guard phase == from else { return [] }
    phase = to
    return [event]
  }
}

/// Event of a video, by the standard's names (VAST 4.2 §3.14).
package enum PlaybackEvent: Hashable, Sendable {
  /// The first frame is shown: the ad counts as seen.
  case impression
  case creativeView
  case start
  case firstQuartile
  case midpoint
  case thirdQuartile
  case complete
  /// It may be skipped from now on; this is never reported to a server.
  case skippable
  /// A moment with tracking addresses, in seconds.
  case progress(Double)
  case mute
  case unmute
  case pause
  case resume
  case skip
  case closeLinear
  /// It went from its slot to full screen and, in the next case, came back.
  case expand
  case collapse

  /// Newest name of the event in the standard.
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

  /// All names that documents of any version have for the event.
  package var words: Set<String> {
    switch self {
    case .expand: ["playerExpand", "fullscreen", "expand"]
    case .collapse: ["playerCollapse", "exitFullscreen", "collapse"]
    case .closeLinear: ["closeLinear", "close"]
    default: [name]
    }
  }
}

/// Addresses to request while an ad plays.
package struct TrackingPlan: Hashable, Sendable {
  package let ad: ResolvedAd
  /// Length of the video in seconds, to which shares refer.
  package let duration: Double

  package init(ad: ResolvedAd, duration: Double) {
    self.ad = ad
    self.duration = duration
  }

  /// Moments that have tracking addresses, in seconds.
  package var progress: [Double] {
    tracking.filter { $0.event == "progress" }.compactMap { $0.offset?.seconds(of: duration) }
  }

  /// Returns the addresses for an event, with their macros, in order of the requests: the ad's own, then its wrappers'.
  package func beacons(_ event: PlaybackEvent) -> [String] {
    switch event {
    case .impression: return ad.impressions
    case .progress(let second):
      return tracking.filter { $0.event == "progress" && $0.offset?.seconds(of: duration) == second }.map(\.url)
    default: return tracking.filter { event.words.contains($0.event) }.map(\.url)
    }
  }

  private var tracking: [VASTTracking] { ad.linear?.tracking ?? [] }
}
