package import Core
package import Device
package import MRAID

/// HTML or MRAID creative: `AdState` decides, and this class passes its effects on to the ad manager and the host.
///
/// Effects are carried out in order, even if the ad manager, the host or the app call back meanwhile.
package final class HTMLCreative: Creative {
  /// The ad manager, while this creative is current.
  package weak var delegate: (any CreativeDelegate)?
  private var state: AdState
  private unowned let host: any CreativeHost
  /// View of the creative's own page; a second part is only shown by a modal state.
  package let displayView: AdViewID
  /// Called when the creative is on the screen; an end card's views and clicks are counted with it and `onClick`.
  package var onDisplay: (() -> Void)?
  package var onClick: (() -> Void)?
  /// Effects still to be carried out; `isBusy` while one of them is.
  private var effects: [AdState.Effect] = []
  private var isBusy = false

  /// Creates a creative whose page is about to load; `host` has to outlive it.
  package init(session: MRAIDSession, host: any CreativeHost, views: CreativeViews = .only) {
    state = AdState(session: session, views: views)
    displayView = views.page
    self.host = host
  }

  /// Session with the results of all calls of the creative's pages and the host so far.
  package var session: MRAIDSession { state.session }

  /// Indicates that the modal state shows the creative's second part.
  package var showsSecondPart: Bool { state.showsSecondPart }

  /// Indicates that the creative was unloaded, or is an interstitial that was closed.
  package var isGone: Bool { state.isGone }

  /// Reports that the page of `part` is loaded: it gets `ready`.
  package func pageDidLoad(_ part: AdPart) { sendInput(.loaded(part)) }

  /// Reports that its view is on the screen; from now on it may be viewable.
  package func didDisplay() {
    guard !isGone else { return }
    handle(.displayed)
    delegate?.creativeDidDisplay(self)
    onDisplay?()
    screenDidChange()
  }

  /// Updates the measurements: a page notices the pause by the loss of its exposure.
  package func pause() { screenDidChange() }

  /// Updates the measurements: the page gets its visible part again.
  package func resume() { screenDidChange() }

  /// Closes the ad with the same result as the page's own `close()`.
  package func hostClosed() { sendInput(.hostClose) }

  /// Reports a rotation, a scroll or another change of the screen; getters are updated before the events.
  package func screenDidChange() { sendInput(.geometryChanged(host.geometry, host.exposure, at: host.now)) }

  /// Reports a change of the views that cover the ad.
  package func exposureDidChange() { sendInput(.exposureChanged(host.exposure, at: host.now)) }

  /// Reports the volume, 0–100; nil if it is unknown.
  package func volumeDidChange(_ volume: Double?) { sendInput(.volumeChanged(volume)) }

  /// Reports that the user followed a link that bypassed `mraid.open`.
  package func clickedThrough(to url: String) { handle(.clicked(url)) }

  /// Sends an input that the page itself didn't cause; once the creative is gone, none reaches the session.
  private func sendInput(_ input: @autoclosure () -> MRAIDInput) {
    if !isGone { handle(.session(input())) }
  }

  /// Handles an input, such as a call of its page, and carries out the effects after those still to be carried out.
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

  /// Turns or locks the app; the change is reported to the page later, unless a transition reports it first.
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

/// Environment of an HTML creative.
package protocol CreativeHost: AnyObject {
  /// Brings a page up to date and dispatches events in it, after all earlier deliveries.
  func deliver(_ update: BridgeUpdate, to part: AdPart)
  /// The screen as it is now.
  var geometry: HostGeometry { get }
  /// The visible part of the creative now.
  var exposure: Exposure { get }
  /// Loads the page of a two-part expand; false if the address can't be loaded.
  func loadSecondPart(_ url: String) -> Bool
  /// Ends the page of a two-part expand.
  func discardSecondPart()
  /// Reports that the creative unloaded itself before its turn: if it is still loading, its load has failed.
  func failLoading(_ error: AdError)
  /// Turns the app as the ad requests, if the app allows it; before the next layout.
  func apply(_ orientation: OrientationProperties)
  /// Turns the app back to the orientation it had before an ad turned it.
  func restoreOrientation()
  /// Milliseconds since the load began.
  var now: Double { get }
  /// Runs `action` later, unless the render is over by then.
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void)
  /// Records an entry in the event log.
  func record(_ source: CreativeLogSource, _ name: String, _ detail: JSONValue)
  /// Reports that the session moved from one state to another, or again to the same.
  func stateChanged(_ transition: MRAIDTransition)
}
