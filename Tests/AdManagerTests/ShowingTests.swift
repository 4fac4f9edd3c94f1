import AdManager
import Core
import Device
import Testing

/// Loading and showing of creatives, independent of their kind.
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

/// Pauses of creatives, which run while the app is in front and none of the host's views covers them.
@Suite struct PauseTests {
  enum Event: String, Sendable {
    case background, foreground, browser, close, outOfSight, inSight
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var events: [Event]
    var told: [String]

    var testDescription: String { events.map(\.rawValue).joined(separator: ", ") }
  }

  static let rows: [Row] = [
    Row(events: [.background], told: ["pause"]),
    Row(events: [.background, .background], told: ["pause"]),
    Row(events: [.foreground], told: []),
    Row(events: [.background, .foreground], told: ["pause", "resume"]),
    Row(events: [.browser], told: ["pause"]),
    Row(events: [.browser, .browser, .close], told: ["pause", "resume"]),
    Row(events: [.browser, .background, .foreground], told: ["pause"]),
    Row(events: [.browser, .background, .foreground, .close], told: ["pause", "resume"]),
    Row(events: [.browser, .background, .close], told: ["pause"]),
    Row(events: [.browser, .background, .close, .foreground], told: ["pause", "resume"]),
    Row(events: [.outOfSight], told: ["pause"]),
    Row(events: [.inSight], told: []),
    Row(events: [.outOfSight, .background, .foreground], told: ["pause"]),
    Row(events: [.background, .outOfSight, .foreground, .inSight], told: ["pause", "resume"]),
  ]

  @Test(arguments: rows, [AdConfiguration.Kind.banner, .interstitial])
  func creativeIsToldOfEachChangeOnce(row: Row, kind: AdConfiguration.Kind) {
    let rig = ManagerRig(kind)
    let creative = rig.start()
    let told = rig.journal.during {
      for event in row.events {
        switch event {
        case .background: rig.manager.pause()
        case .foreground: rig.manager.resume()
        case .outOfSight: rig.manager.isInSight = false
        case .inSight: rig.manager.isInSight = true
        case .browser: creative.openBrowser()
        case .close: _ = rig.manager.closeTopmost()
        }
      }
    }
    #expect(told.filter { $0.hasSuffix(" pause") || $0.hasSuffix(" resume") } == row.told.map { "ad \($0)" })
  }

  @Test func adShownOutOfSightIsPausedThoughThatWasKnownBefore() {
    let rig = ManagerRig(.banner)
    rig.supply("ad")
    rig.manager.load()
    rig.manager.isInSight = false
    let told = rig.journal.during { rig.manager.show() }
    #expect(told.filter { $0.hasSuffix(" pause") }.count == 1)
  }

  @Test func adShownInTheBackgroundIsPaused() {
    let rig = ManagerRig(.banner)
    rig.manager.pause()
    _ = rig.start()
    #expect(rig.journal.lines.suffix(3) == ["ad didDisplay", "adDidDisplay", "ad pause"])
  }

  @Test func nextAdInTheBackgroundIsPausedToo() {
    let rig = ManagerRig(.banner)
    let first = rig.start("first")
    rig.manager.pause()
    rig.manager.creativeDidUnload(first)
    _ = rig.start("second")
    #expect(rig.journal.count("second pause") == 1)
  }

  @Test func nothingIsPausedWithoutAnAd() {
    let rig = ManagerRig(.banner)
    rig.manager.pause()
    rig.manager.resume()
    #expect(rig.journal.lines == [])
  }

  @Test func closedBrowserWaitsForTheLayoutBeforeTheCreativeGoesOn() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    creative.openBrowser()
    rig.screen.isSlow = true
    let closing = rig.hostClose()
    #expect(closing == ["pop []", "adClickthroughDidClose"])
    let afterwards = rig.journal.during { rig.screen.finish() }
    #expect(afterwards == ["ad resume"])
  }

  @Test func creativeStaysPausedWhenTheNextBrowserOpensBeforeTheLayout() {
    let rig = ManagerRig(.banner)
    let creative = rig.start()
    creative.openBrowser()
    rig.screen.isSlow = true
    _ = rig.hostClose()
    creative.openBrowser()
    rig.screen.finish()
    #expect(rig.journal.count("ad resume") == 0)
  }
}

/// Interstitial that the host can't close for a while.
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
