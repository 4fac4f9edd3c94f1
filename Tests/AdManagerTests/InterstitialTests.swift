import AdManager
import Core
import Device
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

/// expand(url): a second page in a view of its own.
@Suite struct TwoPartTests {
  let rig = HTMLRig.shown(.banner)

  private func expand() { rig.call(.expand(url: "part2.html")) }

  @Test func secondPartIsShownInAViewOfItsOwn() {
    let told = rig.journal.during { expand() }
    #expect(told.prefix(3) == ["loadSecondPart part2.html", "push [\"expanded\"]", "adDidExpand"])
    #expect(rig.screen.modals.last?.displayView == .secondPart)
    #expect(rig.screen.modals.last?.presentingView == .creative)
    #expect(rig.creative.showsSecondPart)
  }

  @Test func secondPartGetsReadyOfItsOwn() {
    expand()
    let told = rig.journal.during { rig.creative.pageDidLoad(.two) }
    #expect(told.prefix(2) == ["ready part two", "stateChange expanded part two"])
  }

  @Test(arguments: [AdPart.one, .two, nil]) func closeEndsTheSecondPart(by part: AdPart?) {
    expand()
    rig.creative.pageDidLoad(.two)
    rig.screen.isSlow = true
    let told = rig.journal.during {
      if let part {
        rig.creative.handle(.session(.command(.close, from: part, gesture: true)))
      } else {
        _ = rig.manager.closeTopmost()
      }
      rig.screen.finish()
    }
    #expect(told.prefix(3) == ["pop []", "adDidCollapse", "discardSecondPart"])
    #expect(rig.state == .default)
    #expect(!rig.host.hasSecondPart)
    #expect(!rig.creative.showsSecondPart)
  }

  @Test func closeBeforeTheSecondPartIsLoadedLeavesItWithoutReady() {
    expand()
    _ = rig.hostClose()
    let told = rig.journal.during { rig.creative.pageDidLoad(.two) }
    #expect(told == [])
    #expect(rig.state == .default)
  }

  @Test func secondPartThatCannotBeLoadedIsAnErrorAndChangesNothing() {
    rig.host.canLoadSecondPart = false
    rig.call(.setOrientationProperties(["forceOrientation": "landscape"]))
    let told = rig.journal.during { expand() }
    rig.host.runScheduled()
    #expect(told == ["apply landscape", "apply none", "error"])
    #expect(rig.state == .default)
    #expect(rig.kinds == [])
    #expect(!rig.creative.showsSecondPart)
    #expect(rig.screen.orientation == .portrait)
  }

  @Test func resizedAdIsReplacedByItsSecondPart() {
    rig.resize()
    let told = rig.journal.during { expand() }
    #expect(told.contains("reset [\"expanded\"]"))
    #expect(rig.screen.modals.map(\.displayView) == [.secondPart])
    rig.call(.close)
    #expect(rig.kinds == [])
  }

  @Test func browserIsPresentedFromTheSecondPart() {
    expand()
    rig.creative.pageDidLoad(.two)
    rig.creative.handle(.session(.command(.open(url: "https://shop.example"), from: .two, gesture: true)))
    #expect(rig.kinds == ["expanded", "browser"])
    #expect(rig.screen.modals.last?.presentingView == .secondPart)
    _ = rig.hostClose()
    #expect(rig.kinds == ["expanded"])
    #expect(rig.state == .expanded)
    #expect(rig.host.hasSecondPart)
  }

  @Test func unloadWhileItIsLaidOutEndsBothParts() {
    rig.screen.isSlow = true
    expand()
    let told = rig.journal.during { rig.creative.handle(.session(.command(.unload, from: .two, gesture: false))) }
    let ending = ["clear []", "slot empty", "adDidCollapse", "adDidClose", "adDidComplete", "requestAd"]
    #expect(told == ending + ["discardSecondPart"])
    let late = rig.journal.during { rig.screen.finish() }
    #expect(late == [])
    #expect(rig.host.states == [.default])
    #expect(!rig.host.hasSecondPart)
  }
}
