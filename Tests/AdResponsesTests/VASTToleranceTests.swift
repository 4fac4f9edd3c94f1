import AdResponses
import Testing

/// Tolerance of players: a flawed part is dropped or repaired where the repair is obvious, and reported.
@Suite struct VASTToleranceTests {
  private func linear(_ document: VASTDocument) -> VASTLinear? { VASTResolver.inLine(document)?.linear }

  @Test(arguments: ["4.4", "4.10", "3.1", "2", "4.2.1"])
  func `a version that goes on is read as the newest`(version: String) throws {
    let document = try Documents.parse(Documents.inLine(Documents.video(), version: version))
    #expect(document.version == version)
    #expect(linear(document)?.mediaFiles.count == 1)
    #expect(document.flaws == [VASTFlaw(line: 1, reason: "VAST \(version) is unknown; it is read as 4.3")])
  }

  @Test(arguments: ["1.0", "5.0", "next", "4.x", "4.", "44444444444.1"])
  func `a version nobody plays is refused`(version: String) {
    #expect { try Documents.parse(Documents.inLine(Documents.video(), version: version)) } throws: { error in
      (error as? VASTParseError)?.code == .versionNotSupported
    }
  }

  @Test func `a document without a version is read as the newest`() throws {
    let document = try Documents.parse("<VAST><Ad><InLine>\(Documents.video())</InLine></Ad></VAST>")
    #expect(document.version == "4.3")
    #expect(linear(document) != nil)
    #expect(document.flaws.map(\.reason) == ["<VAST> has no version; it is read as 4.3"])
  }

  @Test(arguments: [
    ("30", 30.0, "read as 30 s"), ("7.5", 7.5, "read as 7.5 s"), ("8 s", nil, "the file's own duration applies"),
    ("00:99:99", nil, "the file's own duration applies"), ("nan", nil, "the file's own duration applies"),
    ("1e300", nil, "the file's own duration applies"),
  ])
  func `a length of another form costs nothing but itself`(text: String, seconds: Double?, done: String) throws {
    let document = try Documents.parse(Documents.inLine(Documents.video(duration: text)))
    #expect(linear(document)?.duration == seconds)
    #expect(linear(document)?.mediaFiles.count == 1)
    #expect(document.flaws == [VASTFlaw(line: 3, reason: "<Duration> is \"\(text)\", not HH:MM:SS; \(done)")])
  }

  @Test(arguments: [("5", VASTOffset.seconds(5)), ("soon", nil), ("101%", nil)])
  func `so does a moment to skip from`(text: String, offset: VASTOffset?) throws {
    let document = try Documents.parse(Documents.inLine(Documents.video(attributes: "skipoffset=\"\(text)\"")))
    #expect(linear(document)?.skipOffset == offset)
    #expect(document.flaws.count == 1)
  }

  @Test func `of a moment that can't be read nobody is told, and of the others somebody is`() throws {
    let tracking = """
      <Tracking event="progress" offset="later">https://a.example</Tracking>
      <Tracking event="progress" offset="3">https://b.example</Tracking>
      <Tracking event="start">https://c.example</Tracking>
      """
    let document = try Documents.parse(Documents.inLine(Documents.video(tracking: tracking)))
    #expect(
      linear(document)?.tracking == [
        VASTTracking(event: "progress", offset: .seconds(3), url: "https://b.example"),
        VASTTracking(event: "start", url: "https://c.example"),
      ])
    #expect(document.flaws.count == 2)
  }

  @Test(arguments: [
    #"width="0" height="0""#, #"width="300""#, "", #"width="nan" height="1e99""#, #"width="-1" height="2""#,
  ])
  func `a companion without a size is left out, and the others stay`(size: String) throws {
    let companions = """
      <Creatives><Creative><CompanionAds><Companion \(size)><StaticResource>a.png</StaticResource></Companion>
      <Companion width="300" height="250"><StaticResource>b.png</StaticResource></Companion>
      </CompanionAds></Creative></Creatives>
      """
    let document = try Documents.parse(Documents.inLine(Documents.video() + companions))
    let ad = try #require(VASTResolver.inLine(document))
    #expect(ad.linear?.mediaFiles.count == 1)
    #expect(ad.companions.map(\.resources) == [[.screenshot(url: "b.png", type: "")]])
    #expect(document.flaws.map(\.reason) == ["<Companion> has no width and height; it is ignored"])
  }

  @Test(arguments: [
    ("javascript:alert(1)", true), ("", true), ("landing.html", true), ("https://a.example/", false),
    ("market://details?id=a", false), ("[CLICK]", false),
  ])
  func `a clickthrough that leads nowhere is a flaw`(address: String, isFlaw: Bool) throws {
    let ad = """
      <Creatives><Creative><Linear><MediaFiles><MediaFile type="video/mp4" width="1" height="1">https://a.example/a.mp4
      </MediaFile></MediaFiles><VideoClicks><ClickThrough>\(address)</ClickThrough></VideoClicks></Linear></Creative>
      <Creative><NonLinearAds><NonLinear width="1" height="1"><StaticResource creativeType="image/png">a.png
      </StaticResource><NonLinearClickThrough>\(address)</NonLinearClickThrough></NonLinear></NonLinearAds></Creative>
      </Creatives>
      """
    let flaws = try Documents.parse(Documents.inLine(ad)).flaws.map(\.reason)
    #expect(flaws.count == (isFlaw ? 2 : 0), "\(flaws)")
    #expect(flaws.allSatisfy { $0.contains("so clicks open nothing") })
  }

  @Test func `files without an address or a type are left out, or known by their address`() throws {
    let files = """
      <Creatives><Creative><Linear><MediaFiles><MediaFile type="video/mp4"/><MediaFile>https://a.example/a.MP4?x</MediaFile>
      <MediaFile>https://a.example/b</MediaFile></MediaFiles></Linear></Creative></Creatives>
      """
    let document = try Documents.parse(Documents.inLine(files))
    #expect(
      linear(document)?.mediaFiles == [
        VASTMediaFile(url: "https://a.example/a.MP4?x", type: "video/mp4", width: 0, height: 0)
      ])
    #expect(document.flaws.count == 3)
  }

  @Test func `a film that names a framework that is no program's is played`() throws {
    let file = #"<MediaFile type="video/mp4" width="640" height="360" apiFramework="VAST">a.mp4</MediaFile>"#
    let document = try Documents.parse(
      Documents.inLine("<Creatives><Creative><Linear><MediaFiles>\(file)</MediaFiles></Linear></Creative></Creatives>"))
    let video = try #require(linear(document))
    #expect(try MediaChoice.choose(of: video, width: 300, height: 250).url == "a.mp4")
    #expect(
      document.flaws.map(\.reason) == ["apiFramework=\"VAST\" isn't a known framework; the file is played as a video"])
  }

  @Test func `a SIMID page among the films isn't run, and the response hears where it belongs`() throws {
    let files =
      #"<MediaFile type="text/html" width="640" height="360" apiFramework="SIMID">a.html</MediaFile>"#
      + #"<MediaFile type="video/mp4" width="640" height="360">a.mp4</MediaFile>"#
    let document = try Documents.parse(
      Documents.inLine("<Creatives><Creative><Linear><MediaFiles>\(files)</MediaFiles></Linear></Creative></Creatives>")
    )
    #expect(try MediaChoice.choose(of: try #require(linear(document)), width: 300, height: 250).url == "a.mp4")
    #expect(document.flaws.map(\.reason).first?.contains("<InteractiveCreativeFile>") == true)
    #expect(document.flaws.count == 1)
  }

  @Test func `a flawed ad costs itself, and the others are played`() async throws {
    let text = """
      <VAST version="3.0"><Ad id="a"/><Ad id="b"><Wrapper/></Ad>
      <Ad id="c"><InLine>\(Documents.video())</InLine></Ad></VAST>
      """
    let resolution = try await Documents.resolve(text)
    #expect(resolution.ads.map(\.id) == ["c"])
    #expect(
      resolution.flaws.map(\.remark.reason) == [
        "<Ad> has neither <InLine> nor <Wrapper>; the ad is skipped",
        "<Wrapper> has no <VASTAdTagURI>; the ad is skipped",
      ])
  }

  @Test(
    arguments: [
      ("<StaticResource creativeType=\"image/png\">a.png</StaticResource>", "", nil),
      ("<StaticResource creativeType=\"application/x-shockwave-flash\">a.swf</StaticResource>", "", 503),
      ("<StaticResource creativeType=\"application/javascript\">a.js</StaticResource>", "apiFramework=\"VPAID\"", 901),
      ("", "", 503),
    ]) func `overlays that nobody can show end in the standard's code`(resource: String, framework: String, code: Int?)
    async throws
  {
    let overlay = "<NonLinear width=\"300\" height=\"50\" \(framework)>\(resource)</NonLinear>"
    let resolution = try await Documents.resolve(
      Documents.inLine("<Creatives><Creative><NonLinearAds>\(overlay)</NonLinearAds></Creative></Creatives>"))
    #expect(resolution.ads.first?.overlayProblem?.code.rawValue == code)
  }

  @Test func `a wrapper leads by the element of VAST 1 as well`() async throws {
    let text = """
      <VAST version="2.0"><Ad><Wrapper><AdSystem>Old</AdSystem>
      <VASTAdTagURL><URL>https://one.example</URL></VASTAdTagURL></Wrapper></Ad></VAST>
      """
    let resolution = try await Documents.resolve(
      text, ["https://one.example": Documents.inLine(Documents.video())])
    #expect(resolution.ads.map(\.wrappers) == [["Old"]])
    #expect(resolution.flaws.map(\.remark.reason) == ["<VASTAdTagURL> is from VAST 1; it is read as <VASTAdTagURI>"])
  }

  @Test func `a wrapper's companion needs no size to be told of clicks`() async throws {
    let wrapper = Documents.wrapper(
      "https://one.example",
      """
      <Creatives><Creative><CompanionAds><Companion><CompanionClickTracking>https://w.example</CompanionClickTracking>
      </Companion></CompanionAds></Creative></Creatives>
      """)
    let card = """
      <Creatives><Creative><CompanionAds><Companion width="300" height="250"><HTMLResource>x</HTMLResource></Companion>
      </CompanionAds></Creative></Creatives>
      """
    let resolution = try await Documents.resolve(
      wrapper, ["https://one.example": Documents.inLine(Documents.video() + card)])
    #expect(resolution.ads.first?.companions.first?.clickTracking == ["https://w.example"])
    #expect(resolution.flaws.isEmpty)
  }

  @Test func `flaws behind a wrapper are told with its address`() async throws {
    let resolution = try await Documents.resolve(
      Documents.wrapper("https://one.example"),
      ["https://one.example": Documents.inLine(Documents.video(duration: "30"))])
    #expect(resolution.flaws.map(\.url) == ["https://one.example"])
    #expect(resolution.ads[0].linear?.duration == 30)
  }

  @Test func `companions of which none can be shown have a code of their own`() throws {
    let companions = """
      <Creatives><Creative><CompanionAds><Companion width="300" height="250">
      <StaticResource creativeType="application/x-shockwave-flash">a.swf</StaticResource></Companion></CompanionAds></Creative></Creatives>
      """
    let ad = try #require(VASTResolver.inLine(Documents.parse(Documents.inLine(Documents.video() + companions))))
    #expect(CompanionChoice.unsupported(ad.companions)?.code == .companionNotSupported)
    #expect(CompanionChoice.unsupported([]) == nil)
  }
}

/// Numbers in documents that crash careless players.
@Suite struct VASTNumberTests {
  static let hostile = [
    "nan", "NaN", "inf", "-inf", "Infinity", "1e308", "-1e308", "1e400", "1e19", "1e11", "100000000000",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "2147483648", "-2147483649",
    "9007199254740993", "-0", "0", "-1", "0x10", "1.5", "99:99:99", "9999:59:59", "100%", "1e3%", "nan%",
  ]

  @Test(arguments: hostile)
  func `a document with such a number anywhere is read and its film chosen`(number: String) throws {
    let video = """
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
    let document = try Documents.parse(Documents.inLine(video, ad: ad))
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
