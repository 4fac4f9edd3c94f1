import AdExperience
import MRAID
import Testing
import VAST

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
