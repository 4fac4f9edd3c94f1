package import AdResponses
package import Core

/// A film with everything around it: it tells the standard's events in order, and asks the ad manager for the rest.
///
/// What the player shows is the host's; what any of it means is decided here and in `LinearPlayback`.
package final class VideoCreative: Creative {
  /// The ad manager, as long as it is this creative's turn.
  package weak var delegate: (any CreativeDelegate)?
  /// The player's view.
  package let displayView: AdViewID
  package private(set) var isGone = false
  package internal(set) var playback: LinearPlayback
  /// Seconds that the player has told of, of which several moments may be late.
  private(set) var playhead = 0.0

  let plan: TrackingPlan
  private(set) var settings: VideoSettings
  unowned let host: any VideoHost
  /// Whether it is on the screen and nothing covers it.
  private var mayPlay = false
  private var mayBeClosed = false
  /// Whether it has said that it is complete.
  private var isComplete = false
  /// What the interactive creative above the film has come to.
  package internal(set) var interactive: InteractiveState

  /// A film whose player is ready; `host` has to outlive it.
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

  /// Of an interstitial: until it may be skipped, or to its end.
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

  /// Full screen, a banner's film goes back to its slot; an interstitial's is over.
  package func hostClosed() {
    guard !isGone else { return }
    if playback.isFullScreen { return leaveFullScreen {} }
    reportEvents(playback.handle(.closed))
    // What runs above the film is told first, and says when it is done.
    if interactive.beginsToLeave() { return host.endInteractive(displayView, code: .person) }
    stop()
    leave()
  }

  /// The player told something; false when the rest of it has to wait, since the film is to stand still half-way.
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

  /// The interactive creative is gone, and the ad with it unless the film goes on.
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

  /// Moment by moment, however much a busy machine has let the player tell at once: at each somebody may want to look.
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

  /// Tells events to the log and to whoever wants to hear of them, and what they mean for the close control.
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

  /// What comes next takes its place, once it has left the whole screen.
  private func complete() {
    guard !isComplete else { return }
    isComplete = true
    endBreak()
    guard playback.isFullScreen, !settings.isLast else { return report() }
    leaveFullScreen { [weak self] in self?.report() }
  }

  /// The break of the programme that it is the last film of is over.
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

  /// Takes the interstitial off the screen.
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

/// How a film is shown in this ad.
package struct VideoSettings: Hashable, Sendable {
  /// Above the app rather than in a slot of its page.
  package var isInterstitial: Bool
  /// Whether it starts without sound.
  package var isMuted: Bool
  /// Whether nothing of the ad comes after it.
  package var isLast: Bool
  /// Whether an interactive creative runs above it.
  package var isInteractive = false
  /// The file it is played from, as its macro has it.
  package var media: VideoMedia
  /// Its place among the ads of a pod, from 1, and how many there are.
  package var place: Int
  package var count: Int
  /// The break of a programme that begins with it, and the one that ends after it.
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

/// The file a film is played from.
package struct VideoMedia: Hashable, Sendable {
  /// As the document has it.
  package var url: String
  package var type: String

  package init(url: String, type: String) {
    self.url = url
    self.type = type
  }
}

/// What a video creative needs of the world around it: a player, and somebody to tell.
package protocol VideoHost: AnyObject {
  /// Starts the film or lets it go on.
  func play(_ view: AdViewID)
  /// Stops it where it is.
  func pause(_ view: AdViewID)
  /// Turns its sound off or on.
  func setMuted(_ isMuted: Bool, _ view: AdViewID)
  /// Takes the interactive creative away, which is told why and says when it is done.
  func endInteractive(_ view: AdViewID, code: InteractiveStop)
  /// It has the whole screen, or its slot again.
  func setFullScreen(_ isFullScreen: Bool, _ view: AdViewID)
  /// Whether it is to stand still, since somebody wants to look at this very moment.
  func hasStalled(_ view: AdViewID) -> Bool
  /// Notes an event of the standard, and what is told to whom because of it; the view is the film's or the card's.
  func track(_ event: TrackedEvent, _ view: AdViewID)
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
  /// What happened to the film; nil for what only has a name.
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

/// What a player tells of its film and of the person in front of it.
package enum PlayerReport: Hashable, Sendable {
  case playing
  /// Seconds played.
  case time(Double)
  case paused
  case ended
  case muted(Bool)
  /// It can't go on, and why.
  case failed(String)
  /// The person touched the film, or its Learn More.
  case clicked
  case skipped
  /// The person wants the whole screen, or the slot back.
  case fullScreen
  /// An icon came into sight, or was touched; by its place in the ad.
  case iconShown(Int)
  case iconClicked(Int)
  /// An icon is due, and nothing of it came.
  case iconFailed(Int)
  /// The film stands still because nothing more of it has come, or goes on.
  case buffering(Bool)
  /// The film has come to its end, and an interactive creative is still above it.
  case played
  /// What the interactive creative asks for, or comes to.
  case interactive(InteractiveReport)

  /// Whether it says how far the film has come.
  package var isProgress: Bool {
    switch self {
    case .time, .ended, .played, .interactive(.over(.end)): true
    default: false
    }
  }

  /// Whether it says that the film, or what runs above it, has come to its end.
  package var isEnd: Bool { self == .ended || self == .played || self == .interactive(.over(.end)) }

  /// Whether somebody touched the player, so that the ad is what the person is at.
  package var isPersons: Bool {
    switch self {
    case .clicked, .skipped, .fullScreen, .iconClicked, .interactive(.click), .interactive(.navigation): true
    case .playing, .time, .paused, .ended, .played, .muted, .failed, .iconShown, .iconFailed, .buffering, .interactive: false
    }
  }
}
