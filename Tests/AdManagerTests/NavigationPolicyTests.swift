import AdManager
import Testing

/// Navigation that pages may do: results of a click, a script and a web server's redirect for an address.
@Suite struct NavigationPolicyTests {
  @Test(
    "stops what is for an app, whichever frame asks", arguments: ["market://details?id=x", "itms-apps://x", "tel:1"])
  func apps(url: String) {
    let policy = NavigationPolicy(origin: "creative://ad")
    #expect(!policy.allows(url, gesture: false, of: Self.shown))
    #expect(policy.allows(url, gesture: false, of: Self.new))
    #expect(policy.allows("https://a.example/", gesture: false, of: Self.shown))
  }

  private static let shown = NavigationPolicy.Page(isAds: true, hasStarted: true, hasCommitted: true)
  private static let new = NavigationPolicy.Page(isAds: true, hasStarted: false, hasCommitted: false)
  private static let browser = NavigationPolicy.Page(isAds: false, hasStarted: true, hasCommitted: true)

  @Test(arguments: [
    ("creative://ad/two.html", true, true), ("creative://ad", true, true), ("about:blank", true, true),
    ("javascript:void 0", true, true), ("https://shop.example/", true, false), ("https://shop.example/", false, true),
    ("creative://adversary/", true, false),
  ])
  func allowsOfAShownAd(_ url: String, gesture: Bool, allowed: Bool) {
    let policy = NavigationPolicy(origin: "creative://ad")
    #expect(policy.allows(url, gesture: gesture, of: Self.shown) == allowed)
    #expect(policy.allows(url, gesture: gesture, of: Self.new))
    #expect(policy.allows(url, gesture: gesture, of: Self.browser))
  }

  @Test(arguments: [
    ("creative://ad/two.html", false, NavigationPolicy.Start.within), ("https://shop.example/", false, .stopped),
    ("https://shop.example/", true, .within), ("about:blank", false, .within),
  ])
  func startsOfAShownAd(_ url: String, mayRedirect: Bool, start: NavigationPolicy.Start) {
    var policy = NavigationPolicy(origin: "creative://ad")
    let starts = [Self.new, Self.browser, Self.shown].map {
      policy.starts(url, of: $0, mayRedirect: mayRedirect, at: .zero)
    }
    #expect(starts == [.first, .first, start])
    #expect(policy.documents == (start == .within ? 1 : 0))
  }

  @Test func takesMoreThanTwentyDocumentsForALoop() {
    var policy = NavigationPolicy(origin: "creative://ad")
    let starts = (1...22).map { policy.starts("creative://ad/\($0)", of: Self.shown, mayRedirect: false, at: .zero) }
    #expect(starts.prefix(20).allSatisfy { $0 == .within })
    #expect(starts.suffix(2) == [.loop(21), .loop(22)])
  }

  @Test func isOnItsWayUntilItHasStayedForAMoment() {
    var policy = NavigationPolicy(origin: "creative://ad")
    policy.loaded(at: .zero)
    #expect(!policy.isNavigating(at: .zero, isLoaded: false))
    _ = policy.starts("creative://ad/two", of: Self.shown, mayRedirect: false, at: .milliseconds(100))
    #expect(policy.isNavigating(at: .milliseconds(249), isLoaded: true))
    #expect(policy.isNavigating(at: .milliseconds(900), isLoaded: false))
    policy.loaded(at: .milliseconds(200))
    #expect(policy.isNavigating(at: .milliseconds(349), isLoaded: true))
    #expect(!policy.isNavigating(at: .milliseconds(350), isLoaded: true))
  }
}
