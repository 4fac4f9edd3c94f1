internal import AdResponses
package import Core

/// What the interactive creative above a film or a programme asks of its player, or comes to (SIMID 1.2).
package enum InteractiveReport: Hashable, Sendable {
  /// The person clicked; what is to be opened, where the player is to do that.
  case click(url: String?, opens: Bool, place: Point?)
  /// A page is to be opened, which is no click.
  case navigation(String)
  /// Addresses are to be asked.
  case tracking([String])
  /// It failed, by the code that its standard has; a fatal one ends the ad.
  case error(code: Int, message: String, isFatal: Bool)
  /// It has had everything stand still for so long that only a person can go on.
  case waits
  /// A non-linear one is to be seen.
  case shown
  /// A non-linear one fills the player, or no more.
  case expanded(Bool)
  /// Nothing is left of it.
  case over(End)

  /// How it came to its end.
  package enum End: String, Hashable, Sendable {
    /// With the media, or in its own time.
    case end
    case skip, stop, fatal
    /// The host took it away.
    case closed
  }
}

/// Why the player stops an ad, as SIMID numbers it (1.2 §4.3.2).
package enum InteractiveStop: Int, Hashable, Sendable {
  case person = 1
}

/// What an interactive creative above a film has come to.
package struct InteractiveState: Hashable, Sendable {
  /// Whether something of it is left.
  package let isThere: Bool
  /// Whether its film is over and it isn't.
  package var outlastsFilm = false
  /// Whether only a person can go on.
  package var isAwaitingPerson = false
  /// Whether it has been told that the person closes the ad.
  private(set) var isLeaving = false

  init(isThere: Bool) { self.isThere = isThere }

  /// The person closes the ad: whether that waits for it, which it does once.
  mutating func beginsToLeave() -> Bool {
    guard isThere, !isLeaving else { return false }
    isLeaving = true
    return true
  }
}

/// A creative that something interactive runs in, and what both kinds make of what that asks for.
protocol InteractiveCreative: Creative {
  var host: any VideoHost { get }
  /// Who hears of clicks, and of errors.
  var clickBeacons: [String] { get }
  var errorBeacons: [String] { get }
  /// Seconds played; nil where there is no film.
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

  /// One that ends the ad is told as the standard's error of interactive files (SIMID 1.2 §7), others as they are.
  func interactiveFailed(_ code: Int, _ message: String, isFatal: Bool) {
    host.track(
      TrackedEvent(
        interactiveError: code, message, isFatal: isFatal, beacons: errorBeacons, macros: macros([:]), playhead: second),
      displayView)
  }
}

extension TrackedEvent {
  /// An error of an interactive creative's, by the code that SIMID has for it.
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

  /// Whether nothing comes any more without a person.
  package var isAtRest: Bool {
    interactive.isAwaitingPerson || (playback.isOver && !interactive.outlastsFilm)
  }

  /// What runs above the film has opened something by itself.
  package func openedByItself(_ url: String) { open(url) }

  /// Of all that an interactive creative tells but its end.
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
