import AdManager
import Device
import Testing

/// Ads of several creatives, such as a video and its end card, and ads that follow each other.
@Suite struct SequenceTests {
  @Test func nextCreativeTakesThePlaceOfAnInterstitial() {
    let rig = ManagerRig(.interstitial)
    let creatives = rig.supply("video", "end card")
    rig.manager.load()
    rig.manager.show()
    let told = rig.journal.during { rig.manager.creativeDidComplete(creatives[0]) }
    #expect(told == ["reset [\"interstitial\"]", "end card didDisplay", "adDidDisplay"])
    #expect(rig.manager.currentCreative === creatives[1])
    #expect(creatives[0].delegate == nil)
  }

  @Test func nextCreativeTakesTheSlotOfABanner() {
    let rig = ManagerRig(.banner)
    let creatives = rig.supply("video", "end card")
    rig.manager.load()
    rig.manager.show()
    rig.manager.creativeDidComplete(creatives[0])
    #expect(rig.screen.slotView == creatives[1].displayView)
  }

  @Test func adIsCompleteAfterItsLastCreativeAndStays() {
    let rig = ManagerRig(.interstitial)
    let creatives = rig.supply("video", "end card")
    rig.manager.load()
    rig.manager.show()
    rig.manager.creativeDidComplete(creatives[0])
    let told = rig.journal.during { rig.manager.creativeDidComplete(creatives[1]) }
    #expect(told == ["adDidComplete"])
    #expect(rig.screen.kinds == ["interstitial"])
    #expect(rig.manager.currentCreative === creatives[1])
  }

  @Test func creativeThatIsGoneIsLeftOut() {
    let rig = ManagerRig(.interstitial)
    let creatives = rig.supply("video", "gone", "end card")
    creatives[1].isGone = true
    rig.manager.load()
    rig.manager.show()
    rig.manager.creativeDidComplete(creatives[0])
    #expect(rig.manager.currentCreative === creatives[2])
  }

  @Test func closeBetweenCreativesEndsTheWholeAd() {
    let rig = ManagerRig(.interstitial)
    let creatives = rig.supply("video", "end card")
    rig.manager.load()
    rig.manager.show()
    creatives[0].close()
    rig.manager.creativeInterstitialDidClose(creatives[0])
    rig.manager.creativeDidComplete(creatives[0])
    #expect(rig.journal.lines.suffix(3) == ["pop []", "adDidClose", "adDidComplete"])
    #expect(rig.manager.currentCreative == nil)
  }

  @Test func completeIsToldOnceThoughTheCreativeSaysItAgainWhenClosed() {
    let rig = ManagerRig(.interstitial)
    let creative = rig.start()
    rig.manager.creativeDidComplete(creative)
    rig.manager.creativeDidComplete(creative)
    rig.manager.creativeInterstitialDidClose(creative)
    rig.manager.creativeDidComplete(creative)
    #expect(rig.journal.count("adDidComplete") == 1)
    #expect(rig.journal.count("adDidClose") == 1)
  }

  @Test func completeIsToldOfEachAd() {
    let rig = ManagerRig(.interstitial)
    for name in ["first", "second"] {
      let creative = rig.start(name)
      rig.manager.creativeDidComplete(creative)
      creative.close()
      rig.manager.creativeInterstitialDidClose(creative)
    }
    #expect(rig.journal.count("adDidComplete") == 2)
    #expect(rig.journal.count("adDidClose") == 2)
  }

  @Test func closedInterstitialMakesRoomForTheAdAtHand() {
    let rig = ManagerRig(.interstitial)
    let first = rig.start("first")
    let second = rig.supply("second")[0]
    rig.manager.load()
    first.close()
    rig.manager.creativeInterstitialDidClose(first)
    #expect(rig.manager.currentCreative === second)
    rig.manager.show()
    #expect(rig.screen.modals.map(\.displayView.rawValue) == ["second"])
  }

  @Test func adThatWentWhileItWaitedIsLeftOut() {
    let rig = ManagerRig(.interstitial)
    let first = rig.start("first")
    let others = [rig.supply("second")[0], rig.supply("third")[0]]
    rig.manager.load()
    rig.manager.load()
    others[0].isGone = true
    rig.manager.creativeInterstitialDidClose(first)
    #expect(rig.manager.currentCreative === others[1])
  }

  @Test func creativeThatIsNotCurrentIsNotHeard() {
    let rig = ManagerRig(.banner)
    _ = rig.start()
    let stranger = FakeCreative("stranger", journal: rig.journal)
    let told = rig.journal.during {
      rig.manager.creativeDidDisplay(stranger)
      rig.manager.creativeWasClicked(stranger)
      rig.manager.creativeViewWasClicked(stranger)
      rig.manager.creativeInterstitialDidLeaveApp(stranger)
      rig.manager.creativeShouldDisplayModalState(stranger, .expanded) { rig.journal.note("done") }
      rig.manager.creativeDidComplete(stranger)
      rig.manager.creativeInterstitialDidClose(stranger)
      rig.manager.creativeDidUnload(stranger)
    }
    #expect(told == [])
  }
}
