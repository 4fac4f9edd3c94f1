internal import Core
internal import MRAID

extension HTMLCreative {
  /// Asks the ad manager to show the ad so; the session hears when it stands, or why it can't.
  func present(_ presentation: Presentation) {
    guard !session.isUnloaded else { return }
    guard delegate != nil else { return fail("the ad isn't shown yet") }
    switch presentation {
    case .expanded(let url): expand(url)
    case .resized(let frame, let closePosition):
      let properties = InterstitialDisplayProperties(contentFrame: frame, closePosition: closePosition)
      show(ModalState(kind: .resized, displayView: displayView, properties: properties))
    case .default: close {}
    case .hidden: close { [weak self] in self?.interstitialDidClose() }
    }
  }

  /// `unload()`: the ad manager takes the ad away, and what the ad did to the app is undone.
  func unload() {
    // An interstitial that was closed has nothing left to take away.
    guard session.state != .hidden else { return }
    host.restoreOrientation()
    if let delegate {
      delegate.creativeDidUnload(self)
    } else {
      host.failLoading(.unloadedWhileLoading)
    }
    dropSecondPart()
  }

  private func expand(_ url: String?) {
    if let url {
      guard host.loadSecondPart(url) else { return fail("the second part \(url) can't be loaded") }
      showsSecondPart = true
    }
    show(
      ModalState(
        kind: .expanded, displayView: showsSecondPart ? views.secondPart : displayView,
        presentingView: showsSecondPart ? displayView : nil,
        properties: InterstitialDisplayProperties(interstitialLayout: session.orientationProperties.layout)))
  }

  private func show(_ state: ModalState) {
    delegate?.creativeShouldDisplayModalState(self, state) { [weak self] in self?.didPresent() }
  }

  private func close(then: @escaping () -> Void) {
    host.restoreOrientation()
    delegate?.creativeShouldCloseModalState(self) { [weak self] in
      guard let self, !session.isUnloaded else { return }
      dropSecondPart()
      didPresent()
      queue.add(then)
    }
  }

  private func didPresent() { sendIfThere(.presented(host.geometry, host.exposure, at: host.now)) }

  /// Nothing is shown, so the app stands as before the ad asked.
  private func fail(_ reason: String) {
    host.restoreOrientation()
    send(.presentationFailed(reason))
  }

  private func dropSecondPart() {
    guard showsSecondPart else { return }
    showsSecondPart = false
    host.discardSecondPart()
  }

  private func interstitialDidClose() {
    delegate?.creativeInterstitialDidClose(self)
    delegate?.creativeDidComplete(self)
  }
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

extension HTMLCreative {
  /// The person followed a link that bypassed `mraid.open`; SDKs catch it and go on as if it had been called.
  package func clickedThrough(to url: String) {
    guard !isGone else { return }
    queue.add { [self] in goThrough(to: url) }
  }

  /// `open(url)`.
  func open(_ url: String, gesture: Bool) {
    host.record(.host, "open", ["url": .string(url), "gesture": .bool(gesture)])
    goThrough(to: url)
  }

  /// `playVideo(uri)`: the player is the host's and no click on the ad.
  func playVideo(_ uri: String) {
    host.record(.host, "playVideo", ["uri": .string(uri)])
    cover(with: .video(url: uri))
  }

  /// A click, whichever way it came.
  private func goThrough(to url: String) {
    onClick?()
    delegate?.creativeWasClicked(self)
    switch ClickDestination(url) {
    case .browser: cover(with: .browser(url: url))
    case .otherApp: delegate?.creativeInterstitialDidLeaveApp(self)
    }
  }

  /// The ad manager pauses the creative once that is on screen.
  private func cover(with kind: ModalState.Kind) {
    let state = ModalState(
      kind: kind, displayView: .browser, presentingView: showsSecondPart ? views.secondPart : displayView)
    delegate?.creativeShouldDisplayModalState(self, state) {}
  }
}
