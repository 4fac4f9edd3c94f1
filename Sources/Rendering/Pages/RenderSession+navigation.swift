internal import AdManager
internal import Core
internal import Creatives
internal import RenderModel
internal import WebKitRuntime

extension RenderSession {
  /// Main-frame documents a creative may go to by itself before it counts as a loop.
  private static let longestNavigation = 20

  /// Says whether a frame may go somewhere. A person's click leads out of the ad; it is caught and opened by the host.
  ///
  /// WebKit doesn't say which frame asks, so a navigation without a gesture is let go here, links and forms that a
  /// script follows included; if it turns out to be the main frame's, `loadStarted` stops it.
  func allows(_ request: NavigationRequest, of page: AdPage) -> Bool {
    guard isAds(page), failure == nil else { return failure == nil }
    guard page.hasStarted else {
      page.hasStarted = true
      return true
    }
    return staysInside(request.url) || !request.gesture
  }

  /// The main frame goes somewhere: within the creative that is its own affair, elsewhere it is stopped.
  func loadStarted(_ page: AdPage) {
    let url = page.lastAllowed?.url ?? page.view.url
    let kind = page.lastAllowed?.kind.rawValue ?? "other"
    guard isAds(page), page.hasCommitted else {
      prepareViewport(of: page, at: url)
      return page.beginLoad()
    }
    if staysInside(url) || (bundle.url != nil && loadEnd == nil) {
      note(page, "navigation", navigationDetail(url, kind: kind, gesture: false, allowed: true))
      prepareViewport(of: page, at: url)
      page.beginLoad()
      return countNavigation(of: page, to: url)
    }
    note(page, "navigation", navigationDetail(url, kind: kind, gesture: false, allowed: false))
    page.refusedAddress = url
    page.view.stopLoading()
  }

  /// A click that bypassed `mraid.open`: SDKs catch it and open their browser all the same.
  func refused(_ request: NavigationRequest, by page: AdPage) {
    guard failure == nil else { return }
    lead(request, from: page, as: "navigation")
  }

  /// A new window: none is made; with a gesture it is a click.
  func popup(_ request: NavigationRequest, from page: AdPage) { lead(request, from: page, as: "popup") }

  /// Logs a way out of the ad, which isn't gone; with a gesture it is a click.
  private func lead(_ request: NavigationRequest, from page: AdPage, as name: String) {
    let detail = navigationDetail(
      request.url, kind: request.kind.rawValue, gesture: request.gesture, allowed: false)
    note(page, name, detail) { [weak self] in
      guard let self, request.gesture else { return }
      gate.pass { [weak self] in
        self?.becomeActive()
        if let card = self?.video.cards[page.id] {
          card.clicked(to: request.url)
        } else {
          self?.creative?.clickedThrough(to: request.url)
        }
      }
    }
  }

  /// Whether the page shows what the ad's maker made, rather than something of the host's.
  private func isAds(_ page: AdPage) -> Bool { page.part != nil || video.cards[page.id] != nil }

  private func staysInside(_ url: String) -> Bool {
    addresses.isOwn(url) || url.hasPrefix("about:") || url.hasPrefix("javascript:")
  }

  /// Waits while the creative sends itself from document to document; one that never stays fails as a loop.
  func arrives() async {
    for _ in 0..<Self.mostLooks where isOnItsWay && failure == nil && !Task.isCancelled {
      let seen = navigations
      _ = await recorder.wait(Self.shortestStay) { [self] in navigations > seen || failure != nil }
    }
  }

  /// Whether the creative went to another document just now, or one it went to isn't there yet.
  private var isOnItsWay: Bool {
    guard let lastNavigation else { return false }
    return clock.now - lastNavigation < Self.shortestStay || stage.pages[views.page]?.isLoaded == false
  }

  /// Looks after which a document that never ends to load is taken as it is.
  private static let mostLooks = 40

  /// How long a creative has to stay on a document it went to by itself to count as having arrived.
  private static let shortestStay = Duration.milliseconds(150)

  private func countNavigation(of page: AdPage, to url: String) {
    navigations += 1
    lastNavigation = clock.now
    guard navigations > Self.longestNavigation else { return }
    page.refusedAddress = url
    page.view.stopLoading()
    let count = navigations
    Task { @WebKitActor [weak self] in
      // How much of the last documents has come is chance until then.
      _ = await self?.recorder.wait(.seconds(1)) { page.ownResourcesHaveEnded }
      self?.flushNetwork()
      self?.fail(
        .failed, .creative("navigation-loop", "the creative sent itself to \(count) documents without an end"))
    }
  }

  private func navigationDetail(_ url: String, kind: String, gesture: Bool, allowed: Bool) -> JSONValue {
    [
      "url": .string(addresses.display(url)), "kind": .string(kind), "gesture": .bool(gesture),
      "allowed": .bool(allowed),
    ]
  }
}
