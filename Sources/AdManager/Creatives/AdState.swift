package import Core
package import Device
package import MRAID

/// State of an HTML ad: its session, the view that is shown, and the effects of clicks that lead out of it.
///
/// An input returns the effects that have to be carried out because of it, in order. Nothing here waits, reads a screen
/// or depends on the code that carries out the effects.
package struct AdState: Sendable {
  /// Event that changes the ad's state.
  package enum Input: Hashable, Sendable {
    /// Command of the page or event of the host, in the session's own form.
    case session(MRAIDInput)
    /// The ad's view is on the screen for the first time, or again.
    case displayed
    /// The ad's own modal state was removed from the stack, as `.close` requested.
    case closed
    /// The user followed a link that bypassed `mraid.open`; SDKs catch it and continue as if it had been called.
    case clicked(String)
  }

  /// Action that follows from an input.
  package enum Effect: Hashable, Sendable {
    /// Brings the part's page up to date, then dispatches the events.
    case deliver(BridgeUpdate, to: AdPart)
    /// Reports that the session has gone from state to state, or again to the same.
    case transition(MRAIDTransition)
    /// Shows a modal state, after loading the page of a two-part expand; the session then gets the success or the
    /// error.
    case show(ModalState, secondPart: String?)
    /// Removes the ad's own modal state; the session then gets `closed` and `presented`.
    case close
    /// Ends the page of a two-part expand.
    case discardSecondPart
    /// Turns the app back to the orientation it had before the ad turned it.
    case restoreOrientation
    /// Turns the app, or locks it, as the ad requests.
    case orient(OrientationProperties)
    /// Reports that the user requested the advertiser's page.
    case click
    /// Shows the browser or the player above the ad.
    case cover(ModalState)
    /// Reports that the click leads out of the app.
    case leaveApp
    /// Reports that the interstitial is off the screen: it is closed and complete.
    case finish
    /// Removes the ad for good.
    case unload
    /// Sends the exposure to the session after this number of milliseconds.
    case scheduleExposure(after: Double)
    /// Records an entry in the event log.
    case record(CreativeLogSource, String, JSONValue)
  }

  /// Session with the results of all calls of the creative's pages and the host so far.
  package private(set) var session: MRAIDSession
  /// Indicates that the modal state shows the ad's second part.
  package private(set) var showsSecondPart = false
  /// Indicates that the ad was on the screen; before that a playable's call for the store is no click.
  private var wasDisplayed = false
  private let views: CreativeViews
  /// Indicates that the host was last asked to remove the ad from the screen.
  private var hides = false

  package init(session: MRAIDSession, views: CreativeViews = .only) {
    self.session = session
    self.views = views
  }

  /// Indicates that the ad was unloaded, or is an interstitial that was closed.
  package var isGone: Bool { session.isUnloaded || session.state == .hidden }

  /// View that shows the ad now.
  package var view: AdViewID { showsSecondPart ? views.secondPart : views.page }

  /// Handles one input and returns the effects to carry out, in order.
  ///
  /// Once the ad is gone, only commands of its page still have effects, namely remarks in the log.
  package mutating func handle(_ input: Input) -> [Effect] {
    let told: MRAIDInput
    switch input {
    case .session(let input): told = input
    case .displayed:
      wasDisplayed = true
      return []
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
    for effect in asked { effects += meaning(of: effect, after: told) }
    return isHidden ? effects + [.finish] : effects
  }

  /// Effects of a failed presentation: nothing is shown, so the app returns to its orientation before the ad's request.
  private mutating func fail(_ input: MRAIDInput) -> [Effect] {
    guard case .presentationFailed = input else { return [] }
    hides = false
    if session.state != .expanded { showsSecondPart = false }
    return [.restoreOrientation]
  }

  /// Translates an effect of the session into effects on the host and the ad manager.
  private mutating func meaning(of effect: MRAIDEffect, after input: MRAIDInput) -> [Effect] {
    switch effect {
    case .deliver(let update, let part): return [.deliver(update, to: part)]
    case .present(let presentation): return present(presentation)
    case .open(let url, let gesture):
      return [.record(.host, "open", ["url": .string(url), "gesture": .bool(gesture)])] + click(url)
    case .openStore: return wasDisplayed ? [.click, .leaveApp] : [ignored(input)]
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

  /// Entry in the log for a call for the store that is no click, as nobody has seen the ad.
  private func ignored(_ input: MRAIDInput) -> Effect {
    var detail: [String: JSONValue] = ["reason": "the ad isn't displayed yet"]
    if case .called(let call) = input { detail["call"] = .string(call.name) }
    return .record(.playable, "ignored", .object(detail))
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

  /// Effects of `unload()`: the ad manager removes the ad, and its changes to the app are undone.
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

  /// Effects of a click, by either way of clicking.
  private func click(_ url: String) -> [Effect] {
    switch ClickDestination(url) {
    case .browser: [.click, .cover(hostContent(.browser(url: url)))]
    case .otherApp: [.click, .leaveApp]
    }
  }

  /// Modal state for the host's browser or player; the ad manager pauses the creative once it is on screen.
  private func hostContent(_ kind: ModalState.Kind) -> ModalState {
    ModalState(kind: kind, displayView: .browser, presentingView: view)
  }
}

extension MRAIDInput {
  /// Indicates that the input confirms a presentation that the session requested.
  fileprivate var isPresented: Bool { if case .presented = self { true } else { false } }

  /// Indicates that the input is a command of the page.
  fileprivate var isCommand: Bool { if case .command = self { true } else { false } }
}

extension OrientationProperties {
  /// Orientation that the ad forces; nil for none.
  fileprivate var layout: AppOrientation? {
    switch forceOrientation {
    case .portrait: .portrait
    case .landscape: .landscape
    case .none: nil
    }
  }
}

/// Views of one ad; of several ads on a screen each has its own.
package struct CreativeViews: Hashable, Sendable {
  /// The creative's own page.
  package let page: AdViewID
  /// The page of a two-part expand.
  package let secondPart: AdViewID
  /// The player of its first video.
  package let player: AdViewID

  /// Views of an ad that is alone.
  package static let only = CreativeViews(page: .creative, secondPart: .secondPart, player: .player)

  private init(page: AdViewID, secondPart: AdViewID, player: AdViewID) {
    self.page = page
    self.secondPart = secondPart
    self.player = player
  }

  /// Creates the views of an ad among others, by its number from 1.
  package init(number: Int) {
    page = AdViewID(rawValue: "creative-\(number)")
    secondPart = AdViewID(rawValue: "creative-\(number)-second-part")
    player = AdViewID(rawValue: "creative-\(number)-player")
  }
}

/// Source of a log entry.
package enum CreativeLogSource: Sendable {
  /// The app and the device did something for the creative.
  case host
  /// The session's own remark; the creative never receives it.
  case mraid
  /// The playable's network did it; the creative never receives it.
  case playable
}

extension MRAIDCommand {
  /// Name of the bridge method.
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
