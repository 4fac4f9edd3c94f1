internal import AdExperience
internal import Bundles
internal import Jobs
internal import MRAID
internal import WebKitRuntime

extension RenderSession {
  /// Main-frame documents a creative may go to by itself before it counts as a loop.
  private static let longestNavigation = 20

  /// Says whether a frame may go somewhere. A person's click leads out of the ad; it is caught and opened by the host.
  ///
  /// WebKit doesn't say which frame asks, so a navigation without a gesture is let go here; if it turns out to be the
  /// main frame's, `loadStarted` stops it.
  func allows(_ request: NavigationRequest, of page: AdPage) -> Bool {
    guard page.part != nil, failure == nil else { return failure == nil }
    guard page.hasStarted else {
      page.hasStarted = true
      return true
    }
    return staysInside(request.url) || !(request.gesture || request.kind == .link || request.kind == .form)
  }

  /// The main frame goes somewhere: within the creative that is its own affair, elsewhere it is stopped.
  func loadStarted(_ page: AdPage) {
    page.isLoaded = false
    let url = page.lastAllowed ?? page.view.url
    guard page.part != nil, page.hasCommitted else { return }
    if staysInside(url) || (bundle.url != nil && loadEnd == nil) {
      recorder.record(.page, "navigation", navigationDetail(url, kind: "other", gesture: false, allowed: true))
      return countNavigation()
    }
    recorder.record(.page, "navigation", navigationDetail(url, kind: "other", gesture: false, allowed: false))
    page.view.stopLoading()
  }

  /// A click that bypassed `mraid.open`: SDKs catch it and open their browser all the same.
  func refused(_ request: NavigationRequest) {
    guard failure == nil else { return }
    recorder.record(
      .page, "navigation",
      navigationDetail(request.url, kind: request.kind.rawValue, gesture: request.gesture, allowed: false))
    if request.gesture { clickthrough(to: request.url) }
  }

  /// A new window: none is made; with a gesture it is a click.
  func popup(_ request: NavigationRequest) {
    recorder.record(
      .page, "popup", navigationDetail(request.url, kind: request.kind.rawValue, gesture: request.gesture, allowed: false))
    if request.gesture { clickthrough(to: request.url) }
  }

  private func clickthrough(to url: String) {
    gate.pass { [weak self] in self?.creative?.clickedThrough(to: url) }
  }

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
    return clock.now - lastNavigation < Self.shortestStay || stage.pages[.creative]?.isLoaded == false
  }

  /// Looks after which a document that never ends to load is taken as it is.
  private static let mostLooks = 40

  /// How long a creative has to stay on a document it went to by itself to count as having arrived.
  private static let shortestStay = Duration.milliseconds(150)

  private func countNavigation() {
    navigations += 1
    lastNavigation = clock.now
    if navigations > Self.longestNavigation {
      fail(.failed, .creative("navigation-loop", "the creative sent itself to \(navigations) documents without an end"))
    }
  }

  private func navigationDetail(_ url: String, kind: String, gesture: Bool, allowed: Bool) -> JSONValue {
    [
      "url": .string(addresses.display(url)), "kind": .string(kind), "gesture": .bool(gesture), "allowed": .bool(allowed),
    ]
  }
}
