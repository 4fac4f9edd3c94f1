internal import MRAID

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
