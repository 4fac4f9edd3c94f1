import Testing

@testable import AdResponses

/// Documents compared with the IAB's schema of their version; a player reads them regardless of violations.
@Suite struct VASTSchemaTests {
  private func departures(_ text: String) throws -> [String] {
    try Documents.parse(text).departures.map { "\($0.kind.rawValue) \($0.line): \($0.reason)" }
  }

  /// Shortest valid documents by the schema of each version.
  private static let whole: [String: String] = [
    "2.0": """
    <VAST version="2.0"><Ad id="a"><InLine><AdSystem>Larch</AdSystem><AdTitle>Spring</AdTitle>
    <Impression>https://a.example</Impression><Creatives><Creative><Linear><Duration>00:00:08</Duration></Linear>
    </Creative></Creatives></InLine></Ad></VAST>
    """,
    "3.0": """
    <VAST version="3.0"><Ad><Wrapper><AdSystem>Larch</AdSystem><VASTAdTagURI>https://b.example</VASTAdTagURI>
    <Impression>https://a.example/?c=[CACHEBUSTING]</Impression><Creatives/></Wrapper></Ad></VAST>
    """,
    "4.0": """
    <VAST version="4.0"><Ad><InLine><AdSystem>Larch</AdSystem><Impression>https://a.example</Impression>
    <AdTitle>Spring</AdTitle><Creatives><Creative><UniversalAdId idRegistry="r" idValue="1">1</UniversalAdId>
    <NonLinearAds><NonLinear/></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>
    """,
    "4.2": """
    <VAST version="4.2"><Ad><InLine><AdSystem>Larch</AdSystem><Impression>https://a.example</Impression>
    <AdServingId>1</AdServingId><AdTitle>Spring</AdTitle><AdVerifications><Verification><TrackingEvents>
    <Tracking event="anything">https://t.example</Tracking></TrackingEvents></Verification></AdVerifications>
    <Creatives><Creative><Linear skipoffset="25%">
    <Icons><Icon xPosition="left" yPosition="12"><IconClicks><IconClickFallbackImages><IconClickFallbackImage>
    <StaticResource>https://i.example</StaticResource></IconClickFallbackImage></IconClickFallbackImages>
    </IconClicks></Icon></Icons><Duration>00:00:08.5</Duration><MediaFiles>
    <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">a.mp4</MediaFile></MediaFiles></Linear>
    <UniversalAdId idRegistry="r">1</UniversalAdId></Creative></Creatives></InLine></Ad></VAST>
    """,
    "none": #"<VAST version="4.2"><Error>https://a.example</Error></VAST>"#,
  ]

  @Test(arguments: whole.keys.sorted())
  func `a document that is as its schema has it departs from nothing`(version: String) throws {
    let document = try Documents.parse(try #require(Self.whole[version]))
    #expect(document.departures == [])
    #expect(document.flaws == [])
  }

  @Test func `what is required and isn't there is told with its line`() throws {
    let text = """
      <VAST version="4.2"><Ad>
      <InLine><AdSystem>Larch</AdSystem><AdTitle>Spring</AdTitle><Creatives><Creative>
      <NonLinearAds><NonLinear><StaticResource>a.png</StaticResource></NonLinear></NonLinearAds></Creative></Creatives>
      </InLine></Ad></VAST>
      """
    #expect(
      try departures(text) == [
        "missing 2: <InLine> has no <Impression>, which the schema of 4.2 requires",
        "missing 2: <InLine> has no <AdServingId>, which the schema of 4.2 requires",
        "missing 2: <Creative> has no <UniversalAdId>, which the schema of 4.2 requires",
        "missing 3: <NonLinear> has no width, which the schema of 4.2 requires",
        "missing 3: <NonLinear> has no height, which the schema of 4.2 requires",
        "missing 3: <StaticResource> has no creativeType, which the schema of 4.2 requires",
      ])
  }

  @Test(
    arguments: [
      ("2.0", #"<Tracking event="skip">a</Tracking>"#, true), ("3.0", #"<Tracking event="skip">a</Tracking>"#, false),
      ("4.0", #"<Tracking event="timeSpentViewing">a</Tracking>"#, false),
      ("4.1", #"<Tracking event="timeSpentViewing">a</Tracking>"#, true),
      ("4.1", #"<Tracking event="interactiveStart">a</Tracking>"#, true),
      ("4.2", #"<Tracking event="interactiveStart">a</Tracking>"#, false),
      ("4.3", #"<Tracking event="fullscreen">a</Tracking>"#, true),
      ("4.2", #"<Tracking event="start">http://[::1/a</Tracking>"#, true),
      ("4.2", #"<Tracking event="start">https://[HOST]/a?b=[TIMESTAMP]&amp;c={d} e</Tracking>"#, false),
    ])
  func `events and addresses are those of the version`(version: String, tracking: String, departs: Bool) throws {
    let document = try Documents.parse(Documents.inLine(Documents.video(tracking: tracking), version: version))
    #expect(document.departures.contains { $0.kind == .value } == departs)
  }

  @Test func `the first element in another order is told, and one that any order does for isn't`() throws {
    let text = """
      <VAST version="%"><Ad><InLine><AdSystem>L</AdSystem>
      <Impression>https://a.example</Impression>
      <Error>https://b.example</Error>
      <AdServingId>1</AdServingId><AdTitle>Spring</AdTitle><Creatives><Creative>
      <UniversalAdId idRegistry="r">1</UniversalAdId>
      <CompanionAds/></Creative></Creatives></InLine></Ad></VAST>
      """
    #expect(
      try departures(text.replacing("%", with: "4.2")) == [
        "order 3: <Error> comes after <Impression>, but the schema of 4.2 requires it before",
        "order 6: <CompanionAds> comes after <UniversalAdId>, but the schema of 4.2 requires it before",
      ])
    #expect(
      try departures(text.replacing("%", with: "4.1")) == [
        "order 3: <Error> comes after <Impression>, but the schema of 4.1 requires it before"
      ])
  }

  @Test func `what a flaw tells isn't told twice`() throws {
    let video = Documents.video(duration: "30", attributes: #"skipoffset="5""#)
    let document = try Documents.parse(Documents.inLine(video))
    #expect(document.flaws.count == 2)
    #expect(document.departures.filter { $0.kind == .value } == [])
  }

  @Test func `what is beyond the standard isn't looked at`() throws {
    let more = "<Extensions><Extension><Linear/></Extension></Extensions><Own><MediaFile/></Own>"
    let plain = try departures(Documents.inLine("<!-- -->"))
    #expect(try departures(Documents.inLine(more)).count == plain.count + 1, "the extensions stand after the title")
  }

  @Test func `no more are told than anybody reads`() throws {
    let many = String(repeating: "<Icon width=\"w\"/>", count: 200)
    let document = try Documents.parse(
      Documents.inLine(Documents.video(more: "<Icons>\(many)</Icons>"), version: "3.0"))
    #expect(document.departures.count == 50)
  }

  @Test(
    arguments: [
      ("integer", "640", "12.5"), ("integer", "-1", ""), ("decimal", ".5", "1e3"), ("boolean", "1", "True"),
      ("time", "00:00:07.25", "7"), ("time", "23:59:59", "24:00:00"), ("offset", "101.5%", "00:00:03.5"),
      ("horizontal", "left", "top"), ("vertical", "12", "-12"), ("currency", "EUR", "Euro"), ("a/b", "b", "c"),
      ("address", "//a b", "https://a]/"), ("address", "https://user@host:80/[M]", "https://[::1/"),
    ])
  func `a text is of a type or it isn't`(name: String, good: String, bad: String) throws {
    let type = try #require(VASTValueType(name[...]))
    #expect(type.accepts(good))
    #expect(!type.accepts(bad))
    #expect(!type.name.isEmpty)
  }

  @Test func `what sellers and servers want to know of an ad is read`() throws {
    let icon = "<Icon><IFrameResource>https://i.example</IFrameResource><StaticResource>i.png</StaticResource></Icon>"
    let more = """
      <Description>Boots</Description><Survey>https://s.example</Survey><Expires>3600</Expires>
      <Pricing model="cpm" currency="EUR">1.25</Pricing>
      """
    let document = try Documents.parse(
      Documents.inLine(more + Documents.video(more: "<Icons>\(icon)</Icons>"), ad: #"<Ad adType="audio">"#))
    let ad = try #require(document.ads.first)
    #expect(ad.adType == "audio")
    #expect(ad.parts.pricing?.model == "cpm" && ad.parts.pricing?.currency == "EUR" && ad.parts.pricing?.value == 1.25)
    guard case .inLine(let inLine) = ad.content else { return #expect(Bool(false), "no in-line ad") }
    #expect(inLine.description == "Boots" && inLine.survey == "https://s.example" && inLine.expires == 3600)
    let icons = try #require(VASTResolver.inLine(document)?.linear?.icons)
    #expect(icons.map(\.resources) == [[.page(url: "https://i.example"), .screenshot(url: "i.png", type: "")]])
    #expect(icons.first?.resource == .page(url: "https://i.example"))
    let wrapper = try Documents.parse(
      Documents.wrapper("https://one.example", "<BlockedAdCategories>IAB7</BlockedAdCategories>"))
    guard case .wrapper(let way)? = wrapper.ads.first?.content else { return #expect(Bool(false), "no wrapper") }
    #expect(way.blockedCategories == ["IAB7"])
  }

  @Test func `a text that is longer than any of its kind is none`() throws {
    let type = try #require(VASTValueType("integer"))
    #expect(!type.accepts(String(repeating: "1", count: 1_000_000)))
  }
}
