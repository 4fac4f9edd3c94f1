import Testing
import VAST

/// Numbers in documents that end careless players.
@Suite struct VASTNumberTests {
  static let hostile = [
    "nan", "NaN", "inf", "-inf", "Infinity", "1e308", "-1e308", "1e400", "1e19", "1e11", "100000000000",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "2147483648", "-2147483649",
    "9007199254740993", "-0", "0", "-1", "0x10", "1.5", "99:99:99", "9999:59:59", "100%", "1e3%", "nan%",
  ]

  @Test(arguments: hostile)
  func `a document with such a number anywhere is read and its film chosen`(number: String) throws {
    let film = """
      <Creatives><Creative sequence="\(number)"><Linear skipoffset="\(number)"><Duration>\(number)</Duration>
      <TrackingEvents><Tracking event="progress" offset="\(number)">https://t.example</Tracking></TrackingEvents>
      <Icons><Icon width="\(number)" height="\(number)" xPosition="\(number)" yPosition="\(number)" offset="\(number)"
        duration="\(number)"><StaticResource>i.png</StaticResource></Icon></Icons>
      <MediaFiles>
      <MediaFile type="video/mp4" width="\(number)" height="\(number)" bitrate="\(number)">a.mp4</MediaFile>
      <MediaFile type="video/mp4" width="\(number)" height="\(number)" maxBitrate="\(number)">b.mp4</MediaFile>
      </MediaFiles></Linear></Creative>
      <Creative><NonLinearAds><NonLinear width="\(number)" height="\(number)"/></NonLinearAds></Creative>
      <Creative><CompanionAds><Companion width="\(number)" height="\(number)" assetWidth="\(number)" assetHeight="\(number)">
      <StaticResource>c.png</StaticResource></Companion></CompanionAds></Creative></Creatives>
      """
    let ad = #"<Ad id="a" sequence="\#(number)">"#
    let document = try Documents.parse(Documents.inLine(film, ad: ad))
    let found = try #require(VASTResolver.inLine(document))
    let linear = try #require(found.linear)
    #expect(try MediaChoice.choose(of: linear, width: 1170, height: 2532).type == "video/mp4")
    let duration = linear.duration ?? 1
    #expect(duration.isFinite && duration >= 0)
    var playback = LinearPlayback(
      duration: duration, skipOffset: linear.skipOffset?.seconds(of: duration),
      progress: TrackingPlan(ad: found, duration: duration).progress)
    _ = playback.handle(.playing)
    _ = playback.handle(.time(duration))
    #expect(playback.time == duration)
    for icon in linear.icons {
      for place in [icon.x, icon.y] { if case .at(let dip) = place { #expect(abs(dip) <= 100_000) } }
    }
    for companion in found.companions { #expect(companion.width > 0 && companion.width < 1e8) }
    #expect(!VASTOffset.text(duration).isEmpty)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e308, -1e308, -0.0])
  func `any number of seconds can be written and told`(seconds: Double) {
    #expect(VASTOffset.text(seconds).count == 12)
    var playback = LinearPlayback(duration: 10)
    _ = playback.handle(.playing)
    _ = playback.handle(.time(seconds))
    #expect((0...10).contains(playback.time))
  }

  @Test func `files of any size can be compared`() throws {
    let large = VASTMediaFile(url: "a", type: "video/mp4", width: .max, height: .max, bitrate: .max)
    let small = VASTMediaFile(url: "b", type: "video/mp4", width: .min, height: .max, bitrate: .min)
    #expect(try MediaChoice.choose(from: [large, small], width: 300, height: 250).url == "b")
  }
}
