import AdExperience
import MRAID
import Testing

/// Loading and showing, whatever kind of creative it is.
@Suite struct ShowingTests {
  @Test func bannerGoesIntoItsSlotAndIsDisplayed() {
    let rig = ManagerRig(.banner)
    _ = rig.start()
    #expect(rig.journal.lines == ["adLoaded", "slot ad", "ad didDisplay", "adDidDisplay"])
    #expect(rig.screen.kinds == [])
  }

  @Test func interstitialIsDisplayedOnceItsModalStateIsLaidOut() {
    let rig = ManagerRig(.interstitial)
    rig.screen.isSlow = true
    _ = rig.start()
    #expect(rig.journal.lines == ["adLoaded", "push [\"interstitial\"]"])
    rig.screen.finish()
    #expect(rig.journal.lines.suffix(2) == ["ad didDisplay", "adDidDisplay"])
  }

  @Test func adViewLearnsSizeAndNumberOfCreatives() {
    let rig = ManagerRig(.banner)
    rig.supply("video", "end card")
    rig.manager.load()
    #expect(rig.adView.details == AdDetails(size: Size(width: 320, height: 50), creativeCount: 2))
  }

  @Test func failedLoadIsTold() {
    let rig = ManagerRig(.banner)
    rig.manager.load()
    rig.manager.show()
    #expect(rig.journal.lines == ["failedToLoad"])
    #expect(rig.adView.error == AdError("no fill"))
  }

  @Test(arguments: [AdConfiguration.Kind.banner, .interstitial])
  func showingWithoutAnAdDoesNothing(kind: AdConfiguration.Kind) {
    let rig = ManagerRig(kind)
    rig.manager.show()
    #expect(rig.journal.lines == [])
  }

  @Test(arguments: [AdConfiguration.Kind.banner, .interstitial])
  func showingTwiceShowsOnce(kind: AdConfiguration.Kind) {
    let rig = ManagerRig(kind)
    _ = rig.start()
    let told = rig.journal.during { rig.manager.show() }
    #expect(told == [])
  }

  @Test func secondLoadWaitsBehindTheAdOnScreen() {
    let rig = ManagerRig(.banner)
    _ = rig.start("first")
    let second = rig.supply("second")[0]
    rig.manager.load()
    rig.manager.show()
    #expect(rig.screen.slotView == AdViewID(rawValue: "first"))
    #expect(rig.journal.count("adLoaded") == 2)
    #expect(rig.journal.count("adDidDisplay") == 1)
    #expect(second.delegate == nil)
  }

  @Test func adThatIsShownFromWithinAdLoadedIsShownOnce() {
    let rig = ManagerRig(.interstitial)
    rig.supply("ad")
    rig.adView.answers["adLoaded"] = { rig.manager.show() }
    rig.manager.load()
    rig.manager.show()
    #expect(rig.journal.count("adDidDisplay") == 1)
  }

  @Test func touchOfTheViewIsNoClick() {
    let rig = ManagerRig(.banner)
    _ = rig.start()
    rig.adView.notesCreative = true
    let told = rig.journal.during { rig.manager.viewWasTouched() }
    #expect(told == ["creativeViewWasClicked", "adViewWasClicked"])
  }

  @Test func hostCloseWithNothingOnScreenIsRefused() {
    let rig = ManagerRig(.banner)
    _ = rig.start()
    let hasClosed = rig.manager.closeTopmost()
    #expect(!hasClosed)
  }
}
