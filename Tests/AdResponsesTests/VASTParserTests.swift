import AdResponses
import Foundation
import Testing

@Suite("Reading VAST")
struct VASTParserTests {
  @Test("reads every version from 2.0 to 4.3", arguments: ["2.0", "2.0.1", "3.0", "4.0", "4.1", "4.2", "4.3"])
  func versions(version: String) throws {
    let document = try Documents.parse(Documents.inLine(Documents.video(), version: version))
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
        \(Documents.video())
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
        Documents.video(duration: "00:01:08.250", attributes: #"skipoffset="00:00:05""#, tracking: tracking, more: more)
      )
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
    let icon = try #require(Documents.parse(Documents.inLine(Documents.video(more: icons))).ads[0].linear?.icons.first)
    #expect(icon.program == "AdChoices")
    #expect(icon.x == .end)
    #expect(icon.y == .at(4))
    #expect(icon.offset == .seconds(1))
    #expect(icon.duration == 3)
    #expect(icon.resource == .screenshot(url: "choices.png", type: "image/png"))
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
    #expect(companions[0].resources == [.html("<b>hi</b>"), .screenshot(url: "end.png", type: "image/png")])
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
    var verification = VASTVerification(
      vendor: "m.example-omid", resources: ["https://m.example/v.js"], apiFramework: "omid", parameters: #"{"a":1}"#,
      notExecuted: ["https://n.example?r=[REASON]"])
    verification.scripts = [
      VASTVerificationScript(url: "https://m.example/v.js", apiFramework: "omid", isBrowserOptional: false)
    ]
    #expect(parts.verifications == [verification])
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

  @Test("of measuring code only a script for Open Measurement is run, in an extension of VAST 2 and 3 too")
  func omidScripts() throws {
    let verifications = try Documents.parse(
      Documents.inLine(
        """
        <Extensions><Extension type="AdVerifications"><AdVerifications>
          <Verification vendor="a"><JavaScriptResource apiFramework="other">https://a.example/1.js</JavaScriptResource>
            <JavaScriptResource apiFramework="OMID" browserOptional="true">https://a.example/2.js</JavaScriptResource></Verification>
          <Verification vendor="b"><ExecutableResource apiFramework="omid">https://b.example/x</ExecutableResource></Verification>
        </AdVerifications></Extension></Extensions>
        """)
    ).ads[0].parts.verifications
    #expect(verifications.map(\.omidScript?.url) == ["https://a.example/2.js", nil])
    #expect(verifications[0].omidScript?.isBrowserOptional == true)
    #expect(verifications.map(\.resources.count) == [2, 1])
  }

  /// Returns the flaws of a document with this beside its video's file.
  private func interactive(_ file: String) throws -> (file: VASTMediaFile?, run: VASTMediaFile?, flaws: [String]) {
    let document = try Documents.parse(
      Documents.inLine(
        "<Creatives><Creative><Linear><Duration>00:00:01</Duration><MediaFiles>\(file)</MediaFiles></Linear></Creative></Creatives>"
      ))
    let linear = try #require(document.ads[0].linear)
    return (linear.interactiveFiles.first, InteractiveChoice.file(of: linear), document.flaws.map(\.reason))
  }

  @Test("reads an interactive file, and says what is wrong with it")
  func interactiveFiles() throws {
    let whole = try interactive(
      #"<InteractiveCreativeFile type="text/html" apiFramework="SIMID" variableDuration="true">https://a.example/s</InteractiveCreativeFile>"#
    )
    #expect(whole.run == whole.file)
    #expect(whole.file?.needsVariableDuration == true)
    #expect(whole.flaws == [])
    let bare = try interactive("<InteractiveCreativeFile>http://a.example/s</InteractiveCreativeFile>")
    #expect(bare.run?.url == "http://a.example/s")
    #expect(bare.flaws.count == 3)
    let script = try interactive(
      #"<InteractiveCreativeFile type="application/javascript" apiFramework="SIMID">s.js</InteractiveCreativeFile>"#)
    #expect(script.run == nil)
    #expect(
      script.flaws == [
        "<InteractiveCreativeFile> has the type application/javascript, but SIMID requires text/html; it isn't run"
      ])
    let other = try interactive(
      #"<InteractiveCreativeFile type="text/html" apiFramework="OTHER">s.html</InteractiveCreativeFile>"#)
    #expect(other.file != nil)
    #expect(other.run == nil)
    #expect(try interactive("<InteractiveCreativeFile/>").file == nil)
  }

  @Test("knows an overlay of SIMID's by its own framework or its resource's")
  func interactiveOverlays() throws {
    func found(_ attributes: String, _ resource: String) throws -> String? {
      let document = try Documents.parse(
        Documents.inLine(
          "<Creatives><Creative><NonLinearAds><NonLinear width='300' height='60' \(attributes)>\(resource)<AdParameters>p</AdParameters></NonLinear></NonLinearAds></Creative></Creatives>"
        ))
      let ad = try #require(VASTResolver.inLine(document))
      #expect(ad.nonLinears.first?.parameters == "p")
      return InteractiveChoice.overlay(of: ad)?.url
    }
    let page = "<IFrameResource>m.html</IFrameResource>"
    #expect(try found("apiFramework='SIMID'", page) == "m.html")
    #expect(try found("", "<IFrameResource apiFramework='SIMID'>m.html</IFrameResource>") == "m.html")
    #expect(try found("", page) == nil)
    #expect(try found("apiFramework='SIMID'", "<HTMLResource>x</HTMLResource>") == nil)
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
  /// First video of the document.
  var linear: VASTLinear? {
    parts.creatives.compactMap { if case .linear(let linear) = $0.content { linear } else { nil } }.first
  }
}

@Suite("What isn't VAST")
struct VASTRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let code: VASTErrorCode
    let message: String
    var testDescription: String { message }
  }

  static let cases = [
    Case(text: "", code: .xmlParsing, message: "line 1: it has no root element"),
    Case(
      text: "<VAST version=\"3.0\">\n<Ad>\n</VAST>", code: .xmlParsing,
      message: "line 3: the end tag doesn't match <Ad> of line 2"),
    Case(
      text: "<VAST version=\"3.0\">\n<Error>https://e.example/?a=1&b=2</Error></VAST>", code: .xmlParsing,
      message: "line 2: an & that starts no entity: write &amp;, or put addresses into <![CDATA[…]]>"),
    Case(
      text: "<VAST version=\"3.0\"><Ad><InLine>", code: .xmlParsing,
      message: "line 1: the document ends before <InLine> of line 1 is closed"),
    Case(text: "\n<html/>", code: .schemaValidation, message: "line 2: the root is <html>, not <VAST>"),
    Case(
      text: "<VideoAdServingTemplate/>", code: .versionNotSupported,
      message: "line 1: this is VAST 1; supported versions are 2.0 to 4.3"),
    Case(
      text: "<VAST version=\"5.0\"/>", code: .versionNotSupported,
      message: "line 1: VAST 5.0 is unknown; supported versions are 2.0 to 4.3"),
    Case(
      text: "<VAST version=\"3.0\">\n<Ad/></VAST>", code: .schemaValidation,
      message: "line 2: <Ad> has neither <InLine> nor <Wrapper>"),
    Case(
      text: "<VAST version=\"3.0\"><Ad>\n<Wrapper/></Ad></VAST>", code: .schemaValidation,
      message: "line 2: <Wrapper> has no <VASTAdTagURI>"),
  ]

  @Test("says where and what is wrong, with the standard's code", arguments: cases)
  func refused(one: Case) {
    #expect { try Documents.parse(one.text) } throws: { error in
      guard let error = error as? VASTParseError else { return false }
      #expect(error.description == one.message)
      #expect(error.code == one.code)
      return true
    }
  }

  private static let laughs =
    "<!DOCTYPE VAST [<!ENTITY a0 \"ha\">"
    + (1...30).map { "<!ENTITY a\($0) \"&a\($0 - 1);&a\($0 - 1);\">" }.joined()
    + "]><VAST version=\"3.0\"><Error>&a30;</Error></VAST>"
  private static let external =
    "<!DOCTYPE VAST [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><VAST version=\"3.0\"><Error>&x;</Error></VAST>"
  private static let declarations = [
    laughs, external, "<?xml version=\"1.0\"?>\n<!-- <VAST> -->\n" + laughs,
    "<!DOCTYPE VAST SYSTEM \"https://e.example/vast.dtd\"><VAST version=\"3.0\"/>",
  ]
  private static let encodings: [String.Encoding] = [
    .utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
  ]

  @Test(
    "refuses a DTD, with entities of its own or of others, whatever its encoding", arguments: declarations, encodings)
  func entities(text: String, encoding: String.Encoding) throws {
    let bytes = Array(try #require(text.data(using: encoding)))
    #expect { try VASTParser.parse(bytes) } throws: { error in
      (error as? VASTParseError)?.reason
        == "it has a document type declaration (DTD), which isn't supported"
    }
  }

  @Test("refuses encodings in which a DTD could hide", arguments: ["UTF-7", "EBCDIC-US", "ISO-2022-JP", "hz-gb-2312"])
  func hiding(name: String) {
    #expect { try Documents.parse("<?xml version=\"1.0\" encoding=\"\(name)\"?><VAST version=\"3.0\"/>") } throws: {
      error in
      (error as? VASTParseError)?.reason == "its encoding, \(name), isn't supported"
    }
  }

  @Test("reads a document in any encoding of Unicode, and a doctype within its markup", arguments: encodings)
  func unicode(encoding: String.Encoding) throws {
    let text = Documents.inLine("<Category>Käse<![CDATA[<!DOCTYPE html>]]></Category>" + Documents.video())
    let document = try VASTParser.parse(Array(try #require(("<?xml version=\"1.0\"?>" + text).data(using: encoding))))
    guard case .inLine(let inLine) = document.ads[0].content else { return #expect(Bool(false), "no in-line ad") }
    #expect(inLine.categories == ["Käse<!DOCTYPE html>"])
  }

  @Test("reads Latin 1 that says so")
  func latin() throws {
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><VAST version=\"3.0\"><Error>é</Error></VAST>"
    let document = try VASTParser.parse(Array(try #require(text.data(using: .isoLatin1))))
    #expect(document.errors == ["é"])
  }

  @Test("refuses a document that nests without end")
  func nesting() {
    let text = "<VAST version=\"3.0\">" + String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200)
    #expect { try Documents.parse(text + "</VAST>") } throws: { error in
      (error as? VASTParseError)?.reason == "elements are nested more than 64 levels deep"
    }
  }
}
