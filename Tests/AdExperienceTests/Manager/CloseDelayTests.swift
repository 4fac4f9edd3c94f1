import AdExperience
import MRAID
import Testing

/// An interstitial that can't be closed by the host for a while.
@Suite struct CloseDelayTests {
  let rig = ManagerRig(.interstitial, closeDelay: 5)
  let timer: FakeHost

  init() {
    timer = FakeHost(journal: rig.journal, screen: rig.screen, isInterstitial: true)
    rig.manager.timer = timer
  }

  private var delayLeft: Double? { rig.screen.modals.first?.properties.closeDelayLeft }

  @Test func hostCloseIsRefusedUntilTheDelayIsOver() {
    _ = rig.start()
    #expect(delayLeft == 5)
    let hasClosed = rig.manager.closeTopmost()
    #expect(!hasClosed)
    #expect(timer.scheduled.map(\.delay) == [5000])
    timer.runScheduled()
    #expect(delayLeft == 0)
    let told = rig.hostClose()
    #expect(told == ["ad hostClosed"])
  }

  @Test func delayBeginsWhenTheAdIsDisplayed() {
    rig.screen.isSlow = true
    _ = rig.start()
    #expect(timer.scheduled.isEmpty)
    rig.screen.finish()
    #expect(timer.scheduled.count == 1)
  }

  @Test func browserAboveCanBeClosedMeanwhile() {
    let creative = rig.start()
    creative.openBrowser()
    _ = rig.hostClose()
    let hasClosed = rig.manager.closeTopmost()
    #expect(!hasClosed)
  }

  @Test func delayEndsBeneathABrowser() {
    let creative = rig.start()
    creative.openBrowser()
    timer.runScheduled()
    #expect(rig.screen.kinds == ["interstitial", "browser"])
    #expect(delayLeft == 0)
  }

  @Test func creativeMayCloseItselfAtAnyTime() {
    let creative = rig.start()
    creative.close()
    #expect(rig.screen.kinds == [])
    rig.manager.creativeInterstitialDidClose(creative)
    let told = rig.journal.during { timer.runScheduled() }
    #expect(told == [])
  }

  @Test func lateEndOfOneAdsDelayLeavesTheNextAdsAlone() {
    let first = rig.start("first")
    first.close()
    rig.manager.creativeInterstitialDidClose(first)
    _ = rig.start("second")
    #expect(timer.scheduled.count == 2)
    timer.scheduled[0].action()
    #expect(delayLeft == 5)
    timer.scheduled[1].action()
    #expect(delayLeft == 0)
  }

  @Test(arguments: [false, true]) func whatIsLeftPassesToTheNextCreative(isOver: Bool) {
    let creatives = rig.supply("video", "end card")
    rig.manager.load()
    rig.manager.show()
    if isOver { timer.runScheduled() }
    rig.manager.creativeDidComplete(creatives[0])
    #expect(delayLeft == (isOver ? 0 : 5))
    #expect(timer.scheduled.count == (isOver ? 0 : 1))
  }

  @Test func withoutATimerThereIsNoDelay() {
    rig.manager.timer = nil
    _ = rig.start()
    #expect(delayLeft == 0)
  }
}
