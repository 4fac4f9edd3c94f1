package import AdResponses
package import Core
package import Device

/// Video with its tracking: reports the standard's events in order, and leaves the rest to the ad manager.
///
/// The host shows the player; the meaning of its reports is decided here and in `LinearPlayback`.
package final class VideoCreative: Creative {
  /// The ad manager, while this creative is current.
  package weak var delegate: (any CreativeDelegate)?
  /// The player's view.
  package let displayView: AdViewID
  package private(set) var isGone = false
  package internal(set) var playback: LinearPlayback
  /// Seconds of the latest report that was handled; several moments before it may still be due.
  private(set) var playhead = 0.0

  let plan: TrackingPlan
  private(set) var settings: VideoSettings
  unowned let host: any VideoHost
  /// Indicates that the video is on the screen and not covered.
  private var mayPlay = false
  private var mayBeClosed = false
  /// Indicates that it has reported its completion.
  private var isComplete = false
  /// State of the interactive creative above the video.
  package internal(set) var interactive: InteractiveState

  /// Creates a video whose player is ready; `host` has to outlive it.
  package init(plan: TrackingPlan, settings: VideoSettings, displayView: AdViewID, host: any VideoHost) {
    self.plan = plan
    self.settings = settings
    self.displayView = displayView
    self.host = host
    interactive = InteractiveState(isThere: settings.isInteractive)
    playback = LinearPlayback(
      duration: plan.duration, skipOffset: plan.ad.linear?.skipOffset?.seconds(of: plan.duration),
      progress: plan.progress, isMuted: settings.isMuted)
  }

  /// Seconds until an interstitial may be skipped, or to its end; 0 for a banner.
  package var closeDelay: Double {
    // Its last second may be over a moment before the player says that it has ended.
    settings.isInterstitial && !isGone && !mayBeClosed ? max(0.001, playback.closeDelayLeft) : 0
  }

  package func didDisplay() {
    guard !isGone else { return }
    delegate?.creativeDidDisplay(self)
    mayPlay = true
    host.play(displayView)
  }

  package func pause() {
    guard mayPlay else { return }
    mayPlay = false
    if !playback.isOver { host.pause(displayView) }
  }

  package func resume() {
    guard !mayPlay, !isGone else { return }
    mayPlay = true
    if !playback.isOver { host.play(displayView) }
  }

  /// Handles a host close: a full-screen banner's video returns to its slot; an interstitial ends.
  package func hostClosed() {
    guard !isGone else { return }
    if playback.isFullScreen { return leaveFullScreen {} }
    reportEvents(playback.handle(.closed))
    // What runs above the film is told first, and says when it is done.
    if interactive.beginsToLeave() { return host.endInteractive(displayView, code: .person) }
    stop()
    leave()
  }

  /// Handles a report of the player; false if the rest of it has to wait because the video has to stop half-way.
  @discardableResult
  package func handle(_ report: PlayerReport) -> Bool {
    guard !isGone else { return true }
    switch report {
    case .playing:
      interactive.isAwaitingPerson = false
      reportEvents(playback.handle(.playing))
    case .time(let seconds): return pass(seconds)
    case .paused: reportEvents(playback.handle(.paused))
    case .muted(let isMuted): reportEvents(playback.handle(.muted(isMuted)))
    case .ended:
      guard pass(playback.duration) else { return false }
      if interactive.isThere, playback.isOver { complete() }
      end(playback.handle(.ended))
    case .played:
      guard pass(playback.duration) else { return false }
      interactive.outlastsFilm = true
      reportEvents(playback.handle(.ended))
    case .skipped: skip()
    case .failed(let reason): fail(reason)
    case .clicked: click()
    case .fullScreen: if playback.isFullScreen { leaveFullScreen {} } else { enterFullScreen() }
    case .iconShown(let place): iconShown(place)
    case .iconClicked(let place): iconClicked(place)
    case .iconFailed(let place): iconFailed(place)
    // The standard of films has no event for it.
    case .buffering: break
    case .interactive(.over(let how)): interactiveIsOver(how)
    case .interactive(let report): handle(report)
    }
    return true
  }

  /// Handles the end of the interactive creative, which ends the ad too unless the video goes on.
  private func interactiveIsOver(_ how: InteractiveReport.End) {
    interactive = InteractiveState(isThere: false)
    switch how {
    case .end: reportEvents(playback.handle(.ended))
    case .closed:
      stop()
      return leave()
    case .skip, .stop, .fatal:
      let events = playback.handle(.stopped(how == .skip ? .skip : nil))
      host.pause(displayView)
      reportEvents(events)
      if settings.isLast, settings.isInterstitial { return leave() }
      allowClosing()
    }
    complete()
  }

  /// Advances the video moment by moment, even if a busy machine let the player report several at once.
  ///
  /// At each moment the render may have to stop for a screenshot.
  private func pass(_ seconds: Double) -> Bool {
    guard playback.phase == .playing || playback.phase == .paused else { return true }
    playhead = min(max(seconds, playhead), playback.duration)
    for moment in playback.moments(until: seconds) {
      reportEvents(playback.handle(.time(moment)))
      if isGone { return true }
      if moment < seconds, host.hasStalled(displayView) {
        playhead = moment
        return false
      }
    }
    reportEvents(playback.handle(.time(seconds)))
    return true
  }

  /// Logs events, requests their addresses, and updates the close control.
  func reportEvents(_ events: [PlaybackEvent]) {
    for event in events {
      if event == .impression, let adBreak = settings.opens { track(adBreak, "breakStart") }
      if event == .skippable { allowClosing() } else { host.track(tracked(event), displayView) }
    }
    if playback.isOver { allowClosing() }
  }

  private func allowClosing() {
    guard settings.isInterstitial, !mayBeClosed else { return }
    mayBeClosed = true
    delegate?.creativeMayBeClosed(self)
  }

  private func end(_ events: [PlaybackEvent]) {
    guard !events.isEmpty else { return }
    reportEvents(events)
    complete()
  }

  private func skip() {
    let events = playback.handle(.skipped)
    guard !events.isEmpty else { return }
    host.pause(displayView)
    reportEvents(events)
    // Nothing comes after it, so there is nothing left to look at.
    if settings.isLast, settings.isInterstitial { return leave() }
    complete()
  }

  private func fail(_ reason: String) {
    trackFailure(.mediaDisplay, reason)
    stop()
    if settings.isLast, settings.isInterstitial { return leave() }
    allowClosing()
    complete()
  }

  /// Completes the video once it has left full screen; the next creative takes its place.
  private func complete() {
    guard !isComplete else { return }
    isComplete = true
    endBreak()
    guard playback.isFullScreen, !settings.isLast else { return report() }
    leaveFullScreen { [weak self] in self?.report() }
  }

  /// Ends the programme's break if this is its last video.
  private func endBreak() {
    guard let adBreak = settings.closes else { return }
    settings.closes = nil
    track(adBreak, "breakEnd")
  }

  private func track(_ adBreak: VMAPBreak, _ event: String) {
    let detail: [String: JSONValue] = adBreak.id.map { ["id": .string($0)] } ?? [:]
    host.track(TrackedEvent(event, detail: detail, beacons: adBreak.beacons(event)), displayView)
  }

  private func report() { delegate?.creativeDidComplete(self) }

  private func stop() {
    isGone = true
    host.pause(displayView)
  }

  /// Removes the interstitial from the screen.
  private func leave() {
    isGone = true
    endBreak()
    delegate?.creativeShouldCloseModalState(self) { [weak self] in
      guard let self else { return }
      delegate?.creativeInterstitialDidClose(self)
      delegate?.creativeDidComplete(self)
    }
  }
}

/// Settings for a video in this ad.
package struct VideoSettings: Hashable, Sendable {
  /// True if it is shown above the app, false in a slot of its page.
  package var isInterstitial: Bool
  /// Indicates that it starts without sound.
  package var isMuted: Bool
  /// Indicates that no other part of the ad follows it.
  package var isLast: Bool
  /// Indicates that an interactive creative runs above it.
  package var isInteractive = false
  /// File that it is played from, for its macro.
  package var media: VideoMedia
  /// Place among the ads of a pod, from 1; `count` is their number.
  package var place: Int
  package var count: Int
  /// Break of a programme that begins with the video; `closes` is the one that ends after it.
  package var opens: VMAPBreak?
  package var closes: VMAPBreak?

  package init(isInterstitial: Bool, isMuted: Bool, isLast: Bool, media: VideoMedia, place: Int = 1, count: Int = 1) {
    self.isInterstitial = isInterstitial
    self.isMuted = isMuted
    self.isLast = isLast
    self.media = media
    self.place = place
    self.count = count
  }
}

/// File that a video is played from.
package struct VideoMedia: Hashable, Sendable {
  /// Address as the document has it.
  package var url: String
  package var type: String

  package init(url: String, type: String) {
    self.url = url
    self.type = type
  }
}

/// Environment of a video creative: a player and the tracking of events.
package protocol VideoHost: AnyObject {
  /// Starts the video or resumes it.
  func play(_ view: AdViewID)
  /// Pauses it at its current time.
  func pause(_ view: AdViewID)
  /// Turns its sound off or on.
  func setMuted(_ isMuted: Bool, _ view: AdViewID)
  /// Ends the interactive creative, which gets the reason and reports when it is done.
  func endInteractive(_ view: AdViewID, code: InteractiveStop)
  /// Gives the video the whole screen, or returns it to its slot.
  func setFullScreen(_ isFullScreen: Bool, _ view: AdViewID)
  /// Indicates that the video has to stop at this moment, because an action such as a screenshot is due.
  func hasStalled(_ view: AdViewID) -> Bool
  /// Records an event of the standard and requests its addresses; the view is the video's or the card's.
  func track(_ event: TrackedEvent, _ view: AdViewID)
}

/// Event of a video ad, as it is logged and as its beacons are sent.
package struct TrackedEvent: Hashable, Sendable {
  /// Name of the event in the standard.
  package var name: String
  /// Further facts, the same in every run.
  package var detail: [String: JSONValue] = [:]
  /// Addresses, with their macros not yet replaced.
  package var beacons: [String] = []
  /// Values of macros that this event provides.
  package var macros: [String: String] = [:]
  /// Seconds of the video; nil before it plays.
  package var playhead: Double?
  /// Playback event; nil for an event that only has a name.
  package var moment: PlaybackEvent?

  package init(
    _ name: String, detail: [String: JSONValue] = [:], beacons: [String] = [], macros: [String: String] = [:],
    playhead: Double? = nil, moment: PlaybackEvent? = nil
  ) {
    self.moment = moment
    self.name = name
    self.detail = detail
    self.beacons = beacons
    self.macros = macros
    self.playhead = playhead
  }
}

/// Report of a player about its video and the user's actions.
package enum PlayerReport: Hashable, Sendable {
  case playing
  /// Seconds played.
  case time(Double)
  case paused
  case ended
  case muted(Bool)
  /// It can't continue, for the given reason.
  case failed(String)
  /// The user touched the video, or its Learn More button.
  case clicked
  case skipped
  /// The user requested full screen, or the return to the slot.
  case fullScreen
  /// An icon became visible or, in the next case, was touched; by its place in the ad.
  case iconShown(Int)
  case iconClicked(Int)
  /// An icon is due, and it could not be loaded.
  case iconFailed(Int)
  /// The video waits for more data, or continues.
  case buffering(Bool)
  /// The video has ended, and an interactive creative is still above it.
  case played
  /// Request or state of the interactive creative.
  case interactive(InteractiveReport)

  /// Indicates that the report contains the video's progress.
  package var isProgress: Bool {
    switch self {
    case .time, .ended, .played, .interactive(.over(.end)): true
    default: false
    }
  }

  /// Indicates that the video, or the content above it, has ended.
  package var isEnd: Bool { self == .ended || self == .played || self == .interactive(.over(.end)) }

  /// Indicates that the user touched the player, so that the ad is the target of the user's attention.
  package var isPersons: Bool {
    switch self {
    case .clicked, .skipped, .fullScreen, .iconClicked, .interactive(.click), .interactive(.navigation): true
    case .playing, .time, .paused, .ended, .played, .muted, .failed, .iconShown, .iconFailed, .buffering, .interactive:
      false
    }
  }
}
