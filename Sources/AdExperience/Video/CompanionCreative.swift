internal import MRAID
internal import VAST

/// The end card of a film that another follows in its pod: a page without a bridge, there until the person goes on.
package final class CompanionCreative: Creative {
  /// The ad manager, as long as it is this creative's turn.
  package weak var delegate: (any CreativeDelegate)?
  /// The card's view.
  package let displayView: AdViewID
  package private(set) var isGone = false
  private let card: EndCard
  /// Its ad's place in the pod, from 1.
  private let place: Int
  private unowned let host: any VideoHost

  /// The card of the ad at `place`, whose page is loaded; `host` has to outlive it.
  package init(card: EndCard, place: Int, displayView: AdViewID, host: any VideoHost) {
    self.card = card
    self.place = place
    self.displayView = displayView
    self.host = host
  }

  package func didDisplay() {
    guard !isGone else { return }
    delegate?.creativeDidDisplay(self)
    track("companionView", card.viewBeacons)
  }

  /// Nothing of it runs by time.
  package func pause() {}

  package func resume() {}

  /// Closing it isn't the end of the ad: the pod's next film has its turn.
  package func hostClosed() {
    guard !isGone else { return }
    isGone = true
    delegate?.creativeDidComplete(self)
  }

  /// The person touched what leads to the advertiser.
  package func clicked(to url: String) {
    guard !isGone else { return }
    track("companionClick", card.companion.clickTracking)
    delegate?.creativeWasClicked(self)
    switch ClickDestination(url) {
    case .browser:
      let state = ModalState(kind: .browser(url: url), displayView: .browser, presentingView: displayView)
      delegate?.creativeShouldDisplayModalState(self, state) {}
    case .otherApp: delegate?.creativeInterstitialDidLeaveApp(self)
    }
  }

  private func track(_ event: String, _ beacons: [String]) {
    host.track(TrackedEvent(event, detail: ["ad": .number(Double(place))], beacons: beacons))
  }
}
