package import Core
package import MRAID

/// An HTML or MRAID creative: its session decides, this carries the session's effects to the ad manager and the host.
///
/// Effects are carried out in the session's order, whatever the ad manager, the host or the app call back meanwhile.
package final class HTMLCreative: Creative {
  /// The ad manager, as long as it is this creative's turn.
  package weak var delegate: (any CreativeDelegate)?
  /// What the creative's pages and the host have led to so far.
  package private(set) var session: MRAIDSession
  /// Whether the creative's second part is what its modal state shows.
  package internal(set) var showsSecondPart = false
  /// What shows it.
  let views: CreativeViews
  unowned let host: any CreativeHost
  /// Told when it is on the screen, and when a click on it leads somewhere: whoever counts an end card's.
  package var onDisplay: (() -> Void)?
  package var onClick: (() -> Void)?
  /// Effects that are carried out, and what follows from them.
  let queue = ActionQueue()

  /// A creative whose page is about to load; `host` has to outlive it.
  package init(session: MRAIDSession, host: any CreativeHost, views: CreativeViews = .only) {
    self.views = views
    self.session = session
    self.host = host
  }

  /// The creative's own page; a second part is shown by a modal state only.
  package var displayView: AdViewID { views.page }

  /// Whether it was unloaded, or is an interstitial that was closed.
  package var isGone: Bool { session.isUnloaded || session.state == .hidden }

  /// The page of `part` called the bridge; a call that comes too late is still remarked on.
  package func handle(_ command: MRAIDCommand, from part: AdPart, gesture: Bool) {
    send(.command(command, from: part, gesture: gesture))
  }

  /// The page of `part` is loaded: it gets `ready`.
  package func pageDidLoad(_ part: AdPart) { sendIfThere(.loaded(part)) }

  /// Its view is on the screen; from now on it may be viewable.
  package func didDisplay() {
    guard !isGone else { return }
    delegate?.creativeDidDisplay(self)
    onDisplay?()
    screenDidChange()
  }

  /// A page is paused by what it can measure: its exposure is gone.
  package func pause() { screenDidChange() }

  /// The page is told what can be seen of it again.
  package func resume() { screenDidChange() }

  /// The same outcome as the page's own `close()`.
  package func hostClosed() { sendIfThere(.hostClose) }

  /// Rotation, scroll or another change of the screen; getters first, events then.
  package func screenDidChange() { sendIfThere(.geometryChanged(host.geometry, host.exposure, at: host.now)) }

  /// Only what covers or uncovers the ad changed.
  package func exposureDidChange() { sendIfThere(.exposureChanged(host.exposure, at: host.now)) }

  /// 0–100, nil when unknown.
  package func volumeDidChange(_ volume: Double?) { sendIfThere(.volumeChanged(volume)) }

  /// For what the page itself didn't ask for: once it is gone, nothing reaches it.
  func sendIfThere(_ input: @autoclosure () -> MRAIDInput) {
    if !isGone { send(input()) }
  }

  /// Hands the session an input and carries its effects out, after those under way.
  func send(_ input: MRAIDInput) {
    let before = session.lastTransition
    // A resize of a resized ad is a transition as well, though it looks like the one before.
    let answers = session.isChangingState && input.isPresented
    let effects = session.handle(input)
    if let transition = session.lastTransition, answers || transition != before { host.stateChanged(transition) }
    queue.hold {
      for effect in effects { queue.add { [self] in carryOut(effect) } }
    }
  }
}

extension MRAIDInput {
  /// Whether it answers what the session asked to be shown.
  fileprivate var isPresented: Bool { if case .presented = self { true } else { false } }
}

extension HTMLCreative {
  /// Does what the session decided.
  func carryOut(_ effect: MRAIDEffect) {
    switch effect {
    case .deliver(let update, let part): host.deliver(update, to: part)
    case .present(let presentation): present(presentation)
    case .open(let url, let gesture): open(url, gesture: gesture)
    case .playVideo(let uri): playVideo(uri)
    case .storePicture(let uri, let confirmed):
      host.record(.host, "storePicture", ["uri": .string(uri), "confirmed": .bool(confirmed)])
    case .createCalendarEvent(let event, let confirmed):
      host.record(.host, "createCalendarEvent", ["event": event, "confirmed": .bool(confirmed)])
    case .orientation(let properties): orient(properties)
    case .customClose(let wanted):
      host.record(.host, "useCustomClose", ["wanted": .bool(wanted), "hostDraws": true])
    case .unload: unload()
    case .vpaid(let phase): host.record(.mraid, "vpaid", ["phase": .string(phase)])
    case .scheduleExposure(let delay): scheduleExposure(after: delay)
    case .ignored(let command, let reason):
      host.record(.mraid, "ignored", ["command": .string(command.name), "reason": .string(reason)])
    case .premature(let command):
      host.record(.mraid, "premature", ["command": .string(command.name)])
    }
  }

  /// What turning or locking changes is told later, unless a transition tells it first.
  private func orient(_ properties: OrientationProperties) {
    host.apply(properties)
    guard host.geometry != session.geometry else { return }
    host.schedule(after: 0) { [weak self] in self?.screenDidChange() }
  }

  private func scheduleExposure(after delay: Double) {
    host.schedule(after: delay) { [weak self] in
      guard let self else { return }
      sendIfThere(.exposureDue(at: host.now))
    }
  }
}

/// Runs actions one after the other, so that what an action leads to never overtakes what was asked for before it.
final class ActionQueue {
  private var waiting: [() -> Void] = []
  private var isBusy = false

  /// Runs the action after everything added before; at once when nothing is under way.
  func add(_ action: @escaping () -> Void) {
    waiting.append(action)
    hold {}
  }

  /// Runs `body` at once; whatever is added meanwhile waits for its end.
  func hold(_ body: () -> Void) {
    guard !isBusy else { return body() }
    isBusy = true
    body()
    while !waiting.isEmpty { waiting.removeFirst()() }
    isBusy = false
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

/// What an HTML creative needs of the world around it.
package protocol CreativeHost: AnyObject {
  /// Brings a page up to date and dispatches events in it, after everything delivered before.
  func deliver(_ update: BridgeUpdate, to part: AdPart)
  /// The screen as it is now.
  var geometry: HostGeometry { get }
  /// What can be seen of the creative now.
  var exposure: Exposure { get }
  /// Loads the page of a two-part expand; `false` when the address can't be loaded.
  func loadSecondPart(_ url: String) -> Bool
  /// Ends the page of a two-part expand.
  func discardSecondPart()
  /// The creative took itself away before it was its turn: if it still loads, its load has failed.
  func failLoading(_ error: AdError)
  /// Turns the app as the ad wishes, if the app allows it; before the next layout.
  func apply(_ orientation: OrientationProperties)
  /// Turns the app back to how it stood before an ad turned it.
  func restoreOrientation()
  /// Milliseconds since the load began.
  var now: Double { get }
  /// Runs `action` later, unless the render is over.
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void)
  /// Notes something in the event log.
  func record(_ source: CreativeLogSource, _ name: String, _ detail: JSONValue)
  /// The session moved from one state to another, or again to the same.
  func stateChanged(_ transition: MRAIDTransition)
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
  var name: String {
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
