import AdManager
import AdResponses
import Core
import Device
import Testing

/// Video above the app, with an end card after it unless a test says otherwise.
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

/// Video in a slot, which goes full screen and back.
@Suite struct VideoBannerTests {
  @Test func playsInItsSlotWithoutSoundAndWithoutAnythingModal() throws {
    let video = try VideoRig(.banner)
    #expect(video.rig.screen.kinds == [])
    #expect(video.film.playback.isMuted)
    #expect(video.film.closeDelay == 0)
    #expect(video.told(.playing) == ["*impression", "*creativeView", "*start"])
  }

  @Test func goesFullScreenWithSoundAndBackWithout() throws {
    let video = try VideoRig(.banner)
    _ = video.told(.playing, .time(1))
    #expect(video.told(.fullScreen) == ["full", "sound", "*playerExpand", "adDidExpand"])
    #expect(video.rig.screen.kinds == ["expanded"])
    #expect(video.told(.muted(false)) == ["*unmute"])
    #expect(video.toldOnClosing().sorted() == ["*playerCollapse", "adDidCollapse", "silence", "slot"])
    #expect(video.rig.screen.kinds == [])
    #expect(video.told(.time(4)) == ["*firstQuartile", "*midpoint"])
  }

  @Test func theSameControlLeadsBack() throws {
    let video = try VideoRig(.banner)
    _ = video.told(.playing, .fullScreen)
    #expect(video.told(.fullScreen).contains("adDidCollapse"))
    #expect(video.rig.screen.kinds == [])
  }

  @Test func atItsEndItLeavesFullScreenForItsEndCardInTheSlot() throws {
    let video = try VideoRig(.banner)
    _ = video.told(.playing, .fullScreen)
    let told = video.told(.ended)
    #expect(told.contains("*complete"))
    #expect(told.contains("*playerCollapse"))
    #expect(video.rig.screen.kinds == [])
    #expect(video.rig.manager.currentCreative?.displayView.rawValue == "card")
  }

  @Test func withNothingAfterItKeepsItsLastPictureWhereItIs() throws {
    let video = try VideoRig(.banner, endCard: false)
    _ = video.told(.playing, .fullScreen)
    #expect(video.told(.ended).last == "adDidComplete")
    #expect(video.rig.screen.kinds == ["expanded"])
    #expect(video.toldOnClosing().contains("adDidCollapse"))
  }
}

/// Page made of a companion.
@Suite struct EndCardTests {
  private func card(_ inside: String) throws -> EndCard {
    let text = """
      <VAST version="4.2"><Ad><InLine><Creatives><Creative><CompanionAds><Companion width="300" height="250">\(inside)
      </Companion></CompanionAds></Creative></Creatives></InLine></Ad></VAST>
      """
    let ad = try #require(VASTResolver.inLine(VASTParser.parse(Array(text.utf8))))
    return try #require(EndCard(of: ad, width: 390, height: 763))
  }

  @Test func aPictureIsALinkToTheAdvertiser() throws {
    let card = try card(
      "<StaticResource>a.png</StaticResource><AltText>\"Larch\"</AltText><CompanionClickThrough>https://l.example?a&amp;b</CompanionClickThrough>"
    )
    let html = card.html { "https://cdn.example/\($0)" }
    #expect(
      html.contains(
        "<a id=\"companion\" href=\"https://l.example?a&amp;b\" target=\"_blank\"><img src=\"https://cdn.example/a.png\" alt=\"&quot;Larch&quot;\" width=\"300\" height=\"250\"></a>"
      ))
  }

  @Test(arguments: ["1e19", "nan", "-1", "0", "9223372036854775808", "1e308", "2147483649"])
  func aSizeThatIsNoneIsNeverAnEnd(size: String) throws {
    let text = """
      <VAST version="4.2"><Ad><InLine><Creatives><Creative><CompanionAds>
      <Companion width="300" height="250" assetWidth="\(size)" assetHeight="\(size)"><StaticResource>a.png</StaticResource>
      </Companion></CompanionAds></Creative></Creatives></InLine></Ad></VAST>
      """
    let ad = try #require(VASTResolver.inLine(VASTParser.parse(Array(text.utf8))))
    let card = try #require(EndCard(of: ad, width: 390, height: 763))
    #expect(card.html { $0 }.contains("<img src=\"a.png\""))
  }

  @Test func markupStaysAsItCame() throws {
    #expect(try card("<HTMLResource><![CDATA[<b>&amp;</b>]]></HTMLResource>").html { $0 } == "<b>&amp;</b>")
  }

  @Test func aPageIsFramed() throws {
    #expect(
      try card("<IFrameResource>c.html</IFrameResource>").html { $0 }.contains("<iframe src=\"c.html\"></iframe>"))
  }
}

/// The end card of a pod's first ad among fakes, with the second ad after it.
@Suite struct CompanionTests {
  private let rig = ManagerRig(.interstitial)
  private let player: FakePlayer
  private let card: CompanionCreative

  init() throws {
    player = FakePlayer(journal: rig.journal)
    let text = """
      <VAST version="4.2"><Ad><InLine><Creatives><Creative><CompanionAds><Companion width="300" height="250">
      <HTMLResource>card</HTMLResource><CompanionClickTracking>https://t.example/c</CompanionClickTracking>
      <TrackingEvents><Tracking event="creativeView">https://t.example/v</Tracking></TrackingEvents>
      </Companion></CompanionAds></Creative></Creatives></InLine></Ad></VAST>
      """
    let ad = try #require(VASTResolver.inLine(try VASTParser.parse(Array(text.utf8))))
    let view = AdViewID(rawValue: "card")
    card = CompanionCreative(
      card: try #require(EndCard(of: ad, width: 300, height: 250)), place: 1, displayView: view, host: player)
    rig.loader.supply.append([card, FakeCreative("second", journal: rig.journal)])
    rig.manager.load()
    rig.manager.show()
  }

  @Test func `its view is told with its ad's place`() throws {
    let seen = try #require(player.event("companionView"))
    #expect(seen.beacons == ["https://t.example/v"] && seen.detail["ad"] == 1)
  }

  @Test func `closing it leads to the next film, and isn't the ad's end`() {
    let told = rig.hostClose()
    #expect(told.contains("second didDisplay"))
    #expect(!told.contains { $0.hasPrefix("adDidClose") || $0.hasPrefix("adDidComplete") })
    card.hostClosed()
    #expect(rig.manager.currentCreative?.displayView != card.displayView)
  }

  @Test func `a click opens the browser, and closing that comes back to the card`() throws {
    card.clicked(to: "https://larch.example")
    #expect(player.event("companionClick")?.beacons == ["https://t.example/c"])
    #expect(rig.manager.modalManager.stack.top?.kind == .browser(url: "https://larch.example"))
    _ = rig.hostClose()
    #expect(rig.manager.modalManager.stack.top?.displayView == card.displayView)
    #expect(!card.isGone)
  }
}

/// Video among fakes, in an ad of its own or with a creative after it.
final class VideoRig {
  let rig: ManagerRig
  let player: FakePlayer
  let film: VideoCreative

  /// Creates a video of eight seconds that may be skipped after two, unless specified otherwise; `endCard` follows it.
  init(
    _ kind: AdConfiguration.Kind, skipOffset: String? = "00:00:02", click: String? = "https://larch.example",
    endCard: Bool = true, isInteractive: Bool = false
  ) throws {
    rig = ManagerRig(kind)
    player = FakePlayer(journal: rig.journal)
    let skip = skipOffset.map { " skipoffset=\"\($0)\"" } ?? ""
    let clicks =
      click.map { "<ClickThrough>\($0)</ClickThrough><ClickTracking>https://t.example/c</ClickTracking>" } ?? ""
    let text = """
      <VAST version="4.2"><Ad><InLine><Impression>https://i.example</Impression>
      <Error>https://e.example?c=[ERRORCODE]</Error><Creatives><Creative><Linear\(skip)>
      <TrackingEvents><Tracking event="midpoint">https://t.example/m</Tracking></TrackingEvents>
      <VideoClicks>\(clicks)</VideoClicks><Icons><Icon program="AdChoices"><IconClicks>
      <IconClickThrough>https://choices.example</IconClickThrough></IconClicks>
      <IconViewTracking>https://t.example/i</IconViewTracking></Icon></Icons></Linear></Creative></Creatives>
      </InLine></Ad></VAST>
      """
    let document = try VASTParser.parse(Array(text.utf8))
    let plan = TrackingPlan(ad: try #require(Self.inLine(document)), duration: 8)
    var settings = VideoSettings(
      isInterstitial: kind == .interstitial, isMuted: kind == .banner, isLast: !endCard,
      media: VideoMedia(url: "clip.webm", type: "video/webm"))
    settings.isInteractive = isInteractive
    film = VideoCreative(plan: plan, settings: settings, displayView: .player, host: player)
    rig.loader.supply.append(endCard ? [film, FakeCreative("card", journal: rig.journal)] : [film])
    rig.manager.load()
    rig.manager.show()
  }

  /// Resolves an in-line ad, which is available at once since nothing has to be loaded.
  private static func inLine(_ document: VASTDocument) -> ResolvedAd? { VASTResolver.inLine(document) }

  /// Returns the calls that these reports caused, without changes of the screen's stack, which the screen itself shows.
  func told(_ reports: PlayerReport...) -> [String] {
    withoutMoves(rig.journal.during { for report in reports { film.handle(report) } })
  }

  /// Returns the calls that a use of the host's close control caused, likewise without changes of the stack.
  func toldOnClosing() -> [String] { withoutMoves(rig.hostClose()) }

  private func withoutMoves(_ lines: [String]) -> [String] {
    lines.filter { line in !["push ", "pop ", "reset "].contains(where: line.hasPrefix) }
  }
}

/// Player that executes calls at once, and notes them.
final class FakePlayer: VideoHost {
  let journal: Journal
  private(set) var events: [TrackedEvent] = []
  /// Name of the event after which it wants the video to stand still.
  var stillAfter: String?

  init(journal: Journal) { self.journal = journal }

  func play(_ view: AdViewID) { journal.note("play \(view.rawValue)") }
  func pause(_ view: AdViewID) { journal.note("pause \(view.rawValue)") }
  func setMuted(_ isMuted: Bool, _ view: AdViewID) { journal.note(isMuted ? "silence" : "sound") }
  func setFullScreen(_ isFullScreen: Bool, _ view: AdViewID) { journal.note(isFullScreen ? "full" : "slot") }
  func endInteractive(_ view: AdViewID, code: InteractiveStop) {
    journal.note("end \(view.rawValue) \(code.rawValue)")
  }

  func hasStalled(_ view: AdViewID) -> Bool { stillAfter != nil && events.last?.name == stillAfter }

  func track(_ event: TrackedEvent, _ view: AdViewID) {
    events.append(event)
    journal.note("*\(event.name)")
  }

  /// Returns the last event of this name.
  func event(_ name: String) -> TrackedEvent? { events.last { $0.name == name } }
}
