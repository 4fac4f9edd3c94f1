import AdManager
import AdResponses
import Core
import Testing

/// Details of bids, responses and ads in the event log.
@Suite struct AdDescriptionTests {
  private static let film = """
    <VAST version="4.2"><Ad id="7"><InLine><AdTitle>Oak</AdTitle><Error>https://e.example</Error><Creatives><Creative>
    <Linear skipoffset="25%"><Duration>00:00:10</Duration><MediaFiles>
    <MediaFile type="video/mp4" width="640" height="360" delivery="progressive">film.mp4</MediaFile>
    <InteractiveCreativeFile apiFramework="SIMID" type="text/html">simid.html</InteractiveCreativeFile>
    <InteractiveCreativeFile apiFramework="VPAID" type="application/javascript">vpaid.js</InteractiveCreativeFile>
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
    """

  private func ad(_ text: String) throws -> ResolvedAd {
    try #require(VASTResolver.inLine(try VASTParser.parse(Array(text.utf8))))
  }

  @Test func aBidHasWhatItsBidderSaid() {
    var bid = Bid(id: "1", impressionID: "i", price: 2.5)
    let response = BidResponse(id: "r", currency: "EUR", bids: [bid])
    #expect(
      AdDescription.detail(of: WonBid(bid, of: response, losers: []))
        == ["id": "1", "price": 2.5, "currency": "EUR"])
    bid.creativeID = "c"
    bid.seat = "s"
    bid.advertiserDomains = ["oak.example"]
    bid.apis = [3, 5]
    let detail = AdDescription.detail(of: WonBid(bid, of: response, losers: []))
    #expect(detail["creative"] == "c")
    #expect(detail["seat"] == "s")
    #expect(detail["domains"] == ["oak.example"])
    #expect(detail["apis"] == [3, 5])
  }

  @Test func aVideoHasItsDeclaredLengthOnlyIfItDiffers() throws {
    let ad = try ad(Self.film)
    let linear = try #require(ad.linear)
    let media = try #require(linear.mediaFiles.first)
    let details = [10.5, 8].map { duration in
      AdDescription.detail(of: ad, linear, media: media, duration: duration, isInteractive: duration == 8) {
        "ad/\($0)"
      }
    }
    #expect(
      details[0] == [
        "media": "ad/film.mp4", "type": "video/mp4", "duration": 10.5, "version": "4.2", "id": "7", "title": "Oak",
        "skip": 2.625,
      ])
    #expect(details[1]["declared"] == 10)
    #expect(details[1]["interactive"] == "ad/simid.html")
  }

  @Test func aFileThatIsNotRunIsAProblem() throws {
    let ad = try ad(Self.film)
    let problems = AdDescription.filesNotRun(of: ad, try #require(ad.linear))
    let message = "VPAID vpaid.js isn't run; the video is"
    #expect(problems == [VASTProblem(.interactiveNotExecuted, message, beacons: ["https://e.example"])])
  }

  @Test func anOverlaySaysThatItIsOne() throws {
    let detail = AdDescription.detail(ofOverlay: try ad(Self.film), interactive: "simid.html")
    #expect(detail == ["version": "4.2", "overlay": true, "id": "7", "title": "Oak", "interactive": "simid.html"])
  }

  @Test func aRemarkHasItsLineAndItsResponse() {
    let flaw = AdDescription.detail(of: VASTFlaw(line: 3, reason: "odd"), in: nil)
    #expect(flaw == ["line": 3, "message": "odd"])
    let departure = VASTDeparture(kind: .order, line: 4, reason: "late")
    let detail: JSONValue = ["line": 4, "message": "late", "kind": "order", "url": "a.xml"]
    #expect(AdDescription.detail(of: departure, in: "a.xml") == detail)
  }

  @Test func aBreakHasItsTypesUnlessItIsLinear() throws {
    let text = """
      <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
      <vmap:AdBreak timeOffset="start" breakType="linear" breakId="a"/>
      <vmap:AdBreak timeOffset="50%" breakType="linear,nonlinear"/></vmap:VMAP>
      """
    let details = try VMAPParser.parse(Array(text.utf8)).schedule.map { AdDescription.detail(of: $0) }
    let expected: [JSONValue] = [
      ["offset": "start", "id": "a"], ["offset": "50%", "types": ["linear", "nonlinear"]],
    ]
    #expect(details == expected)
  }

  @Test func theLastProblemIsTheReasonForNoAd() {
    #expect(AdDescription.noAd([]) == AdError("the response has no ad", code: "ad-missing"))
    let problems = [VASTProblem(.mediaNotFound, "a"), VASTProblem(.mediaTimeout, "b")]
    #expect(AdDescription.noAd(problems) == AdError("b (VAST error 402)", code: "vast-failed"))
  }
}
