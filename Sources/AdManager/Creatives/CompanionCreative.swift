package import AdResponses
internal import Core
package import Device

/// End card of a video that is followed by another in its pod: a page without a bridge, shown until the user closes it.
package final class CompanionCreative: Creative {
  /// The ad manager, while this creative is current.
  package weak var delegate: (any CreativeDelegate)?
  /// The card's view.
  package let displayView: AdViewID
  package private(set) var isGone = false
  private let card: EndCard
  /// Place of its ad in the pod, from 1.
  private let place: Int
  private unowned let host: any VideoHost

  /// Creates the card of the ad at `place`, whose page is loaded; `host` has to outlive it.
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

  /// Does nothing, since no part of the card depends on time.
  package func pause() {}

  package func resume() {}

  /// Completes the card without ending the ad: the pod's next video follows.
  package func hostClosed() {
    guard !isGone else { return }
    isGone = true
    delegate?.creativeDidComplete(self)
  }

  /// Handles a click on the link to the advertiser.
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

/// Companion or overlay as a page: shown after a video, or above a programme.
package struct EndCard: Hashable, Sendable {
  package let companion: VASTCompanion
  package let resource: VASTResource
  /// Indicates that it lies over a programme rather than in the middle of a dark page.
  private let isOverlay: Bool

  /// Chooses the best companion for a place of this size; nil if none can be shown.
  package init?(of ad: ResolvedAd, width: Double, height: Double) {
    guard let choice = CompanionChoice.endCard(of: ad.companions, width: width, height: height) else { return nil }
    companion = choice.companion
    resource = choice.resource
    isOverlay = false
  }

  /// Chooses the first overlay of an ad without a video; nil if none can be shown.
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

  /// Addresses to request when the card is on the screen.
  package var viewBeacons: [String] { companion.tracking.filter { $0.event == "creativeView" }.map(\.url) }

  /// Returns the page: markup of a companion as it came, all else with a page around it.
  ///
  /// `address` converts an address into one that can be loaded.
  package func html(address: (String) -> String) -> String {
    switch resource {
    case .html(let markup): isOverlay ? page(Markup(raw: markup)).text : markup
    case .page(let url) where isOverlay: page("<iframe src=\"\(address(url))\" \(size)></iframe>").text
    case .page(let url): page("<iframe src=\"\(address(url))\"></iframe>").text
    case .screenshot(let url, _):
      page(link(around: "<img src=\"\(address(url))\" alt=\"\(text)\" \(size)>")).text
    }
  }

  /// Address of the content in its page; nil for markup, which is there as soon as its page is.
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

  /// Image of a programme that goes on beneath the ad, which is placed above its lower edge.
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

  /// Page that shows the content in the middle of a dark background, since the video is over.
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
