import AdResponses
import Testing

@Suite("Following wrappers")
struct VASTResolverTests {
  private static let ad = Documents.inLine(
    "<Impression>https://i.example/ad</Impression><Error>https://e.example/ad</Error>"
      + Documents.video(
        tracking: "<Tracking event=\"start\">https://s.example/ad</Tracking>",
        more: "<VideoClicks><ClickTracking>https://c.example/ad</ClickTracking></VideoClicks>"))

  @Test("an in-line ad is itself, and nothing is loaded")
  func inLine() async throws {
    let resolution = try await Documents.resolve(Self.ad)
    #expect(resolution.ads.map(\.id) == ["a1"])
    #expect(resolution.loaded == [])
    #expect(resolution.problems == [])
    #expect(resolution.ads[0].address == nil)
  }

  @Test("a creative without a film doesn't hide the one behind it, and alone it is what there is")
  func emptyLinear() async throws {
    let film = Documents.video().replacing("<Creatives>", with: "<Creatives><Creative id=\"c0\"><Linear/></Creative>")
    let ad = try #require(try await Documents.resolve(Documents.inLine(film)).ads.first)
    #expect(ad.creative?.id == "c1")
    #expect(ad.linear?.mediaFiles.count == 1)
    let empty = "<Creatives><Creative id=\"c0\"><Linear/></Creative></Creatives>"
    let alone = try #require(try await Documents.resolve(Documents.inLine(empty)).ads.first)
    #expect(alone.creative?.id == "c0")
    #expect(alone.linear?.mediaFiles == [])
  }

  @Test("everything of every wrapper is added, the nearest first")
  func merging() async throws {
    func inside(_ name: String, _ icons: String) -> String {
      """
      <Impression>https://i.example/\(name)</Impression><Error>https://e.example/\(name)</Error>
      <Extensions><Extension type="\(name)"/></Extensions>
      <Creatives><Creative><Linear><TrackingEvents><Tracking event="start">https://s.example/\(name)</Tracking></TrackingEvents>
      <VideoClicks><ClickThrough>https://\(name).example</ClickThrough><ClickTracking>https://c.example/\(name)</ClickTracking></VideoClicks>
      <Icons>\(icons)</Icons></Linear></Creative></Creatives>
      """
    }
    let icon = "<Icon program=\"AdChoices\" width=\"1\"/>"
    let resolution = try await Documents.resolve(
      Documents.wrapper("https://one.example", inside("outer", icon), system: "Outer"),
      [
        "https://one.example": Documents.wrapper(
          "https://two.example", inside("inner", "<Icon program=\"AdChoices\" width=\"2\"/><Icon program=\"B\"/>"),
          system: "Inner"),
        "https://two.example": Self.ad,
      ])
    #expect(resolution.loaded == ["https://one.example", "https://two.example"])
    let ad = try #require(resolution.ads.first)
    #expect(ad.wrappers == ["Outer", "Inner"])
    #expect(ad.impressions == ["ad", "inner", "outer"].map { "https://i.example/\($0)" })
    #expect(ad.errors == ["ad", "inner", "outer"].map { "https://e.example/\($0)" })
    #expect(ad.linear?.tracking.map(\.url) == ["ad", "inner", "outer"].map { "https://s.example/\($0)" })
    #expect(ad.linear?.clickTracking == ["ad", "inner", "outer"].map { "https://c.example/\($0)" })
    #expect(ad.linear?.clickThrough == "https://inner.example")
    #expect(ad.linear?.icons.map(\.width) == [2, nil])
    #expect(ad.extensions.map(\.type) == ["inner", "outer"])
    #expect(ad.address == "https://two.example")
    #expect(ad.linear?.mediaFiles.count == 1)
  }

  @Test("five wrappers lead to an ad, six don't")
  func depth() async throws {
    var responses = ["https://w5.example": Self.ad]
    for number in 1...4 {
      responses["https://w\(number).example"] = Documents.wrapper("https://w\(number + 1).example")
    }
    #expect(try await Documents.resolve(Documents.wrapper("https://w1.example"), responses).ads.count == 1)
    responses["https://w5.example"] = Documents.wrapper("https://w6.example", "<Error>https://e.example</Error>")
    responses["https://w6.example"] = Self.ad
    let resolution = try await Documents.resolve(Documents.wrapper("https://w1.example"), responses)
    #expect(resolution.ads == [])
    #expect(resolution.problems.map(\.code) == [.wrapperLimit])
    #expect(resolution.problems.map(\.beacons) == [["https://e.example"]])
    #expect(resolution.loaded.count == 5)
  }

  @Test("a circle is seen the first time round")
  func circle() async throws {
    let resolution = try await Documents.resolve(
      Documents.wrapper("https://a.example"),
      [
        "https://a.example": Documents.wrapper("https://b.example"),
        "https://b.example": Documents.wrapper("https://a.example"),
      ])
    #expect(resolution.problems.map(\.message) == ["the wrappers form a loop back to https://a.example"])
    #expect(resolution.problems.map(\.code) == [.wrapperLimit])
    #expect(resolution.loaded == ["https://a.example", "https://b.example"])
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    let response: String?
    let code: VASTErrorCode
    let message: String
    var testDescription: String { message }
  }

  static let failures = [
    Failure(response: nil, code: .wrapperTimeout, message: "https://a.example: nobody there"),
    Failure(response: "slow", code: .wrapperTimeout, message: "https://a.example: no answer in time"),
    Failure(
      response: "<html/>", code: .schemaValidation, message: "https://a.example, line 1: the root is <html>, not <VAST>"
    ),
    Failure(response: "<VAST version=\"3.0\"/>", code: .noAdAfterWrappers, message: "no ad after 1 wrappers"),
  ]

  @Test("a response that gives nothing is told with its code to everybody on the way", arguments: failures)
  func failed(failure: Failure) async throws {
    let resolution = try await Documents.resolve(
      Documents.wrapper("https://a.example", "<Error>https://e.example</Error>"),
      failure.response.map { ["https://a.example": $0] } ?? [:])
    #expect(resolution.ads == [])
    #expect(
      resolution.problems == [VASTProblem(failure.code, failure.message, beacons: ["https://e.example"])])
  }

  @Test("a wrapper that forbids another isn't followed beyond one")
  func forbidden() async throws {
    let resolution = try await Documents.resolve(
      Documents.wrapper("https://a.example", attributes: "followAdditionalWrappers=\"false\""),
      ["https://a.example": Documents.wrapper("https://b.example"), "https://b.example": Self.ad])
    #expect(resolution.problems.map(\.code) == [.noAdAfterWrappers])
    #expect(resolution.loaded == ["https://a.example"])
  }

  private static let pod = """
    <VAST version="4.0"><Ad id="z"><InLine/></Ad><Ad id="b" sequence="2"><InLine/></Ad>
    <Ad id="a" sequence="1"><InLine/></Ad></VAST>
    """

  @Test("a pod plays in its order; behind a wrapper only where that allows more than one ad")
  func pods() async throws {
    #expect(try await Documents.resolve(Self.pod).ads.map(\.id) == ["a", "b"])
    let responses = ["https://p.example": Self.pod]
    #expect(try await Documents.resolve(Documents.wrapper("https://p.example"), responses).ads.map(\.id) == ["z"])
    let many = Documents.wrapper("https://p.example", attributes: "allowMultipleAds=\"true\"")
    #expect(try await Documents.resolve(many, responses).ads.map(\.id) == ["a", "b"])
  }

  @Test("an ad that stands alone takes the place of one in the pod that leads nowhere")
  func replacement() async throws {
    let resolution = try await Documents.resolve(
      """
      <VAST version="4.0"><Ad id="a" sequence="1"><InLine/></Ad>
      <Ad sequence="2"><Wrapper><VASTAdTagURI>https://gone.example</VASTAdTagURI></Wrapper></Ad>
      <Ad id="spare"><InLine/></Ad></VAST>
      """)
    #expect(resolution.ads.map(\.id) == ["a", "spare"])
    #expect(resolution.problems.map(\.code) == [.wrapperTimeout])
  }

  @Test("of ads that stand alone the first that leads somewhere is taken, unless a wrapper forbids to go on")
  func buffet() async throws {
    func document(_ attributes: String) -> String {
      """
      <VAST version="4.0"><Ad><Wrapper \(attributes)><VASTAdTagURI>https://gone.example</VASTAdTagURI></Wrapper></Ad>
      <Ad id="b"><InLine/></Ad><Ad id="c"><InLine/></Ad></VAST>
      """
    }
    #expect(try await Documents.resolve(document("")).ads.map(\.id) == ["b"])
    #expect(try await Documents.resolve(document("fallbackOnNoAd=\"false\"")).ads == [])
  }

  @Test("a response without an ad asks its own error address")
  func empty() async throws {
    let resolution = try await Documents.resolve("<VAST version=\"3.0\"><Error>https://e.example</Error></VAST>")
    #expect(
      resolution.problems == [
        VASTProblem(.noAdAfterWrappers, "the response has no ad", beacons: ["https://e.example"])
      ])
  }

  @Test("the ad's own companions go before a wrapper's, and tracking of a wrapper's goes with them")
  func companions() async throws {
    func companions(_ inside: String) -> String {
      "<Creatives><Creative><CompanionAds required=\"all\">\(inside)</CompanionAds></Creative></Creatives>"
    }
    let shown = "<Companion width=\"300\" height=\"250\"><StaticResource>a.png</StaticResource></Companion>"
    let silent = """
      <Companion width="300" height="250"><CompanionClickTracking>https://k.example</CompanionClickTracking>
      <TrackingEvents><Tracking event="creativeView">https://v.example</Tracking></TrackingEvents></Companion>
      """
    let wrapper = Documents.wrapper("https://a.example", companions(silent))
    let ad = try await Documents.resolve(wrapper, ["https://a.example": Documents.inLine(companions(shown))]).ads[0]
    #expect(ad.companions.map(\.resources) == [[.screenshot(url: "a.png", type: "")]])
    #expect(ad.companions[0].clickTracking == ["https://k.example"])
    #expect(ad.companions[0].tracking.map(\.url) == ["https://v.example"])
    #expect(ad.requiredCompanions == .all)
    let other = Documents.wrapper("https://a.example", companions(shown))
    let borrowed = try await Documents.resolve(other, ["https://a.example": Documents.inLine("")]).ads[0]
    #expect(borrowed.companions.count == 1)
  }

  @Test("an ad that can't be played gives way to another, in a pod as well")
  func refused() async throws {
    let document = try Documents.parse(
      """
      <VAST version="4.0"><Ad id="a" sequence="1"><InLine/></Ad><Ad id="b" sequence="2"><InLine/></Ad>
      <Ad id="c"><InLine/></Ad><Ad id="d"><InLine/></Ad></VAST>
      """)
    for (unplayable, ads) in [(["b"], ["a", "c"]), (["a", "c"], ["d", "b"]), (["a", "b", "c", "d"], [])] {
      let resolution = await VASTResolver.resolve(
        document, accept: { !unplayable.contains($0.id ?? "") },
        fetch: { (_) async throws(VASTFetchFailure) in throw VASTFetchFailure(.unreachable, "") })
      #expect(resolution.ads.map { $0.id ?? "" } == ads)
    }
  }
}
