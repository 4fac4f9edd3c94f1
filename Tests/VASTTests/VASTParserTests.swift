import Testing
import VAST

@Suite("Reading VAST")
struct VASTParserTests {
  @Test("reads every version from 2.0 to 4.3", arguments: ["2.0", "2.0.1", "3.0", "4.0", "4.1", "4.2", "4.3"])
  func versions(version: String) throws {
    let document = try Documents.parse(Documents.inLine(Documents.film(), version: version))
    #expect(document.version == version)
    #expect(document.ads.count == 1)
    #expect(document.flaws == [])
  }

  @Test("reads what an in-line ad is and who wants to hear of it")
  func inLine() throws {
    let document = try Documents.parse(
      Documents.inLine(
        """
        <Error>https://e.example/?c=[ERRORCODE]</Error>
        <Impression id="x"> https://i.example/1 </Impression><Impression><![CDATA[https://i.example/2?a=1&b=2]]></Impression>
        <Impression></Impression><Advertiser>Larch Coffee</Advertiser><AdServingId>s-1</AdServingId>
        <Category authority="iab">IAB8</Category>
        <ViewableImpression><Viewable>https://v.example</Viewable><NotViewable>https://n.example</NotViewable></ViewableImpression>
        \(Documents.film())
        """))
    let ad = document.ads[0]
    #expect(ad.id == "a1")
    #expect(ad.line == 2)
    #expect(ad.parts.system == "Larch")
    #expect(ad.parts.impressions == ["https://i.example/1", "https://i.example/2?a=1&b=2"])
    #expect(ad.parts.errors == ["https://e.example/?c=[ERRORCODE]"])
    #expect(ad.parts.viewable.viewable == ["https://v.example"])
    #expect(ad.parts.viewable.notViewable == ["https://n.example"])
    guard case .inLine(let inLine) = ad.content else { return #expect(Bool(false), "no in-line ad") }
    #expect(inLine.title == "Spring")
    #expect(inLine.advertiser == "Larch Coffee")
    #expect(inLine.adServingID == "s-1")
    #expect(inLine.categories == ["IAB8"])
  }

  @Test("reads a film's length, files, clicks and events")
  func linear() throws {
    let more = """
      <VideoClicks><ClickThrough>https://larch.example</ClickThrough><ClickTracking>https://t.example</ClickTracking>
      <CustomClick>https://x.example</CustomClick></VideoClicks><AdParameters>p=1</AdParameters>
      """
    let tracking = """
      <Tracking event="start">https://s.example</Tracking>
      <Tracking event="progress" offset="00:00:02.500">https://p.example</Tracking>
      <Tracking event="progress" offset="25%">https://q.example</Tracking>
      """
    let document = try Documents.parse(
      Documents.inLine(
        Documents.film(duration: "00:01:08.250", attributes: #"skipoffset="00:00:05""#, tracking: tracking, more: more))
    )
    let linear = try #require(document.ads[0].linear)
    #expect(linear.duration == 68.25)
    #expect(linear.skipOffset == .seconds(5))
    #expect(linear.clickThrough == "https://larch.example")
    #expect(linear.clickTracking == ["https://t.example"])
    #expect(linear.customClicks == ["https://x.example"])
    #expect(linear.parameters == "p=1")
    #expect(linear.mediaFiles == [VASTMediaFile(url: "clip.webm", type: "video/webm", width: 640, height: 360)])
    #expect(
      linear.tracking == [
        VASTTracking(event: "start", url: "https://s.example"),
        VASTTracking(event: "progress", offset: .seconds(2.5), url: "https://p.example"),
        VASTTracking(event: "progress", offset: .share(0.25), url: "https://q.example"),
      ])
  }

  @Test("reads icons with where and when they stand")
  func icons() throws {
    let icons = """
      <Icons><Icon program="AdChoices" width="20" height="16" xPosition="right" yPosition="4" offset="00:00:01" duration="00:00:03">
      <StaticResource creativeType="image/PNG">choices.png</StaticResource>
      <IconClicks><IconClickThrough>https://choices.example</IconClickThrough><IconClickTracking>https://k.example</IconClickTracking></IconClicks>
      <IconViewTracking>https://w.example</IconViewTracking></Icon></Icons>
      """
    let icon = try #require(Documents.parse(Documents.inLine(Documents.film(more: icons))).ads[0].linear?.icons.first)
    #expect(icon.program == "AdChoices")
    #expect(icon.x == .end)
    #expect(icon.y == .at(4))
    #expect(icon.offset == .seconds(1))
    #expect(icon.duration == 3)
    #expect(icon.resource == .picture(url: "choices.png", type: "image/png"))
    #expect(icon.clickThrough == "https://choices.example")
    #expect(icon.clickTracking == ["https://k.example"])
    #expect(icon.viewTracking == ["https://w.example"])
  }

  @Test("reads companions with their resources, clicks and what is required")
  func companions() throws {
    let document = try Documents.parse(
      Documents.inLine(
        """
        <Creatives><Creative><CompanionAds required="any">
          <Companion id="k" width="300" height="250" renderingMode="end-card"><AltText>Larch</AltText>
            <StaticResource creativeType="image/png">end.png</StaticResource><HTMLResource><![CDATA[<b>hi</b>]]></HTMLResource>
            <CompanionClickThrough>https://larch.example</CompanionClickThrough>
            <CompanionClickTracking>https://t.example</CompanionClickTracking>
            <TrackingEvents><Tracking event="creativeView">https://v.example</Tracking></TrackingEvents></Companion>
          <Companion width="728" height="90"><IFrameResource>frame.html</IFrameResource></Companion>
        </CompanionAds></Creative></Creatives>
        """))
    guard case .companions(let companions, let required) = document.ads[0].parts.creatives[0].content else {
      return #expect(Bool(false), "no companions")
    }
    #expect(required == .any)
    #expect(companions.map(\.width) == [300, 728])
    #expect(companions[0].resources == [.html("<b>hi</b>"), .picture(url: "end.png", type: "image/png")])
    #expect(companions[0].clickThrough == "https://larch.example")
    #expect(companions[0].tracking == [VASTTracking(event: "creativeView", url: "https://v.example")])
    #expect(companions[1].resources == [.page(url: "frame.html")])
  }

  @Test("tells of overlays, verifications, interactive files and extensions")
  func recognised() throws {
    let document = try Documents.parse(
      Documents.inLine(
        """
        <AdVerifications><Verification vendor="m.example-omid"><JavaScriptResource apiFramework="omid">https://m.example/v.js</JavaScriptResource>
          <VerificationParameters>{"a":1}</VerificationParameters>
          <TrackingEvents><Tracking event="verificationNotExecuted">https://n.example?r=[REASON]</Tracking></TrackingEvents>
        </Verification></AdVerifications>
        <Extensions><Extension type="geo"><Country code="de &amp; at">DE</Country></Extension></Extensions>
        <Creatives>
          <Creative><NonLinearAds><NonLinear id="o" width="480" height="70" apiFramework="VPAID"/></NonLinearAds></Creative>
          <Creative><Linear><Duration>00:00:01</Duration><MediaFiles>
            <InteractiveCreativeFile type="text/html" apiFramework="SIMID">simid.html</InteractiveCreativeFile>
          </MediaFiles></Linear></Creative>
        </Creatives>
        """))
    let parts = document.ads[0].parts
    #expect(
      parts.verifications == [
        VASTVerification(
          vendor: "m.example-omid", resources: ["https://m.example/v.js"], apiFramework: "omid",
          parameters: #"{"a":1}"#, notExecuted: ["https://n.example?r=[REASON]"])
      ])
    #expect(
      parts.extensions == [
        VASTExtension(
          type: "geo", xml: #"<Extension type="geo"><Country code="de &amp; at">DE</Country></Extension>"#)
      ])
    #expect(
      parts.creatives[0].content
        == .nonLinear([VASTNonLinear(id: "o", width: 480, height: 70, apiFramework: "VPAID")], tracking: []))
    #expect(document.ads[0].linear?.interactiveFiles.map(\.apiFramework) == ["SIMID"])
  }

  @Test("takes prefixed elements as the same")
  func prefixes() throws {
    let text = #"<v:VAST xmlns:v="urn:v" version="4.0"><v:Error>https://e.example</v:Error></v:VAST>"#
    #expect(try Documents.parse(text).errors == ["https://e.example"])
  }

  @Test("puts a pod in the order of its sequence and leaves out what stands alone")
  func pod() throws {
    let ads = [("a", "2"), ("b", ""), ("c", "1"), ("d", "0")].map { id, sequence in
      #"<Ad id="\#(id)" sequence="\#(sequence)"><InLine/></Ad>"#
    }
    let document = try Documents.parse(#"<VAST version="3.0">\#(ads.joined())</VAST>"#)
    #expect(document.pod.map(\.id) == ["c", "a"])
    #expect(document.standAlone.map(\.id) == ["b", "d"])
  }
}

extension VASTAd {
  /// Its first film.
  var linear: VASTLinear? {
    parts.creatives.compactMap { if case .linear(let linear) = $0.content { linear } else { nil } }.first
  }
}
