import AdResponses
import Testing

@Suite("Reading VMAP")
struct VMAPTests {
  private func parse(_ breaks: String) throws -> VMAPDocument {
    let text = #"<vmap:VMAP xmlns:vmap="http://www.iab.net/vmap-1.0" version="1.0">\#(breaks)</vmap:VMAP>"#
    return try VMAPParser.parse(Array(text.utf8))
  }

  private func adBreak(_ offset: String, _ id: String, _ source: String) -> String {
    """
    <vmap:AdBreak timeOffset="\(offset)" breakType="linear" breakId="\(id)">\(source)
    <vmap:TrackingEvents><vmap:Tracking event="breakStart">https://b.example/\(id)</vmap:Tracking>
    <vmap:Tracking event="error">https://e.example/\(id)</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>
    """
  }

  private let tag = """
    <vmap:AdSource><vmap:AdTagURI templateType="vast3"><![CDATA[https://t.example/?a=1&b=2]]></vmap:AdTagURI>
    </vmap:AdSource>
    """

  @Test("breaks come as a programme does, whatever their order in the document")
  func order() throws {
    let offsets = ["end", "00:10:00", "#2", "start", "00:01:30.500", "25%"]
    let document = try parse(offsets.map { adBreak($0, $0, tag) }.joined())
    #expect(document.version == "1.0")
    #expect(document.breaks.compactMap(\.id) == offsets)
    #expect(document.schedule.compactMap(\.id) == ["start", "00:01:30.500", "00:10:00", "25%", "#2", "end"])
    #expect(document.schedule[1].offset == .at(.seconds(90.5)))
  }

  @Test("an address is followed as a wrapper is, with the break's own errors")
  func address() throws {
    let adBreak = try #require(try parse(adBreak("start", "pre", tag)).breaks.first)
    #expect(adBreak.source == .tag("https://t.example/?a=1&b=2", template: "vast3"))
    #expect(adBreak.beacons("breakStart") == ["https://b.example/pre"])
    let response = try #require(adBreak.response)
    guard case .wrapper(let wrapper)? = response.ads.first?.content else { return #expect(Bool(false), "no wrapper") }
    #expect(wrapper.tag == "https://t.example/?a=1&b=2" && wrapper.followsWrappers && wrapper.allowsMultipleAds)
    #expect(response.ads[0].parts.errors == ["https://e.example/pre"])
  }

  @Test("a response inside a break is read as VAST, and one that allows one ad plays one")
  func inside() throws {
    let pod = """
      <VAST version="3.0"><Ad sequence="2"><InLine><AdTitle>Second</AdTitle></InLine></Ad>
      <Ad sequence="1"><InLine><AdTitle>First</AdTitle></InLine></Ad></VAST>
      """
    for (flag, titles) in [("true", ["First", "Second"]), ("false", ["First"])] {
      let data = "<vmap:VASTAdData>\(pod)</vmap:VASTAdData>"
      let source = #"<vmap:AdSource allowMultipleAds="\#(flag)">\#(data)</vmap:AdSource>"#
      let response = try #require(try parse(adBreak("start", "pre", source)).breaks.first?.response)
      let found = response.pod.map { ad -> String? in
        if case .inLine(let inLine) = ad.content { inLine.title } else { nil }
      }
      #expect(found == titles)
      #expect(response.errors == ["https://e.example/pre"])
    }
  }

  @Test(
    "a break that can't be read is passed over where another can, and else the reason",
    arguments: [
      (#"<AdBreak breakType="linear"/>"#, "<AdBreak> has no timeOffset"),
      (#"<AdBreak timeOffset="soon"/>"#, "timeOffset=\"soon\" isn't a time offset"),
      (#"<AdBreak timeOffset="start"><AdSource/></AdBreak>"#, "<AdSource> has no ads and no address"),
      (
        #"<AdBreak timeOffset="start"><AdSource><VASTAdData><b/></VASTAdData></AdSource></AdBreak>"#,
        "the root is <b>, not <VAST>"
      ),
    ])
  func broken(text: String, reason: String) throws {
    let alone = #expect(throws: VASTParseError.self) { try parse(text) }
    #expect(alone?.reason == reason)
    let document = try parse(text + adBreak("end", "post", tag))
    #expect(document.breaks.count == 1)
    #expect(document.flaws.map(\.reason) == ["\(reason); the break is skipped"])
  }

  @Test("flaws of a response in a break are that response's alone, lest they are told twice")
  func flaws() throws {
    let linear = "<Creatives><Creative><Linear><Duration>8</Duration></Linear></Creative></Creatives>"
    let data = #"<VASTAdData><VAST version="3.0"><Ad><InLine>\#(linear)</InLine></Ad></VAST></VASTAdData>"#
    let document = try parse(adBreak("start", "pre", "<AdSource>\(data)</AdSource>"))
    #expect(document.flaws == [])
    #expect(document.breaks.first?.response?.flaws.count == 1)
  }

  @Test("anything else is none")
  func others() {
    #expect(throws: VASTParseError.self) { try VMAPParser.parse(Array("<VAST/>".utf8)) }
    #expect(throws: VASTParseError.self) { try VMAPParser.parse(Array("<vmap:VMAP".utf8)) }
  }
}
