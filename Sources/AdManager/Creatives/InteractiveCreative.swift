internal import AdResponses
package import Core
internal import Device

/// Request or state of the interactive creative above a video or a programme, for its player (SIMID 1.2).
package enum InteractiveReport: Hashable, Sendable {
  /// The user clicked; with the address, if the player has to open it, and the place of the click.
  case click(url: String?, opens: Bool, place: Point?)
  /// A page has to be opened, without counting as a click.
  case navigation(String)
  /// Addresses have to be requested.
  case tracking([String])
  /// It failed, with the code of its standard; a fatal error ends the ad.
  case error(code: Int, message: String, isFatal: Bool)
  /// It has kept everything paused for so long that only the user can continue.
  case waits
  /// A non-linear creative becomes visible.
  case shown
  /// A non-linear creative fills the player, or no longer does.
  case expanded(Bool)
  /// It has ended and is gone.
  case over(End)

  /// Manner in which it ended.
  package enum End: String, Hashable, Sendable {
    /// Ended with the media, or at a time of its own.
    case end
    case skip, stop, fatal
    /// Removed by the host.
    case closed
  }
}

/// Reason for which the player stops an ad, by SIMID's number (1.2 §4.3.2).
package enum InteractiveStop: Int, Hashable, Sendable {
  case person = 1
}

/// State of the interactive creative above a video.
package struct InteractiveState: Hashable, Sendable {
  /// Indicates that the interactive creative exists and hasn't ended.
  package let isThere: Bool
  /// Indicates that it continues after its video has ended.
  package var outlastsFilm = false
  /// Indicates that only the user can continue.
  package var isAwaitingPerson = false
  /// Indicates that it was informed that the user closes the ad.
  private(set) var isLeaving = false

  init(isThere: Bool) { self.isThere = isThere }

  /// Notes that the user closes the ad; true if the closing has to wait for the interactive creative, at most once.
  mutating func beginsToLeave() -> Bool {
    guard isThere, !isLeaving else { return false }
    isLeaving = true
    return true
  }
}

/// Creative that may contain interactive content, with the handling that videos and overlays share.
protocol InteractiveCreative: Creative {
  var host: any VideoHost { get }
  /// Addresses to request for clicks and, below, for errors.
  var clickBeacons: [String] { get }
  var errorBeacons: [String] { get }
  /// Seconds played; nil if there is no video.
  var second: Double? { get }

  func macros(_ more: [String: String]) -> [String: String]
}

extension InteractiveCreative {
  func interactiveClick(_ url: String?, opens: Bool, _ place: Point?) {
    var macros = ["CLICKTYPE": "1"]
    macros["CLICKPOS"] = place.map { "\($0.x.plain),\($0.y.plain)" }
    host.track(
      TrackedEvent(
        "click", detail: url.map { ["url": .string($0)] } ?? [:], beacons: clickBeacons, macros: self.macros(macros),
        playhead: second), displayView)
    delegate?.creativeWasClicked(self)
    if opens, let url { open(url) }
  }

  /// Opens an address as every click does, above the player.
  func open(_ url: String) {
    switch ClickDestination(url) {
    case .browser:
      let state = ModalState(kind: .browser(url: url), displayView: .browser, presentingView: displayView)
      delegate?.creativeShouldDisplayModalState(self, state) {}
    case .otherApp: delegate?.creativeInterstitialDidLeaveApp(self)
    }
  }

  func track(_ urls: [String]) {
    host.track(TrackedEvent("reportTracking", beacons: urls, macros: macros([:]), playhead: second), displayView)
  }

  /// Reports an error: a fatal one as VAST's code for interactive files (SIMID 1.2 §7), others by their own code.
  func interactiveFailed(_ code: Int, _ message: String, isFatal: Bool) {
    host.track(
      TrackedEvent(
        interactiveError: code, message, isFatal: isFatal, beacons: errorBeacons, macros: macros([:]), playhead: second),
      displayView)
  }
}

extension TrackedEvent {
  /// Error of an interactive creative, by its SIMID code.
  package init(
    interactiveError code: Int, _ message: String, isFatal: Bool, beacons: [String], macros: [String: String] = [:],
    playhead: Double? = nil
  ) {
    let told = isFatal ? VASTErrorCode.interactiveCreativeFile.rawValue : code
    var detail: [String: JSONValue] = ["code": .number(Double(told)), "message": .string(message)]
    if isFatal { detail["simid"] = .number(Double(code)) }
    self.init(
      "error", detail: detail, beacons: beacons, macros: macros.merging(["ERRORCODE": String(told)]) { $1 },
      playhead: playhead)
  }
}

extension VideoCreative: InteractiveCreative {
  var clickBeacons: [String] { plan.ad.linear?.clickTracking ?? [] }
  var errorBeacons: [String] { plan.ad.errors }
  var second: Double? { playback.time }

  /// Indicates that nothing more happens without the user.
  package var isAtRest: Bool {
    interactive.isAwaitingPerson || (playback.isOver && !interactive.outlastsFilm)
  }

  /// Opens an address that the content above the video opened by itself.
  package func openedByItself(_ url: String) { open(url) }

  /// Handles the reports of an interactive creative, except for its end.
  func handle(_ report: InteractiveReport) {
    switch report {
    case .click(let url, let opens, let place): interactiveClick(url, opens: opens, place)
    case .navigation(let url): open(url)
    case .tracking(let urls): track(urls)
    case .error(let code, let message, let isFatal): interactiveFailed(code, message, isFatal: isFatal)
    case .waits: interactive.isAwaitingPerson = true
    case .shown, .expanded, .over: break
    }
  }
}
