import AdManager
import Device
import MRAID
import Testing

/// Screen that completes after another event has occurred.
@Suite struct LateCompletionTests {
  @Test func gettersChangeOnlyWhenTheScreenStands() {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = true
    rig.call(.expand(url: nil))
    #expect(rig.state == .default)
    #expect(rig.kinds == ["expanded"])
    rig.screen.finish()
    #expect(rig.state == .expanded)
  }

  @Test func screenChangeDuringATransitionIsToldWithIt() {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = true
    rig.call(.expand(url: nil))
    let during = rig.journal.during { rig.creative.screenDidChange() }
    #expect(during == [])
    let afterwards = rig.journal.during { rig.screen.finish() }
    #expect(afterwards == ["sizeChange", "stateChange expanded"])
  }

  @Test func hostCloseDuringATransitionFollowsIt() {
    let rig = HTMLRig.shown(.banner)
    rig.screen.isSlow = true
    rig.call(.expand(url: nil))
    let told = rig.hostClose()
    #expect(told == [])
    #expect(rig.kinds == ["expanded"])
    rig.screen.finish()
    #expect(rig.host.states == [.default, .expanded, .default])
    #expect(rig.kinds == [])
  }

  @Test func impatientPersonClosesOnce() {
    let rig = HTMLRig.shown(.interstitial)
    rig.screen.isSlow = true
    _ = rig.hostClose()
    let hasClosed = rig.manager.closeTopmost()
    #expect(!hasClosed)
    rig.screen.finish()
    #expect(rig.journal.count("adDidClose") == 1)
  }

  @Test func browserThatIsLaidOutAfterItWasClosedPausesNothing() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    rig.screen.isSlow = true
    creative.openBrowser()
    _ = rig.hostClose()
    rig.screen.finish()
    #expect(rig.journal.count("ad pause") == 0)
    #expect(rig.journal.count("ad resume") == 0)
  }

  @Test func browserOfAnAdThatIsGoneResumesNobody() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    rig.screen.isSlow = true
    creative.openBrowser()
    rig.manager.creativeDidUnload(creative)
    let told = rig.journal.during { rig.screen.finish() }
    #expect(told == [])
  }

  @Test func interstitialThatIsLaidOutAfterItsUnloadIsNotDisplayed() {
    let rig = ManagerRig(.interstitial)
    rig.screen.isSlow = true
    let creative = rig.start()
    rig.manager.creativeDidUnload(creative)
    let told = rig.journal.during { rig.screen.finish() }
    #expect(told == [])
  }

  @Test func interstitialThatIsLaidOutWhenTheNextIsUpIsNotDisplayed() {
    let rig = ManagerRig(.interstitial)
    rig.screen.isSlow = true
    let first = rig.start("first")
    rig.manager.creativeDidUnload(first)
    _ = rig.start("second")
    rig.screen.finish()
    #expect(rig.journal.count("first didDisplay") == 0)
    #expect(rig.journal.count("second didDisplay") == 1)
  }

  @Test func interstitialThatIsLaidOutInTheNextOnesViewIsNotDisplayed() {
    let rig = ManagerRig(.interstitial)
    rig.screen.isSlow = true
    let first = rig.start("ad")
    rig.manager.creativeDidUnload(first)
    _ = rig.start("ad")
    rig.screen.finish()
    #expect(rig.journal.count("ad didDisplay") == 1)
  }

  @Test func secondAnswerToATransitionIsNoTransition() {
    let rig = HTMLRig.shown(.banner)
    let delegate = SilentDelegate()
    rig.creative.delegate = delegate
    rig.call(.expand(url: nil))
    delegate.completion?()
    delegate.completion?()
    #expect(rig.host.states == [.default, .expanded])
  }

  @Test func creativeWithoutAManagerGetsAnError() {
    let rig = HTMLRig.shown(.banner)
    rig.creative.delegate = nil
    let told = rig.journal.during { rig.call(.expand(url: nil)) }
    #expect(told == ["error"])
    #expect(rig.state == .default)
    let isTransitioning = rig.creative.session.isTransitioning
    #expect(!isTransitioning)
  }

  @Test func exposureThatIsDueAfterTheEndIsNotTold() {
    let rig = HTMLRig.shown(.interstitial)
    rig.call(.open(url: "https://shop.example"))
    #expect(rig.host.scheduled.count == 1)
    rig.call(.close)
    let told = rig.journal.during { rig.host.runScheduled() }
    #expect(told == [])
  }
}

/// Delegate of a creative that only stores the requested completions.
final class SilentDelegate: CreativeDelegate {
  private(set) var completion: (() -> Void)?

  func creativeDidComplete(_ creative: any Creative) {}
  func creativeDidDisplay(_ creative: any Creative) {}
  func creativeWasClicked(_ creative: any Creative) {}
  func creativeViewWasClicked(_ creative: any Creative) {}
  func creativeClickthroughDidClose(_ creative: any Creative) {}
  func creativeInterstitialDidClose(_ creative: any Creative) {}
  func creativeInterstitialDidLeaveApp(_ creative: any Creative) {}
  func creativeFullScreenDidFinish(_ creative: any Creative) {}
  func creativeShouldDisplayModalState(
    _ creative: any Creative, _ state: ModalState, completion: @escaping () -> Void
  ) {
    self.completion = completion
  }
  func creativeShouldCloseModalState(_ creative: any Creative, completion: @escaping () -> Void) {
    self.completion = completion
  }
  func creativeMayBeClosed(_ creative: any Creative) {}
  func creativeDidUnload(_ creative: any Creative) {}
}
