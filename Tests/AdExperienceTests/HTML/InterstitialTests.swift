import AdExperience
import MRAID
import Testing

/// An MRAID interstitial from its load to after its end.
@Suite struct InterstitialTests {
  @Test(arguments: [false, true]) func loadsAndDisplaysAboveTheApp(onASlowScreen isSlow: Bool) {
    let rig = HTMLRig(.interstitial)
    rig.screen.isSlow = isSlow
    rig.load()
    rig.manager.show()
    rig.screen.finish()
    let loading = ["stateChange default", "ready", "adLoaded", "push [\"interstitial\"]"]
    #expect(rig.journal.lines == loading + ["adDidDisplay", "exposureChange", "viewableChange true"])
  }

  @Test(arguments: [true, false], [true, false])
  func closeHidesItAndEndsTheAd(byHost: Bool, onASlowScreen isSlow: Bool) {
    let rig = HTMLRig.shown(.interstitial)
    rig.screen.isSlow = isSlow
    let told = rig.journal.during {
      if byHost { _ = rig.manager.closeTopmost() } else { rig.call(.close) }
      rig.screen.finish()
    }
    let hiding = ["pop []", "exposureChange", "viewableChange false", "stateChange hidden"]
    #expect(told == hiding + ["adDidClose", "adDidComplete"])
    #expect(rig.manager.currentCreative == nil)
    #expect(rig.creative.isGone)
    #expect(rig.creative.delegate == nil)
  }

  @Test func closeBeforeItIsShownEndsTheAd() {
    let rig = HTMLRig(.interstitial)
    rig.load()
    let closing = rig.journal.during { rig.call(.close) }
    #expect(closing == ["stateChange hidden", "adDidClose", "adDidComplete"])
    let isTransitioning = rig.creative.session.isTransitioning
    #expect(!isTransitioning)
    let showing = rig.journal.during { rig.manager.show() }
    #expect(showing == [])
  }

  @Test func closeWhileItIsLaidOutIsNoDisplay() {
    let rig = HTMLRig(.interstitial)
    rig.screen.isSlow = true
    rig.load()
    rig.manager.show()
    rig.call(.close)
    rig.screen.finish()
    #expect(rig.journal.lines.filter { $0.hasPrefix("adDid") } == ["adDidClose", "adDidComplete"])
    #expect(rig.kinds == [])
  }

  @Test func onceHiddenNothingReachesThePageAndCallsAreRemarkedOn() {
    let rig = HTMLRig.shown(.interstitial)
    rig.call(.close)
    let told = rig.journal.during {
      rig.call(.expand(url: nil))
      rig.call(.open(url: "https://shop.example"))
      rig.call(.close)
      rig.call(.unload)
      rig.creative.clickedThrough(to: "https://shop.example")
      rig.creative.hostClosed()
      rig.creative.didDisplay()
      rig.creative.screenDidChange()
      rig.creative.exposureDidChange()
      rig.creative.volumeDidChange(10)
      rig.creative.pageDidLoad(.one)
      rig.creative.pause()
      rig.manager.pause()
      rig.manager.resume()
      rig.manager.viewWasTouched()
      rig.host.runScheduled()
    }
    #expect(told == ["ignored expand", "ignored open", "ignored close"])
    #expect(rig.host.states == [.default, .hidden])
  }

  @Test func browserPausesItAndCloseOfTheBrowserShowsItAgain() {
    let rig = HTMLRig.shown(.interstitial)
    rig.call(.open(url: "https://shop.example"))
    #expect(rig.kinds == ["interstitial", "browser"])
    rig.host.runScheduled()
    let isViewableBeneath = rig.creative.session.isViewable
    #expect(!isViewableBeneath)
    _ = rig.hostClose()
    rig.host.runScheduled()
    #expect(rig.kinds == ["interstitial"])
    #expect(rig.state == .default)
    let isViewableAgain = rig.creative.session.isViewable
    #expect(isViewableAgain)
  }

  @Test func openAndCloseInOneTurnLeavesTheBrowser() {
    let rig = HTMLRig.shown(.interstitial)
    rig.screen.isSlow = true
    rig.call(.open(url: "https://shop.example"))
    rig.call(.close)
    rig.screen.finish()
    #expect(rig.kinds == ["browser"])
    #expect(rig.state == .hidden)
    #expect(rig.journal.count("adClickthroughDidClose") == 0)
    let told = rig.hostClose()
    #expect(told == ["pop []", "adClickthroughDidClose"])
    #expect(rig.kinds == [])
  }

  @Test func forcedOrientationEndsWithIt() {
    let rig = HTMLRig.shown(.interstitial)
    rig.call(.setOrientationProperties(["forceOrientation": "landscape"]))
    rig.host.runScheduled()
    #expect(rig.screen.orientation == .landscape)
    rig.call(.close)
    #expect(rig.screen.orientation == .portrait)
  }

  @Test func everyCallOfTheCreativeIsObserved() {
    let rig = HTMLRig(.interstitial)
    rig.adView.notesCreative = true
    rig.load()
    rig.manager.show()
    rig.call(.close)
    let expected = [
      "creativeDidDisplay", "creativeShouldCloseModalState", "creativeInterstitialDidClose", "creativeDidComplete",
    ]
    #expect(rig.journal.lines.filter { $0.hasPrefix("creative") } == expected)
  }
}
