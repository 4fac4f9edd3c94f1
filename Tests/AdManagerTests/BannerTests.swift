import AdManager
import Core
import Device
import MRAID
import Testing

/// MRAID banner from its load on: the calls to its page, the stack and the ad view, in one order.
@Suite struct BannerTests {
  @Test func loadsAndDisplays() {
    let rig = HTMLRig.shown(.banner)
    let loading = ["stateChange default", "ready", "adLoaded"]
    #expect(rig.journal.lines == loading + ["slot creative", "adDidDisplay", "exposureChange", "viewableChange true"])
    #expect(rig.host.states == [.default])
  }

  @Test(arguments: [false, true]) func expandsAndCollapses(onASlowScreen isSlow: Bool) {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = isSlow
    let expanding = rig.journal.during {
      rig.call(.expand(url: nil))
      rig.screen.finish()
    }
    #expect(expanding == ["push [\"expanded\"]", "adDidExpand", "sizeChange", "stateChange expanded"])
    let closing = rig.hostClose() + rig.journal.during { rig.screen.finish() }
    #expect(closing == ["pop []", "adDidCollapse", "sizeChange", "stateChange default"])
    #expect(rig.host.transitions.map(\.cause) == ["ready", "expand", "hostClose"])
  }

  @Test func expandedStateTellsTheOrientationAskedFor() {
    let rig = HTMLRig.shown(.banner)
    rig.call(.setOrientationProperties(["forceOrientation": "landscape", "allowOrientationChange": false]))
    rig.call(.expand(url: nil))
    #expect(rig.screen.modals.last?.properties.interstitialLayout == .landscape)
    #expect(rig.screen.orientation == .landscape)
    rig.call(.close)
    #expect(rig.screen.orientation == .portrait)
    #expect(!rig.screen.orientationLocked)
  }

  @Test func lockAskedForWhileExpandedReachesThePage() {
    let rig = HTMLRig.shown(.banner)
    rig.call(.expand(url: nil))
    rig.call(.setOrientationProperties(["allowOrientationChange": false]))
    rig.host.runScheduled()
    #expect(rig.host.updates.last?.properties["appOrientation"]?["locked"] == true)
  }

  @Test(arguments: [false, true]) func resizesToItsFrame(onASlowScreen isSlow: Bool) {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = isSlow
    let told = rig.journal.during {
      rig.resize()
      rig.screen.finish()
    }
    #expect(told == ["push [\"resized\"]", "sizeChange", "stateChange resized"])
    #expect(rig.screen.modals.last?.properties.contentFrame == Rect(x: 35, y: 300, width: 320, height: 250))
  }

  @Test func resizingAgainReplacesTheStateAndTellsIt() {
    let rig = HTMLRig.shown(.banner)
    rig.resize()
    let told = rig.journal.during { rig.resize(height: 300) }
    #expect(told == ["reset [\"resized\"]", "sizeChange", "stateChange resized"])
    #expect(rig.host.states == [.default, .resized, .resized])
  }

  @Test func resizingToTheSameIsATransitionToo() {
    let rig = HTMLRig.shown(.banner)
    rig.resize()
    rig.resize()
    rig.resize()
    #expect(rig.host.states == [.default, .resized, .resized, .resized])
  }

  @Test func expandedAfterResizedReturnsToDefaultInOnePop() {
    let rig = HTMLRig.shown(.banner)
    rig.resize()
    let expanding = rig.journal.during { rig.call(.expand(url: nil)) }
    #expect(expanding.prefix(2) == ["reset [\"expanded\"]", "adDidExpand"])
    let closing = rig.journal.during { rig.call(.close) }
    #expect(closing == ["pop []", "adDidCollapse", "sizeChange", "stateChange default"])
    #expect(rig.host.states == [.default, .resized, .expanded, .default])
  }

  @Test func closeInDefaultDoesNothingButARemark() {
    let rig = HTMLRig.shown(.banner)
    let told = rig.journal.during { rig.call(.close) }
    #expect(told == ["ignored close"])
    #expect(rig.screen.slotView == .creative)
  }

  @Test func commandsOfOneTurnAreCarriedOutInOrder() {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = true
    rig.call(.expand(url: nil))
    rig.call(.close)
    rig.resize()
    rig.screen.finish()
    #expect(rig.host.states == [.default, .expanded, .default, .resized])
    #expect(rig.kinds == ["resized"])
  }

  @Test func backgroundTakesItsExposure() {
    let rig = HTMLRig.shown(.banner)
    rig.host.runScheduled()
    rig.screen.isForeground = false
    rig.manager.pause()
    rig.host.runScheduled()
    let isViewableBehind = rig.creative.session.isViewable
    #expect(!isViewableBehind)
    rig.screen.isForeground = true
    rig.manager.resume()
    rig.host.runScheduled()
    let isViewableAgain = rig.creative.session.isViewable
    #expect(isViewableAgain)
  }

  @Test func expandingBeforeItIsShownLeavesTheSlotForLater() {
    let rig = HTMLRig(.banner)
    rig.load()
    rig.call(.expand(url: nil))
    rig.manager.show()
    #expect(rig.kinds == ["expanded"])
    #expect(rig.screen.slotView == .creative)
    #expect(rig.journal.count("adDidDisplay") == 1)
  }

  @Test func deviceFeaturesAreTheHostsAndNoModalStates() {
    let rig = HTMLRig.shown(.banner)
    let told = rig.journal.during {
      rig.call(.storePicture(uri: "otter.png"))
      rig.call(.createCalendarEvent(["description": "Otter day"]))
      rig.call(.useCustomClose(true))
    }
    #expect(told == ["storePicture", "createCalendarEvent", "useCustomClose"])
  }
}

/// Result of a click: the browser, the player or another app.
@Suite struct ClickthroughTests {
  let rig = HTMLRig.shown(.banner)

  @Test func openShowsTheBrowserAndPausesTheAd() {
    let told = rig.journal.during { rig.call(.open(url: "https://shop.example")) }
    #expect(told == ["open", "adWasClicked", "push [\"browser\"]"])
    #expect(rig.screen.modals.map(\.kind) == [.browser(url: "https://shop.example")])
    rig.host.runScheduled()
    #expect(rig.journal.lines.last == "viewableChange false")
  }

  @Test func closedBrowserIsToldAndTheAdIsSeenAgain() {
    rig.call(.open(url: "https://shop.example"))
    rig.host.runScheduled()
    let told = rig.hostClose()
    #expect(told == ["pop []", "adClickthroughDidClose"])
    rig.host.runScheduled()
    #expect(rig.journal.lines.last == "viewableChange true")
  }

  @Test(arguments: ["tel:+15550100", "sms:+15550100", "itms-apps://itunes.apple.com/app/id1", "market://details?id=x"])
  func otherAppsAreLeftTo(url: String) {
    let told = rig.journal.during { rig.call(.open(url: url)) }
    #expect(told == ["open", "adWasClicked", "adDidLeaveApp"])
    #expect(rig.kinds == [])
  }

  @Test func linkThatBypassedOpenIsAClickToo() {
    let told = rig.journal.during { rig.creative.clickedThrough(to: "https://shop.example") }
    #expect(told == ["adWasClicked", "push [\"browser\"]"])
  }

  @Test func playVideoShowsThePlayerAndIsNoClick() {
    let playing = rig.journal.during { rig.call(.playVideo(uri: "film.mp4")) }
    #expect(playing == ["playVideo", "push [\"video\"]"])
    let closing = rig.hostClose()
    #expect(closing == ["pop []"])
    #expect(rig.state == .default)
  }

  @Test func hostClosesTheBrowserFirstAndThenTheExpandedAd() {
    rig.call(.expand(url: nil))
    rig.call(.open(url: "https://shop.example"))
    let first = rig.hostClose()
    #expect(first == ["pop [\"expanded\"]", "adClickthroughDidClose"])
    #expect(rig.state == .expanded)
    let second = rig.hostClose()
    #expect(second.prefix(2) == ["pop []", "adDidCollapse"])
    #expect(rig.state == .default)
    let hasClosed = rig.manager.closeTopmost()
    #expect(!hasClosed)
  }

  @Test func adThatClosesBeneathTheBrowserLeavesItOpen() {
    rig.call(.expand(url: nil))
    rig.call(.open(url: "https://shop.example"))
    let closing = rig.journal.during { rig.call(.close) }
    #expect(closing.prefix(2) == ["pop [\"browser\"]", "adDidCollapse"])
    #expect(rig.state == .default)
    let afterwards = rig.hostClose()
    #expect(afterwards.prefix(2) == ["pop []", "adClickthroughDidClose"])
  }

  @Test(arguments: [
    "https://shop.example/a?b=tel:1", "HTTP://shop.example", "page.html?time=10:30", "/a:b", "about:blank",
    "creative://ad/x.html", "//shop.example:80/x", "https://shop.example/apps.apple.com",
    "https://apps.apple.com.example", "https://shop.example?to=//apps.apple.com/x", "",
  ])
  func browserShowsWebPages(url: String) {
    rig.creative.clickedThrough(to: url)
    #expect(rig.kinds == ["browser"])
    #expect(rig.journal.count("adDidLeaveApp") == 0)
  }

  @Test(arguments: [
    "tel:123", "TEL:123", "sms:1", "mailto:a@b.example", "market://details?id=x", "itms-apps://x",
    "intent://x#Intent;end", "https://apps.apple.com/app/id1", "https://itunes.apple.com/app/id1",
    "https://Play.Google.com:443/store/apps/details?id=x", "https://a:b@apps.apple.com/x", "//apps.apple.com/x",
  ])
  func systemGetsEverythingElseAndStores(url: String) {
    rig.creative.clickedThrough(to: url)
    #expect(rig.kinds == [])
    #expect(rig.journal.count("adDidLeaveApp") == 1)
  }
}
