import AdManager
import AdResponses
import Core
import Device
import Testing

/// Video with an interactive creative above it, and no end card unless a test says otherwise.
@Suite struct InteractiveVideoTests {
  private func video(_ kind: AdConfiguration.Kind = .interstitial, endCard: Bool = false) throws -> VideoRig {
    let video = try VideoRig(kind, skipOffset: nil, endCard: endCard, isInteractive: true)
    _ = video.told(.playing, .time(1))
    return video
  }

  @Test func aClickOpensWhatTheCreativeSaysAndIsToldWhereItWas() throws {
    let video = try video()
    let click = InteractiveReport.click(url: "https://other.example", opens: true, place: Point(x: 3, y: 4))
    #expect(video.told(.interactive(click)) == ["*click", "adWasClicked", "pause player"])
    #expect(video.rig.manager.modalManager.stack.top?.kind == .browser(url: "https://other.example"))
    let event = try #require(video.player.event("click"))
    #expect(event.beacons == ["https://t.example/c"])
    #expect(event.macros["CLICKPOS"] == "3,4")
  }

  @Test func aClickThatTheCreativeHandlesIsOnlyTold() throws {
    let video = try video()
    let click = InteractiveReport.click(url: "https://other.example", opens: false, place: nil)
    #expect(video.told(.interactive(click)) == ["*click", "adWasClicked"])
    #expect(video.rig.screen.kinds == ["interstitial"])
  }

  @Test func aNavigationIsNoClick() throws {
    let video = try video()
    #expect(video.told(.interactive(.navigation("https://other.example"))) == ["pause player"])
    #expect(video.told(.interactive(.navigation("tel:1"))) == ["adDidLeaveApp"])
  }

  @Test func itsTrackersAreToldWithTheFilmsMacros() throws {
    let video = try video()
    #expect(video.told(.interactive(.tracking(["https://x.example/[ASSETURI]"]))) == ["*reportTracking"])
    let event = try #require(video.player.event("reportTracking"))
    #expect(event.beacons == ["https://x.example/[ASSETURI]"])
    #expect(event.macros["ASSETURI"] == "clip.webm")
    #expect(event.playhead == 1)
  }

  @Test func anErrorIsToldByItsOwnCodeAndAFatalOneByTheStandards() throws {
    let video = try video()
    #expect(video.told(.interactive(.error(code: 1_212, message: "m", isFatal: false))) == ["*error"])
    #expect(video.player.event("error")?.macros["ERRORCODE"] == "1212")
    _ = video.told(.interactive(.error(code: 1_205, message: "m", isFatal: true)))
    #expect(video.player.event("error")?.macros["ERRORCODE"] == "902")
    #expect(video.player.event("error")?.detail["simid"] == 1_205)
    #expect(video.player.event("error")?.beacons == ["https://e.example?c=[ERRORCODE]"])
  }

  @Test func theFilmsEndIsToldAtOnceAndWhatFollowsWaitsForTheCreative() throws {
    let video = try video(endCard: true)
    #expect(video.told(.played).suffix(1) == ["*complete"])
    #expect(!video.film.isAtRest)
    #expect(video.rig.screen.modals.map(\.displayView.rawValue) == ["player"])
    _ = video.told(.interactive(.over(.end)))
    #expect(video.film.isAtRest)
    #expect(video.rig.screen.modals.map(\.displayView.rawValue) == ["card"])
  }

  @Test func anEndThatIsToldTwiceEndsItOnce() throws {
    let video = try video()
    _ = video.told(.played)
    #expect(video.told(.ended) == ["adDidComplete"])
    #expect(video.told(.interactive(.over(.end)), .ended) == [])
  }

  @Test(arguments: [
    (InteractiveReport.End.skip, ["pause player", "*skip"]), (.stop, ["pause player"]), (.fatal, ["pause player"]),
  ])
  func itsOwnEndClosesWhatHasNothingAfterIt(end: InteractiveReport.End, told: [String]) throws {
    let video = try video()
    #expect(video.told(.interactive(.over(end))) == told + ["adDidClose", "adDidComplete"])
    #expect(video.rig.screen.kinds == [])
  }

  @Test func inASlotItsOwnEndLeavesTheFilmWhereItIs() throws {
    let video = try video(.banner)
    #expect(video.told(.interactive(.over(.stop))) == ["pause player", "adDidComplete"])
    #expect(video.told(.time(5), .ended, .playing) == [])
  }

  @Test func aPersonsCloseWaitsForTheCreativeOnce() throws {
    let video = try video()
    _ = video.told(.played)
    #expect(video.toldOnClosing() == ["end player 1"])
    #expect(video.rig.screen.kinds == ["interstitial"])
    #expect(video.told(.interactive(.over(.closed))) == ["pause player", "adDidClose", "adDidComplete"])
    #expect(video.rig.screen.kinds == [])
  }

  @Test func aSecondCloseDoesNotWait() throws {
    let video = try video()
    _ = video.told(.played)
    _ = video.toldOnClosing()
    #expect(video.toldOnClosing().prefix(2) == ["pause player", "adDidClose"])
  }

  @Test func oneThatWaitsForAPersonIsAtRestUntilTheFilmGoesOn() throws {
    let video = try video()
    _ = video.told(.paused, .interactive(.waits))
    #expect(video.film.isAtRest)
    _ = video.told(.playing)
    #expect(!video.film.isAtRest)
  }
}

/// SIMID overlay above a programme, without a player.
@Suite struct OverlayTests {
  private struct Rig {
    let manager: ManagerRig
    let player: FakePlayer
    let overlay: OverlayCreative

    init(_ kind: AdConfiguration.Kind) throws {
      manager = ManagerRig(kind)
      player = FakePlayer(journal: manager.journal)
      let text = """
        <VAST version="4.2"><Ad><InLine><Impression>https://i.example</Impression><Error>https://e.example</Error><Creatives>
        <Creative><NonLinearAds><TrackingEvents><Tracking event="adExpand">https://t.example/x</Tracking>
        <Tracking event="collapse">https://t.example/c</Tracking></TrackingEvents>
        <NonLinear apiFramework="SIMID"><IFrameResource>m.html</IFrameResource>
        <NonLinearClickTracking>https://t.example/k</NonLinearClickTracking></NonLinear></NonLinearAds></Creative></Creatives>
        </InLine></Ad></VAST>
        """
      let ad = try #require(VASTResolver.inLine(try VASTParser.parse(Array(text.utf8))))
      overlay = OverlayCreative(
        ad: ad, overlay: ad.nonLinears[0], isInterstitial: kind == .interstitial, displayView: .player, host: player)
      manager.loader.supply.append([overlay])
      manager.manager.load()
      manager.manager.show()
    }

    func told(_ reports: PlayerReport...) -> [String] {
      manager.journal.during { for report in reports { overlay.handle(report) } }.filter { line in
        !["push ", "pop ", "reset "].contains(where: line.hasPrefix)
      }
    }
  }

  @Test func countsOnceItIsToBeSeen() throws {
    let rig = try Rig(.banner)
    #expect(rig.told(.playing) == [])
    #expect(rig.told(.interactive(.shown), .interactive(.shown)) == ["*impression", "*creativeView", "*start"])
    #expect(rig.player.event("impression")?.beacons == ["https://i.example"])
  }

  @Test func tellsOfExpandingInTheWordsOfAnyVersion() throws {
    let rig = try Rig(.banner)
    #expect(rig.told(.interactive(.expanded(true)), .interactive(.expanded(false))) == ["*adExpand", "*adCollapse"])
    #expect(rig.player.event("adExpand")?.beacons == ["https://t.example/x"])
    #expect(rig.player.event("adCollapse")?.beacons == ["https://t.example/c"])
  }

  @Test func aClickIsItsOwn() throws {
    let rig = try Rig(.banner)
    let click = InteractiveReport.click(url: "https://a.example", opens: true, place: nil)
    #expect(rig.told(.interactive(click)) == ["*click", "adWasClicked", "pause player"])
    #expect(rig.player.event("click")?.beacons == ["https://t.example/k"])
  }

  @Test func itsEndCompletesTheAdOnce() throws {
    let rig = try Rig(.banner)
    #expect(!rig.overlay.isAtRest)
    #expect(rig.told(.interactive(.over(.end)), .interactive(.over(.end))) == ["adDidComplete"])
    #expect(rig.overlay.isAtRest)
  }

  @Test func aPersonsCloseWaitsForItAndThenItIsGone() throws {
    let rig = try Rig(.interstitial)
    #expect(rig.manager.hostClose() == ["*close", "end player 1"])
    #expect(rig.told(.interactive(.over(.end)), .interactive(.over(.closed))) == ["adDidClose", "adDidComplete"])
    #expect(rig.overlay.isGone)
  }

  @Test func oneThatBreaksIsTold() throws {
    let rig = try Rig(.banner)
    #expect(rig.told(.failed("no")) == ["*error", "adDidComplete"])
    #expect(rig.player.event("error")?.detail["code"] == 500)
  }
}
