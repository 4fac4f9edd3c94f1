package import Core
package import MRAID

/// What an HTML ad is and goes through: its session, what of it is shown, and how a click leads out of it.
///
/// Something happens and goes in, what has to be done because of it comes out, in its order. Nothing here waits, looks
/// at a screen or knows who carries the effects out.
package struct AdState: Sendable {
  /// What can happen to it.
  package enum Input: Hashable, Sendable {
    /// What the page asks and the host does, as the session has it.
    case session(MRAIDInput)
    /// The ad's own modal state is off the stack, as `.close` asked for.
    case closed
    /// The person followed a link that bypassed `mraid.open`; SDKs catch it and go on as if it had been called.
    case clicked(String)
  }

  /// What has to be done about it.
  package enum Effect: Hashable, Sendable {
    /// Bring the part's page up to date, then dispatch the events.
    case deliver(BridgeUpdate, to: AdPart)
    /// The session has gone from state to state, or again to the same.
    case transition(MRAIDTransition)
    /// Have this shown, after loading the page of a two-part expand; then tell the session, or why it can't be.
    case show(ModalState, secondPart: String?)
    /// Have its own modal state taken away; then it is closed and presented.
    case close
    /// End the page of a two-part expand.
    case discardSecondPart
    /// Stand the app as it stood before the ad turned it.
    case restoreOrientation
    /// Turn the app, or lock it, as the ad wishes.
    case orient(OrientationProperties)
    /// The person wants the advertiser's page.
    case click
    /// Show the browser or the player above the ad.
    case cover(ModalState)
    /// The click leads out of the app.
    case leaveApp
    /// The interstitial is off the screen: it is closed and complete.
    case finish
    /// Take the ad away for good.
    case unload
    /// Tell the session of the exposure after so many ms.
    case scheduleExposure(after: Double)
    /// Note it in the event log.
    case record(CreativeLogSource, String, JSONValue)
  }

  /// What the creative's pages and the host have led to so far.
  package private(set) var session: MRAIDSession
  /// Whether the ad's second part is what its modal state shows.
  package private(set) var showsSecondPart = false
  private let views: CreativeViews
  /// Whether what the host was asked for last is to leave the screen.
  private var hides = false

  package init(session: MRAIDSession, views: CreativeViews = .only) {
    self.session = session
    self.views = views
  }

  /// Whether it was unloaded, or is an interstitial that was closed.
  package var isGone: Bool { session.isUnloaded || session.state == .hidden }

  /// The view that is the ad now.
  package var view: AdViewID { showsSecondPart ? views.secondPart : views.page }

  /// Takes one input and says what has to be done now, in order. Once it is gone only its page's calls are remarked on.
  package mutating func handle(_ input: Input) -> [Effect] {
    let told: MRAIDInput
    switch input {
    case .session(let input): told = input
    case .closed: return session.isUnloaded ? [] : dropSecondPart()
    case .clicked(let url): return isGone ? [] : click(url)
    }
    guard !isGone || told.isCommand else { return [] }
    let before = session.lastTransition
    // A resize of a resized ad is a transition as well, though it looks like the one before.
    let answers = session.isChangingState && told.isPresented
    let isHidden = hides && told.isPresented
    if told.isPresented { hides = false }
    var effects = fail(told)
    let asked = session.handle(told)
    if let transition = session.lastTransition, answers || transition != before {
      effects.append(.transition(transition))
    }
    for effect in asked { effects += meaning(of: effect) }
    return isHidden ? effects + [.finish] : effects
  }

  /// Nothing is shown, so the app stands as before the ad asked.
  private mutating func fail(_ input: MRAIDInput) -> [Effect] {
    guard case .presentationFailed = input else { return [] }
    hides = false
    if session.state != .expanded { showsSecondPart = false }
    return [.restoreOrientation]
  }

  /// What the session's effect means for the world around the ad.
  private mutating func meaning(of effect: MRAIDEffect) -> [Effect] {
    switch effect {
    case .deliver(let update, let part): return [.deliver(update, to: part)]
    case .present(let presentation): return present(presentation)
    case .open(let url, let gesture):
      return [.record(.host, "open", ["url": .string(url), "gesture": .bool(gesture)])] + click(url)
    case .playVideo(let uri):
      // The player is the host's and no click on the ad.
      return [.record(.host, "playVideo", ["uri": .string(uri)]), .cover(hostContent(.video(url: uri)))]
    case .storePicture(let uri, let confirmed):
      return [.record(.host, "storePicture", ["uri": .string(uri), "confirmed": .bool(confirmed)])]
    case .createCalendarEvent(let event, let confirmed):
      return [.record(.host, "createCalendarEvent", ["event": event, "confirmed": .bool(confirmed)])]
    case .orientation(let properties): return [.orient(properties)]
    case .customClose(let wanted):
      return [.record(.host, "useCustomClose", ["wanted": .bool(wanted), "hostDraws": true])]
    case .unload: return unload()
    case .vpaid(let phase): return [.record(.mraid, "vpaid", ["phase": .string(phase)])]
    case .scheduleExposure(let delay): return [.scheduleExposure(after: delay)]
    case .ignored(let command, let reason):
      return [.record(.mraid, "ignored", ["command": .string(command.name), "reason": .string(reason)])]
    case .premature(let command): return [.record(.mraid, "premature", ["command": .string(command.name)])]
    }
  }

  private mutating func present(_ presentation: Presentation) -> [Effect] {
    switch presentation {
    case .expanded(let url):
      if url != nil { showsSecondPart = true }
      let properties = InterstitialDisplayProperties(interstitialLayout: session.orientationProperties.layout)
      let state = ModalState(
        kind: .expanded, displayView: view, presentingView: showsSecondPart ? views.page : nil, properties: properties)
      return [.show(state, secondPart: url)]
    case .resized(let frame, let closePosition):
      let properties = InterstitialDisplayProperties(contentFrame: frame, closePosition: closePosition)
      return [.show(ModalState(kind: .resized, displayView: views.page, properties: properties), secondPart: nil)]
    case .default: return [.restoreOrientation, .close]
    case .hidden:
      hides = true
      return [.restoreOrientation, .close]
    }
  }

  /// `unload()`: the ad manager takes the ad away, and what the ad did to the app is undone.
  private mutating func unload() -> [Effect] {
    // An interstitial that was closed has nothing left to take away.
    guard session.state != .hidden else { return [] }
    return [.restoreOrientation, .unload] + dropSecondPart()
  }

  private mutating func dropSecondPart() -> [Effect] {
    guard showsSecondPart else { return [] }
    showsSecondPart = false
    return [.discardSecondPart]
  }

  /// A click, whichever way it came.
  private func click(_ url: String) -> [Effect] {
    switch ClickDestination(url) {
    case .browser: [.click, .cover(hostContent(.browser(url: url)))]
    case .otherApp: [.click, .leaveApp]
    }
  }

  /// The ad manager pauses the creative once that is on screen.
  private func hostContent(_ kind: ModalState.Kind) -> ModalState {
    ModalState(kind: kind, displayView: .browser, presentingView: view)
  }
}

extension MRAIDInput {
  /// Whether it answers what the session asked to be shown.
  fileprivate var isPresented: Bool { if case .presented = self { true } else { false } }

  /// Whether its page asked for it.
  fileprivate var isCommand: Bool { if case .command = self { true } else { false } }
}

extension OrientationProperties {
  /// The orientation the ad forces, nil for none.
  fileprivate var layout: AppOrientation? {
    switch forceOrientation {
    case .portrait: .portrait
    case .landscape: .landscape
    case .none: nil
    }
  }
}

/// The views of one ad; where several ads are on a screen each has its own.
package struct CreativeViews: Hashable, Sendable {
  /// The creative's own page.
  package let page: AdViewID
  /// The page of a two-part expand.
  package let secondPart: AdViewID
  /// The player of its first film.
  package let player: AdViewID

  /// The views of the only ad.
  package static let only = CreativeViews(page: .creative, secondPart: .secondPart, player: .player)

  private init(page: AdViewID, secondPart: AdViewID, player: AdViewID) {
    self.page = page
    self.secondPart = secondPart
    self.player = player
  }

  /// Those of an ad among others, by its number from 1.
  package init(number: Int) {
    page = AdViewID(rawValue: "creative-\(number)")
    secondPart = AdViewID(rawValue: "creative-\(number)-second-part")
    player = AdViewID(rawValue: "creative-\(number)-player")
  }
}

/// Whose doing a log entry is.
package enum CreativeLogSource: Sendable {
  /// The app and the device did something for the creative.
  case host
  /// The session's own remark; the creative never hears it.
  case mraid
}

extension MRAIDCommand {
  /// The bridge method's name.
  fileprivate var name: String {
    switch self {
    case .expand: "expand"
    case .resize: "resize"
    case .close: "close"
    case .unload: "unload"
    case .open: "open"
    case .useCustomClose: "useCustomClose"
    case .setExpandProperties: "setExpandProperties"
    case .setResizeProperties: "setResizeProperties"
    case .setOrientationProperties: "setOrientationProperties"
    case .playVideo: "playVideo"
    case .storePicture: "storePicture"
    case .createCalendarEvent: "createCalendarEvent"
    case .initVpaid: "initVpaid"
    case .addEventListener: "addEventListener"
    case .misuse(let action, _): action
    }
  }
}
