internal import AdManager
internal import Core
internal import Creatives
internal import RenderModel
internal import WebKitRuntime

extension RenderSession {
  /// Says whether a frame may go somewhere; nowhere once the render has failed.
  func allows(_ request: NavigationRequest, of page: AdPage) -> Bool {
    guard failure == nil else { return false }
    defer { if isAds(page) { page.hasStarted = true } }
    return navigation.allows(request.url, gesture: request.gesture, of: facts(of: page))
  }

  /// The main frame goes somewhere: within the creative that is its own affair, elsewhere it is stopped.
  func loadStarted(_ page: AdPage) {
    let url = page.lastAllowed?.url ?? page.view.url
    let kind = page.lastAllowed?.kind.rawValue ?? "other"
    let mayRedirect = bundle.url != nil && loadEnd == nil
    let start = navigation.starts(url, of: facts(of: page), mayRedirect: mayRedirect, at: clock.now)
    switch start {
    case .first: beginLoad(of: page, at: url)
    case .within, .loop:
      let detail = navigationDetail(url, kind: kind, gesture: false, allowed: true)
      note(page, "navigation", detail, as: .departure)
      beginLoad(of: page, at: url)
      if case .loop(let documents) = start { endLoop(of: page, at: url, documents) }
    case .stopped:
      note(
        page, "navigation", navigationDetail(url, kind: kind, gesture: false, allowed: false), as: .stopped)
      page.refusedAddress = url
      page.view.stopLoading()
    }
  }

  private func beginLoad(of page: AdPage, at url: String) {
    prepareViewport(of: page, at: url)
    page.beginLoad()
  }

  private func facts(of page: AdPage) -> NavigationPolicy.Page {
    NavigationPolicy.Page(isAds: isAds(page), hasStarted: page.hasStarted, hasCommitted: page.hasCommitted)
  }

  /// A click that bypassed `mraid.open`: SDKs catch it and open their browser all the same.
  func refused(_ request: NavigationRequest, by page: AdPage) {
    guard failure == nil else { return }
    lead(request, from: page, "navigation", as: .stopped)
  }

  /// A new window: none is made; with a gesture it is a click.
  func popup(_ request: NavigationRequest, from page: AdPage) { lead(request, from: page, "popup", as: .other) }

  /// Logs a way out of the ad, which isn't gone; with a gesture it is a click.
  private func lead(_ request: NavigationRequest, from page: AdPage, _ name: String, as deed: PageDeed) {
    let detail = navigationDetail(
      request.url, kind: request.kind.rawValue, gesture: request.gesture, allowed: false)
    note(page, name, detail, as: deed) { [weak self] in
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

  /// Waits while the creative sends itself from document to document; one that never stays fails as a loop.
  func arrives() async {
    for _ in 0..<Self.mostLooks where isOnItsWay && failure == nil && !Task.isCancelled {
      let seen = navigation.documents
      _ = await recorder.wait(NavigationPolicy.shortestStay) { [self] in
        navigation.documents > seen || failure != nil
      }
    }
  }

  /// Whether the creative went to another document just now, or one it went to isn't there yet.
  private var isOnItsWay: Bool {
    navigation.isOnItsWay(at: clock.now, isLoaded: stage.pages[views.page]?.isLoaded != false)
  }

  /// Looks after which a document that never ends to load is taken as it is.
  private static let mostLooks = 40

  /// Stops a creative that goes from document to document without an end.
  private func endLoop(of page: AdPage, at url: String, _ documents: Int) {
    page.refusedAddress = url
    page.view.stopLoading()
    Task { @WebKitActor [weak self] in
      // How much of the last documents has come is chance until then.
      _ = await self?.recorder.wait(.seconds(1)) { page.ownResourcesHaveEnded }
      self?.flushNetwork()
      self?.fail(
        .failed, .creative("navigation-loop", "the creative sent itself to \(documents) documents without an end"))
    }
  }

  private func navigationDetail(_ url: String, kind: String, gesture: Bool, allowed: Bool) -> JSONValue {
    [
      "url": .string(addresses.display(url)), "kind": .string(kind), "gesture": .bool(gesture),
      "allowed": .bool(allowed),
    ]
  }
}
