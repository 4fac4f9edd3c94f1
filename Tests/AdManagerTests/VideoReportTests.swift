import AdManager
import Core
import Testing

/// Playback of videos and its reports, without a player.
@Suite struct VideoReportTests {
  @Test(arguments: [
    (VideoTour.Sight(midpoints: 0, areOver: false), false), (.init(midpoints: 1, areOver: false), true),
    (.init(midpoints: 0, areOver: true), true), (.init(midpoints: 0, areOver: false, waitsAtCard: true), true),
  ])
  func stops(at sight: VideoTour.Sight, stops: Bool) { #expect(VideoTour().stops(at: sight) == stops) }

  @Test func looksAtEachMidpointOnce() {
    var tour = VideoTour()
    let sight = VideoTour.Sight(midpoints: 2, areOver: false)
    let looks = [tour.takesMidpoint(at: sight), tour.takesMidpoint(at: sight), tour.takesMidpoint(at: sight)]
    #expect(looks == [true, true, false])
  }

  @Test func looksOnceAtAllMidpointsWhereOneLookServes() {
    var tour = VideoTour(after: 3)
    let looks = [3, 5, 5].map { tour.takesMidpoints(at: VideoTour.Sight(midpoints: $0, areOver: false)) }
    #expect(looks == [false, true, false])
  }

  private func reporter(sends: Bool = false, namesAds: Bool = false) -> TrackingReporter {
    TrackingReporter(
      width: 320, height: 180.5, isInterstitial: false, userAgent: "UA", version: "1", sendsBeacons: sends,
      namesAds: namesAds)
  }

  @Test func saysWhoMeasuresWhereTheAppDoes() {
    var reporter = TrackingReporter(
      width: 320, height: 180, isInterstitial: false, userAgent: "UA", version: "1", sendsBeacons: false,
      namesAds: false, isMeasured: true)
    let event = TrackedEvent("impression", beacons: ["https://t.example/?p=[OMIDPARTNER]&a=[APIFRAMEWORKS]"])
    let shown = "https://t.example/?p=Galley%2F1&a=7"
    #expect(reporter.report(event, at: "now").detail(asked: []) == ["beacons": [.string(shown)], "sent": false])
  }

  @Test func logsBeaconsWithTheirMacrosButForWhatDiffersFromRunToRun() {
    var reporter = reporter()
    let url = "https://t.example/?s=[PLAYERSIZE]&c=[CACHEBUSTING]&t=[TIMESTAMP]&e=[ERRORCODE]&x=[other]"
    let report = reporter.report(TrackedEvent("error", beacons: [url], macros: ["ERRORCODE": "401"]), at: "now")
    let shown = "https://t.example/?s=320,180.5&c=[CACHEBUSTING]&t=[TIMESTAMP]&e=401&x=[other]"
    #expect(report.beacons == nil)
    #expect(report.detail(asked: []) == ["beacons": [.string(shown)], "sent": false])
  }

  @Test func sendsEveryBeaconWithANumberOfItsOwn() {
    var reporter = reporter(sends: true)
    let event = TrackedEvent("start", beacons: ["https://t.example/[CACHEBUSTING]/[TIMESTAMP]"], playhead: 1.23456)
    let first = reporter.report(event, at: "now")
    #expect(first.beacons == ["https://t.example/10000001/now"])
    let report = reporter.report(event, at: "then")
    #expect(report.beacons == ["https://t.example/10000002/then"])
    let detail = report.detail(asked: ["https://t.example/"])
    #expect(detail["timing"] == ["playhead": 1.235, "urls": ["https://t.example/"]])
    #expect(detail["sent"] == true)
  }

  @Test func movesTheFilmsPlaceAsideWhereAdsHaveNames() {
    var (named, alone) = (reporter(namesAds: true), reporter())
    let event = TrackedEvent("start", detail: ["ad": 2])
    let details = [named.report(event, at: ""), alone.report(event, at: "")].map { $0.detail(asked: []) }
    #expect(details == [["video": 2], ["ad": 2]])
  }

  @Test func replacesMacrosInAddressesOfTheAd() {
    let text = "https://a.example/[CACHEBUSTING]?[SERVERSIDE]&[TIMESTAMP]"
    let address = reporter().address(text, afterResponses: 2, at: "2026-03-04T05:06:07Z")
    #expect(address == "https://a.example/10000003?0&2026-03-04T05%3A06%3A07Z")
  }
}
