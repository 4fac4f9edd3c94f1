package import AdResponses
internal import Core

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
    host.track(TrackedEvent(event, detail: ["ad": .number(Double(place))], beacons: beacons), displayView)
  }
}

/// What is shown after a film, or above a programme: a companion or an overlay made into a page.
package struct EndCard: Hashable, Sendable {
  package let companion: VASTCompanion
  package let resource: VASTResource
  /// Whether it lies over a programme rather than in the middle of the dark.
  private let isOverlay: Bool

  /// The best companion for a place of this size; nil where none can be shown.
  package init?(of ad: ResolvedAd, width: Double, height: Double) {
    guard let choice = CompanionChoice.endCard(of: ad.companions, width: width, height: height) else { return nil }
    companion = choice.companion
    resource = choice.resource
    isOverlay = false
  }

  /// The first overlay of an ad without a film; nil where none can be shown.
  package init?(overlayOf ad: ResolvedAd) {
    guard ad.linear == nil else { return nil }
    let choices = ad.nonLinears.lazy.compactMap { overlay in
      overlay.resources.first(where: CompanionChoice.isShown).map { (overlay, $0) }
    }
    guard let (overlay, resource) = choices.first else { return nil }
    companion = VASTCompanion(
      id: overlay.id, width: overlay.width ?? 0, height: overlay.height ?? 0, resources: overlay.resources,
      apiFramework: overlay.apiFramework, clickThrough: overlay.clickThrough, clickTracking: overlay.clickTracking,
      tracking: ad.nonLinearTracking)
    self.resource = resource
    isOverlay = true
  }

  /// Addresses that are asked when it is on the screen.
  package var viewBeacons: [String] { companion.tracking.filter { $0.event == "creativeView" }.map(\.url) }

  /// A page around it, or the companion's own markup as it came; `address` makes an address one that can be loaded.
  package func html(address: (String) -> String) -> String {
    switch resource {
    case .html(let markup): isOverlay ? page(Markup(raw: markup)).text : markup
    case .page(let url) where isOverlay: page("<iframe src=\"\(address(url))\" \(size)></iframe>").text
    case .page(let url): page("<iframe src=\"\(address(url))\"></iframe>").text
    case .screenshot(let url, _):
      page(link(around: "<img src=\"\(address(url))\" alt=\"\(text)\" \(size)>")).text
    }
  }

  /// The address of what its page shows; nil for markup, which is there as soon as its page is.
  package var address: String? {
    switch resource {
    case .screenshot(let url, _), .page(let url): url
    case .html: nil
    }
  }

  private var text: String { companion.alternativeText ?? "" }

  private var size: Markup {
    let (width, height) = (companion.assetWidth ?? companion.width, companion.assetHeight ?? companion.height)
    guard width > 0, height > 0 else { return "" }
    return "width=\"\(width.plain)\" height=\"\(height.plain)\""
  }

  private func link(around content: Markup) -> Markup {
    guard let url = companion.clickThrough else { return content }
    return "<a id=\"companion\" href=\"\(url)\" target=\"_blank\">\(content)</a>"
  }

  private func page(_ content: Markup) -> Markup { isOverlay ? Self.programme(under: content) : Self.card(content) }

  /// A still of a programme that goes on below the ad, which stands above its lower edge.
  private static func programme(under content: Markup) -> Markup {
    """
    <!DOCTYPE html><html><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><style>
    html, body { margin: 0; height: 100% }
    body { display: flex; flex-direction: column; align-items: center; justify-content: flex-end; overflow: hidden;
      background: linear-gradient(#3b4a5a, #93a4b3 60%, #5d6b58 60%, #39452f) }
    #overlay { max-width: 100%; margin-bottom: 20px }
    a { display: block } img { display: block; max-width: 100%; height: auto } iframe { border: 0; display: block }
    #bar { position: absolute; left: 10px; right: 10px; bottom: 8px; height: 3px; background: #fff6 }
    #bar i { display: block; width: 30%; height: 100%; background: #fff }
    </style></head><body><div id="overlay">\(content)</div><div id="bar"><i></i></div></body></html>
    """
  }

  /// The film is gone, so what it leaves stands in the middle of the dark.
  private static func card(_ content: Markup) -> Markup {
    """
    <!DOCTYPE html><html><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><style>
    html, body { margin: 0; height: 100%; background: #101216 }
    body { display: flex; align-items: center; justify-content: center; overflow: hidden }
    a { display: block } img { display: block; max-width: 100vw; max-height: 100vh; object-fit: contain }
    iframe { border: 0; width: 100%; height: 100% }
    </style></head><body>\(content)</body></html>
    """
  }
}
