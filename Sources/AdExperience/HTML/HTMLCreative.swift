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
