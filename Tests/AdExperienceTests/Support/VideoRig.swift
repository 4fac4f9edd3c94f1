import AdExperience
import Testing
import VAST

/// A film among fakes, in an ad of its own or with something after it.
final class VideoRig {
  let rig: ManagerRig
  let player: FakePlayer
  let film: VideoCreative

  /// A film of eight seconds that may be skipped after two, unless it says otherwise; `endCard` comes after it.
  init(
    _ kind: AdConfiguration.Kind, skipOffset: String? = "00:00:02", click: String? = "https://larch.example",
    endCard: Bool = true
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
    let settings = VideoSettings(
      isInterstitial: kind == .interstitial, isMuted: kind == .banner, isLast: !endCard,
      media: VideoMedia(url: "clip.webm", type: "video/webm"))
    film = VideoCreative(plan: plan, settings: settings, displayView: .player, host: player)
    rig.loader.supply.append(endCard ? [film, FakeCreative("card", journal: rig.journal)] : [film])
    rig.manager.load()
    rig.manager.show()
  }

  /// An in-line ad needs nothing loaded, so it is there at once.
  private static func inLine(_ document: VASTDocument) -> ResolvedAd? { VASTResolver.inLine(document) }

  /// What everybody was told because of these reports; what moved on the screen, the screen itself tells.
  func told(_ reports: PlayerReport...) -> [String] {
    withoutMoves(rig.journal.during { for report in reports { film.handle(report) } })
  }

  /// The same of the host's close control.
  func toldOnClosing() -> [String] { withoutMoves(rig.hostClose()) }

  private func withoutMoves(_ lines: [String]) -> [String] {
    lines.filter { line in !["push ", "pop ", "reset "].contains(where: line.hasPrefix) }
  }
}
