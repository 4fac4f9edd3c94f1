package import Core
package import MRAID

/// An HTML or MRAID creative: `AdState` decides, this carries its effects out to the ad manager and the host.
///
/// They are carried out in their order, whatever the ad manager, the host or the app call back meanwhile.
package final class HTMLCreative: Creative {
  /// The ad manager, as long as it is this creative's turn.
  package weak var delegate: (any CreativeDelegate)?
  private var state: AdState
  private unowned let host: any CreativeHost
  /// The creative's own page; a second part is shown by a modal state only.
  package let displayView: AdViewID
  /// Told when it is on the screen, and when a click on it leads somewhere: whoever counts an end card's.
  package var onDisplay: (() -> Void)?
  package var onClick: (() -> Void)?
  /// What is still to be done, and whether something is being done.
  private var effects: [AdState.Effect] = []
  private var isBusy = false

  /// A creative whose page is about to load; `host` has to outlive it.
  package init(session: MRAIDSession, host: any CreativeHost, views: CreativeViews = .only) {
    state = AdState(session: session, views: views)
    displayView = views.page
    self.host = host
  }

  /// What the creative's pages and the host have led to so far.
  package var session: MRAIDSession { state.session }

  /// Whether the creative's second part is what its modal state shows.
  package var showsSecondPart: Bool { state.showsSecondPart }

  /// Whether it was unloaded, or is an interstitial that was closed.
  package var isGone: Bool { state.isGone }

  /// The page of `part` is loaded: it gets `ready`.
  package func pageDidLoad(_ part: AdPart) { sendInput(.loaded(part)) }

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
  package func hostClosed() { sendInput(.hostClose) }

  /// Rotation, scroll or another change of the screen; getters first, events then.
  package func screenDidChange() { sendInput(.geometryChanged(host.geometry, host.exposure, at: host.now)) }

  /// Only what covers or uncovers the ad changed.
  package func exposureDidChange() { sendInput(.exposureChanged(host.exposure, at: host.now)) }

  /// 0–100, nil when unknown.
  package func volumeDidChange(_ volume: Double?) { sendInput(.volumeChanged(volume)) }

  /// The person followed a link that bypassed `mraid.open`.
  package func clickedThrough(to url: String) { handle(.clicked(url)) }

  /// For what the page itself didn't ask for: once it is gone, nothing reaches it.
  private func sendInput(_ input: @autoclosure () -> MRAIDInput) {
    if !isGone { handle(.session(input())) }
  }

  /// Takes an input in, such as a call of its page's, and does what comes of it, after what is to be done already.
  package func handle(_ input: AdState.Input) {
    effects += state.handle(input)
    guard !isBusy else { return }
    isBusy = true
    while !effects.isEmpty { carryOut(effects.removeFirst()) }
    isBusy = false
  }

  private func carryOut(_ effect: AdState.Effect) {
    switch effect {
    case .deliver(let update, let part): host.deliver(update, to: part)
    case .transition(let transition): host.stateChanged(transition)
    case .show(let modal, let url): show(modal, secondPart: url)
    case .close: close()
    case .discardSecondPart: host.discardSecondPart()
    case .restoreOrientation: host.restoreOrientation()
    case .orient(let properties): orient(properties)
    case .click:
      onClick?()
      delegate?.creativeWasClicked(self)
    case .cover(let modal): delegate?.creativeShouldDisplayModalState(self, modal) {}
    case .leaveApp: delegate?.creativeInterstitialDidLeaveApp(self)
    case .finish:
      delegate?.creativeInterstitialDidClose(self)
      delegate?.creativeDidComplete(self)
    case .unload:
      if let delegate { delegate.creativeDidUnload(self) } else { host.failLoading(.unloadedWhileLoading) }
    case .scheduleExposure(let delay): scheduleExposure(after: delay)
    case .record(let source, let name, let detail): host.record(source, name, detail)
    }
  }

  private func show(_ modal: ModalState, secondPart url: String?) {
    guard !session.isUnloaded else { return }
    guard let delegate else { return fail("the ad isn't shown yet") }
    if let url, !host.loadSecondPart(url) { return fail("the second part \(url) can't be loaded") }
    delegate.creativeShouldDisplayModalState(self, modal) { [weak self] in self?.didPresent() }
  }

  private func close() {
    guard !session.isUnloaded else { return }
    guard let delegate else { return fail("the ad isn't shown yet") }
    delegate.creativeShouldCloseModalState(self) { [weak self] in
      self?.handle(.closed)
      self?.didPresent()
    }
  }

  private func didPresent() {
    if !isGone { handle(.session(.presented(host.geometry, host.exposure, at: host.now))) }
  }

  private func fail(_ reason: String) { handle(.session(.presentationFailed(reason))) }

  /// What turning or locking changes is told later, unless a transition tells it first.
  private func orient(_ properties: OrientationProperties) {
    host.apply(properties)
    guard host.geometry != session.geometry else { return }
    host.schedule(after: 0) { [weak self] in self?.screenDidChange() }
  }

  private func scheduleExposure(after delay: Double) {
    host.schedule(after: delay) { [weak self] in
      guard let self else { return }
      sendInput(.exposureDue(at: host.now))
    }
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
