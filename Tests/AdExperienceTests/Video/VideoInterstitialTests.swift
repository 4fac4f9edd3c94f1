import AdExperience
import MRAID
import Testing
import VAST

/// A film above the app, with an end card after it unless a test says otherwise.
@Suite struct VideoInterstitialTests {
  @Test func playsOnceItIsOnTheScreen() throws {
    let video = try VideoRig(.interstitial)
    #expect(video.rig.screen.kinds == ["interstitial"])
    #expect(video.rig.journal.lines.suffix(2) == ["adDidDisplay", "play player"])
    #expect(video.told(.playing) == ["*impression", "*creativeView", "*start"])
  }

  @Test func hasNoCloseControlUntilItMayBeSkipped() throws {
    let video = try VideoRig(.interstitial)
    #expect(video.rig.screen.modals.first?.properties.closeDelayLeft == 2)
    #expect(!video.rig.manager.closeTopmost())
    _ = video.told(.playing, .time(1.9))
    #expect(!video.rig.manager.closeTopmost())
    _ = video.told(.time(2))
    #expect(video.rig.screen.modals.first?.properties.closeDelayLeft == 0)
  }

  @Test func withoutASkipOffsetItsCloseControlComesWithItsEnd() throws {
    let video = try VideoRig(.interstitial, skipOffset: nil, endCard: false)
    _ = video.told(.playing, .time(8))
    #expect(!video.rig.manager.closeTopmost())
    #expect(video.told(.ended).suffix(2) == ["*complete", "adDidComplete"])
    #expect(video.toldOnClosing() == ["pause player", "adDidClose"])
    #expect(video.rig.screen.kinds == [])
  }

  @Test func standsStillAtTheMomentThatSomebodyLooksAtHoweverLateItsPlayerTells() throws {
    for late in [PlayerReport.time(5), .ended] {
      let video = try VideoRig(.interstitial)
      _ = video.told(.playing)
      video.player.stillAfter = "firstQuartile"
      #expect(!video.film.handle(late))
      #expect(video.player.events.last?.name == "firstQuartile")
      #expect(video.film.playback.time == 2)
      video.player.stillAfter = nil
      #expect(video.told(.time(4)) == ["*midpoint"])
    }
  }

  @Test func atItsEndTheEndCardTakesItsPlace() throws {
    let video = try VideoRig(.interstitial)
    _ = video.told(.playing)
    #expect(video.told(.ended).prefix(4) == ["*firstQuartile", "*midpoint", "*thirdQuartile", "*complete"])
    #expect(video.rig.screen.modals.map(\.displayView.rawValue) == ["card"])
    #expect(video.rig.manager.closeTopmost())
  }

  @Test func aSkipLeadsToTheEndCardToo() throws {
    let video = try VideoRig(.interstitial)
    _ = video.told(.playing)
    #expect(video.told(.skipped) == [])
    _ = video.told(.time(3))
    #expect(video.told(.skipped).prefix(2) == ["pause player", "*skip"])
    #expect(video.rig.screen.modals.map(\.displayView.rawValue) == ["card"])
    #expect(video.told(.time(5), .ended, .playing) == [])
  }

  @Test func aSkipWithNothingAfterClosesIt() throws {
    let video = try VideoRig(.interstitial, endCard: false)
    _ = video.told(.playing, .time(3))
    #expect(video.told(.skipped) == ["pause player", "*skip", "adDidClose", "adDidComplete"])
    #expect(video.rig.screen.kinds == [])
  }

  @Test func closingItIsNoSkipAndLeavesOutTheEndCard() throws {
    let video = try VideoRig(.interstitial)
    _ = video.told(.playing, .time(3))
    #expect(video.toldOnClosing() == ["*closeLinear", "pause player", "adDidClose", "adDidComplete"])
    #expect(video.rig.screen.kinds == [])
  }

  @Test func aClickStopsItBeneathTheBrowserAndItGoesOnAfter() throws {
    let video = try VideoRig(.interstitial)
    _ = video.told(.playing, .time(1))
    #expect(video.told(.clicked) == ["*click", "adWasClicked", "pause player"])
    #expect(video.player.event("click")?.beacons == ["https://t.example/c"])
    #expect(video.told(.paused) == ["*pause"])
    #expect(video.rig.screen.kinds == ["interstitial", "browser"])
    #expect(video.toldOnClosing() == ["play player", "adClickthroughDidClose"])
    #expect(video.told(.playing) == ["*resume"])
  }

  @Test func aClickIntoAnotherAppLeavesThisOne() throws {
    let video = try VideoRig(.interstitial, click: "tel:+4912345")
    _ = video.told(.playing)
    #expect(video.told(.clicked) == ["*click", "adWasClicked", "adDidLeaveApp"])
  }

  @Test func aClickWithoutAnAddressIsOnlyTold() throws {
    let video = try VideoRig(.interstitial, click: nil)
    _ = video.told(.playing)
    #expect(video.told(.clicked) == ["*click"])
  }

  @Test func anIconOpensItsPageAndIsNoClickOnTheAd() throws {
    let video = try VideoRig(.interstitial)
    #expect(video.told(.playing, .iconShown(0)).last == "*iconView")
    #expect(video.player.event("iconView")?.beacons == ["https://t.example/i"])
    #expect(video.told(.iconClicked(0)) == ["*iconClick", "pause player"])
    #expect(video.rig.screen.kinds == ["interstitial", "browser"])
    #expect(video.told(.iconClicked(7), .iconShown(-1)) == [])
  }

  @Test func itStopsInTheBackgroundAndGoesOnAfter() throws {
    let video = try VideoRig(.interstitial)
    _ = video.told(.playing)
    #expect(video.rig.journal.during { video.rig.manager.pause() } == ["pause player"])
    #expect(video.rig.journal.during { video.rig.manager.resume() } == ["play player"])
  }

  @Test func whatIsOverIsNotStartedAgain() throws {
    let video = try VideoRig(.interstitial, endCard: false)
    _ = video.told(.playing, .ended)
    #expect(video.rig.journal.during { video.rig.manager.pause() } == [])
    #expect(video.rig.journal.during { video.rig.manager.resume() } == [])
  }

  @Test func aFilmThatBreaksTellsItsCodeAndGivesWayToTheEndCard() throws {
    let video = try VideoRig(.interstitial)
    _ = video.told(.playing)
    #expect(video.told(.failed("decoding stopped")).prefix(2) == ["*error", "pause player"])
    let error = try #require(video.player.event("error"))
    #expect(error.detail["code"] == 405)
    #expect(error.beacons == ["https://e.example?c=[ERRORCODE]"])
    #expect(error.macros["ERRORCODE"] == "405")
    #expect(video.rig.screen.modals.map(\.displayView.rawValue) == ["card"])
    #expect(video.rig.manager.closeTopmost())
  }

  @Test func aFilmThatBreaksWithNothingAfterGoes() throws {
    let video = try VideoRig(.interstitial, endCard: false)
    #expect(video.told(.failed("no")) == ["*error", "pause player", "adDidClose", "adDidComplete"])
    #expect(video.rig.screen.kinds == [])
  }

  @Test func eventsKnowTheFilmAndItsTime() throws {
    let video = try VideoRig(.interstitial)
    _ = video.told(.playing, .time(4.25))
    let event = try #require(video.player.event("midpoint"))
    #expect(event.beacons == ["https://t.example/m"])
    #expect(event.playhead == 4.25)
    #expect(event.macros["ADPLAYHEAD"] == "00:00:04.250")
    #expect(event.macros["ASSETURI"] == "clip.webm")
    #expect(event.macros["PLAYERSTATE"] == "fullscreen")
  }
}
