import AdManager
import Core
import Device
import MRAID
import Testing

/// unload(): an ad that takes itself away, in every state.
@Suite struct UnloadTests {
  @Test(arguments: [
    (MRAIDState.default, ["slot empty"]), (.resized, ["clear []", "slot empty"]),
    (.expanded, ["clear []", "slot empty", "adDidCollapse"]),
  ])
  func bannerLeavesItsSlotWhichAsksForAnother(state: MRAIDState, first: [String]) {
    let rig = HTMLRig.shown(.banner)
    rig.bring(to: state)
    let told = rig.journal.during { rig.call(.unload) }
    #expect(told == first + ["adDidClose", "adDidComplete", "requestAd"])
    #expect(rig.manager.currentCreative == nil)
    #expect(rig.kinds == [])
    #expect(rig.screen.slotView == nil)
  }

  @Test func interstitialCloses() {
    let rig = HTMLRig.shown(.interstitial)
    let told = rig.journal.during { rig.call(.unload) }
    #expect(told == ["clear []", "adDidClose", "adDidComplete"])
    #expect(rig.manager.currentCreative == nil)
  }

  @Test(arguments: [AdConfiguration.Kind.banner, .interstitial])
  func whileLoadingItIsAFailedLoad(kind: AdConfiguration.Kind) {
    let rig = HTMLRig(kind)
    rig.manager.load()
    rig.call(.unload)
    #expect(rig.journal.lines == ["failedToLoad"])
    #expect(rig.adView.error == .unloadedWhileLoading)
    let showing = rig.journal.during { rig.manager.show() }
    #expect(showing == [])
  }

  @Test func pageThatLoadsAfterItUnloadedItselfGetsNoReady() {
    let rig = HTMLRig(.banner)
    rig.manager.load()
    rig.call(.unload)
    let told = rig.journal.during { rig.creative.pageDidLoad(.one) }
    #expect(told == [])
    #expect(rig.host.states == [])
  }

  @Test func beforeItIsShownItIsGoneAllTheSame() {
    let rig = HTMLRig(.interstitial)
    rig.load()
    let unloading = rig.journal.during { rig.call(.unload) }
    #expect(unloading == ["adDidClose", "adDidComplete"])
    let showing = rig.journal.during { rig.manager.show() }
    #expect(showing == [])
  }

  @Test func browserGoesWithTheAd() {
    let rig = HTMLRig.shown(.banner)
    rig.call(.expand(url: nil))
    rig.call(.open(url: "https://shop.example"))
    let told = rig.journal.during { rig.call(.unload) }
    let closings = ["clear []", "slot empty", "adClickthroughDidClose", "adDidCollapse"]
    #expect(told == closings + ["adDidClose", "adDidComplete", "requestAd"])
  }

  @Test func forcedOrientationEndsWithTheAd() {
    let rig = HTMLRig.shown(.banner)
    rig.call(.setOrientationProperties(["forceOrientation": "landscape", "allowOrientationChange": false]))
    rig.call(.expand(url: nil))
    rig.call(.unload)
    #expect(rig.screen.orientation == .portrait)
    #expect(!rig.screen.orientationLocked)
  }

  @Test func nothingReachesThePageAfterwards() {
    let rig = HTMLRig.shown(.banner)
    rig.call(.unload)
    let told = rig.journal.during {
      rig.call(.expand(url: nil))
      rig.call(.unload)
      rig.creative.clickedThrough(to: "https://shop.example")
      rig.creative.hostClosed()
      rig.creative.screenDidChange()
      rig.creative.volumeDidChange(0)
      rig.creative.didDisplay()
      rig.creative.pageDidLoad(.two)
      rig.host.runScheduled()
    }
    #expect(told == ["ignored expand", "ignored unload"])
  }

  @Test func waitsForATransitionUnderWay() {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = true
    rig.call(.expand(url: nil))
    rig.call(.unload)
    #expect(rig.journal.count("adDidClose") == 0)
    rig.screen.finish()
    let ending = ["clear []", "slot empty", "adDidCollapse", "adDidClose", "adDidComplete", "requestAd"]
    #expect(rig.journal.lines.suffix(6) == ending[...])
    #expect(rig.host.states == [.default, .expanded])
  }

  @Test func afterCloseInTheSameTurnTheInterstitialClosesOnce() {
    let rig = HTMLRig.shown(.interstitial)
    rig.screen.isSlow = true
    rig.call(.close)
    rig.call(.unload)
    rig.screen.finish()
    #expect(rig.journal.count("adDidClose") == 1)
    #expect(rig.journal.count("adDidComplete") == 1)
  }

  @Test func ofAClosedInterstitialIsNoUnloadAndNoFailedLoad() {
    let rig = HTMLRig.shown(.interstitial)
    rig.adView.notesCreative = true
    rig.host.onLoadFailure = { _ in rig.journal.note("failLoading") }
    rig.screen.isSlow = true
    rig.call(.close)
    rig.call(.unload)
    rig.screen.finish()
    #expect(rig.journal.count("creativeDidUnload") == 0)
    #expect(rig.journal.count("creativeInterstitialDidClose") == 1)
    #expect(rig.journal.count("failLoading") == 0)
  }

  @Test func nextAdAtHandTakesTheSlot() {
    let rig = ManagerRig(.banner)
    let first = rig.start("first")
    rig.supply("second")
    rig.manager.load()
    let told = rig.journal.during { rig.manager.creativeDidUnload(first) }
    let ending = ["slot empty", "adDidClose", "adDidComplete"]
    #expect(told == ending + ["slot second", "second didDisplay", "adDidDisplay"])
  }
}
