import Core
import Engine
import Pixels
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A film, rendered") struct VideoTests {
    /// The standard's events of a log, in order; documents here have no more than a film needs.
    private func vast(_ result: RenderedCreative) -> [String] {
      result.events.filter { $0.source == .vast && $0.name != "departure" }.map(\.name)
    }

    private static let whole = [
      "ad", "impression", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete",
    ]

    private func render(
      _ files: [String: String], kind: Placement.Kind = .interstitial, beacons: Bool = false
    ) async throws -> RenderedCreative {
      let options = TestRender.Options(placement: Placement(kind: kind), sendsBeacons: beacons)
      return try await TestRender.shared.render(files: files, options)
    }

    @Test("plays to its end without being told to, and tells each moment once and in order")
    @EngineActor func whole() async throws {
      let result = try await render(["ad.xml": VideoAd.inLine()])
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.creative.kind == "folder")
      #expect(vast(result) == Self.whole)
      #expect(result.record.screenshots.map(\.name) == ["001-video", "002-midpoint", "003-video", "004-video-end"])
      #expect(try result.picture(1) != result.picture(2))
    }

    @Test("plays to its end in a time of its own as well, without waiting")
    @EngineActor func steppedTime() async throws {
      let options = TestRender.Options(placement: Placement(kind: .interstitial), clock: .virtual)
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let result = try await render.render(files: ["ad.xml": VideoAd.inLine()], options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(vast(result) == Self.whole)
      #expect(result.record.screenshots.map(\.name) == ["001-video", "002-midpoint", "003-video", "004-video-end"])
      #expect(try result.picture(1) != result.picture(2))
      #expect(result.record.warnings.allSatisfy { !$0.contains("film") })
    }

    @Test("gives the same log and the same pictures twice")
    @EngineActor func sameTwice() async throws {
      let first = try await render(["ad.xml": VideoAd.inLine()])
      let second = try await render(["ad.xml": VideoAd.inLine()])
      #expect(first.names == second.names)
      #expect(first.events("vast/impression")[0].detail["beacons"] == ["https://count.example/seen?t=[TIMESTAMP]"])
      #expect(
        first.events("vast/impression")[0].detail["beacons"] == second.events("vast/impression")[0].detail["beacons"])
      for number in 1...4 { #expect(try first.picture(number) == second.picture(number), "\(number)") }
    }

    /// An icon that keeps the player's page from its work for most of the time, while the film goes on.
    private static let busyIcon = """
      <Icons><Icon program="Busy" width="20" height="20" xPosition="left" yPosition="top"><HTMLResource><![CDATA[<script>
      const keep = () => { const end = Date.now() + 1300; while (Date.now() < end); setTimeout(keep, 60); };
      addEventListener("load", keep);
      </script>]]></HTMLResource></Icon></Icons>
      """

    @Test("stands still at the moment that a step waits for, however late its player tells")
    @EngineActor func late() async throws {
      let options = TestRender.Options(
        placement: Placement(kind: .interstitial), limits: Limits(timeout: 60),
        scenario: """
          - wait: {event: vast/firstQuartile}
          - screenshot: quarter
          - expect: {events: [{name: vast/midpoint, count: 0}]}
          - wait: {event: vast/midpoint, timeout: 20}
          - screenshot: half
          - expect: {events: [{name: vast/thirdQuartile, count: 0}]}
          - wait: {event: vast/complete, timeout: 20}
          """)
      let files = ["ad.xml": VideoAd.inLine(linear: Self.busyIcon)]
      let result = try await TestRender.shared.render(files: files, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(vast(result).filter { $0 != "iconView" } == Self.whole)
    }

    @Test("asks nobody who counts unless that was asked for", arguments: [false, true])
    @EngineActor func beacons(areSent: Bool) async throws {
      let server = try LocalServer { _ in .init(type: "image/gif", body: "") }
      let beacon = server.url("")
      let result = try await render(["ad.xml": VideoAd.inLine(beacon: beacon)], beacons: areSent)
      #expect(result.events("vast/start")[0].detail["sent"] == .bool(areSent))
      let asked = server.requests.map { $0.path.prefix { $0 != "?" } }
      #expect(asked.contains("/start") == areSent)
      #expect(asked.contains("/seen") == areSent)
      #expect(server.requests.allSatisfy { !$0.path.contains("[") })
    }

    @Test("comes from an address as it comes from a file, also behind a wrapper and in a bid")
    @EngineActor func addresses() async throws {
      let bid = try VideoAd.bid(VideoAd.inLine(), type: 2)
      let server = try LocalServer { path in
        switch path {
        case "/ad": .init(type: "text/xml", body: VideoAd.inLine())
        case "/wrapper": .init(type: "application/xml", body: VideoAd.wrapper("ad"))
        default: .init(type: "application/json", body: bid)
        }
      }
      for path in ["/ad", "/wrapper", "/bid"] {
        let options = TestRender.Options(placement: Placement(kind: .interstitial))
        let result = try await TestRender.shared.render(url: server.url(path), options)
        #expect(result.record.outcome == .completed, "\(path): \(result.record.message ?? "")")
        #expect(vast(result).filter { $0 != "wrapper" } == Self.whole, "\(path)")
        let seen = result.events("vast/impression")[0].detail["beacons"]?.array?.count
        #expect(seen == (path == "/wrapper" ? 2 : 1))
        #expect(result.events("ad/billingNotice").count == (path == "/bid" ? 1 : 0))
      }
    }

    @Test("that isn't there is told with its code, and pictured where the ad would have been")
    @EngineActor func missing() async throws {
      let result = try await render(["ad.xml": VideoAd.inLine(media: "gone.webm")], kind: .banner)
      #expect(result.record.outcome == .failed)
      #expect(result.record.code == "vast-failed")
      #expect(result.record.message == "gone.webm: it can't be loaded (VAST error 401)")
      #expect(result.record.origin == .creative)
      #expect(result.events("vast/error")[0].detail["beacons"] == ["https://error.example/?code=401"])
      #expect(result.events("ad/failedToLoad").count == 1)
      #expect(result.record.screenshots.map(\.name) == ["001-failed"])
      #expect(try !result.picture(1, ad: true).isUniform)
    }

    @Test("that is none is refused as well")
    @EngineActor func noVideo() async throws {
      let result = try await render(["ad.xml": VideoAd.inLine(media: "film.webm"), "film.webm": "no film"])
      #expect(result.record.message?.hasSuffix("(VAST error 405)") == true)
    }

    @Test("whose document is broken says on which line")
    @EngineActor func broken() async throws {
      let result = try await render(["ad.xml": "<VAST version=\"3.0\">\n<Ad></VAST>"])
      #expect(result.record.code == "vast-invalid")
      #expect(
        result.record.message?.hasSuffix("line 2: the end tag doesn't match <Ad> of line 2 (VAST error 100)")
          == true)
      #expect(result.record.screenshots.count == 1)
      #expect(result.events("vast/error").map { $0.detail["code"] } == [100])
    }

    @Test("behind wrappers that lead nowhere tells those who wrapped it")
    @EngineActor func lostWrapper() async throws {
      let result = try await render(["ad.xml": VideoAd.wrapper("missing.xml")])
      #expect(result.record.code == "vast-failed")
      #expect(result.events("vast/error")[0].detail["code"] == 301)
      #expect(result.events("vast/error")[0].detail["beacons"] == ["https://seller.example/error?code=301"])
    }

    @Test(
      "shows an end card of markup, of a page, or of a picture",
      arguments: [
        "<HTMLResource><![CDATA[<p style='margin:0;height:100vh;background:#06c'>]]></HTMLResource>",
        "<IFrameResource>card.html</IFrameResource>",
        "<StaticResource creativeType=\"image/svg+xml\">card.svg</StaticResource>",
      ])
    @EngineActor func endCards(resource: String) async throws {
      let companion = """
        <Creatives><Creative><CompanionAds><Companion width="300" height="250">\(resource)
        <TrackingEvents><Tracking event="creativeView">https://count.example/card</Tracking></TrackingEvents>
        </Companion></CompanionAds></Creative></Creatives>
        """
      let square =
        "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='250'><rect width='300' height='250' fill='#06c'/></svg>"
      let result = try await render([
        "ad.xml": VideoAd.inLine(more: companion), "card.html": "<body style='background:#06c'>", "card.svg": square,
      ])
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("vast/companionView")[0].detail["beacons"] == ["https://count.example/card"])
      let last = try result.picture(result.record.screenshots.count, ad: true)
      #expect(last[last.width / 2, last.height / 2] == Color(rgb: 0x0066CC))
    }

    @Test("with an end card that can't be shown is played all the same, and says so where one is required")
    @EngineActor func unusableCompanion() async throws {
      let companion = """
        <Creatives><Creative><CompanionAds required="any"><Companion width="300" height="250">
        <StaticResource creativeType="application/x-shockwave-flash">card.swf</StaticResource>
        </Companion></CompanionAds></Creative></Creatives>
        """
      let result = try await render(["ad.xml": VideoAd.inLine(more: companion)])
      #expect(result.record.outcome == .completed)
      #expect(result.events("vast/error")[0].detail["code"] == 602)
      #expect(vast(result).last == "complete")
    }

    @Test(
      "whose end card's picture or page is missing leaves none, and tells of an error instead of a view",
      arguments: [
        #"<StaticResource creativeType="image/png">gone.png</StaticResource>"#,
        #"<StaticResource creativeType="image/png">text.png</StaticResource>"#,
        "<IFrameResource>gone.html</IFrameResource>",
      ])
    @EngineActor func missingCard(resource: String) async throws {
      let companion = """
        <Creatives><Creative><CompanionAds><Companion width="300" height="250">\(resource)
        <TrackingEvents><Tracking event="creativeView">https://count.example/card</Tracking></TrackingEvents>
        </Companion></CompanionAds></Creative></Creatives>
        """
      let result = try await render(["ad.xml": VideoAd.inLine(more: companion), "text.png": "no picture"])
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("vast/companionView").isEmpty)
      #expect(result.events("vast/error").map { $0.detail["code"] } == [603])
      #expect(result.events("vast/error")[0].detail["beacons"] == ["https://error.example/?code=603"])
      #expect(vast(result).last == "complete")
    }

    @Test("whose companions are of types that nobody shows says so by their own code")
    @EngineActor func unsupportedCard() async throws {
      let companion = """
        <Creatives><Creative><CompanionAds><Companion width="300" height="250">
        <StaticResource creativeType="application/x-shockwave-flash">card.swf</StaticResource>
        </Companion></CompanionAds></Creative></Creatives>
        """
      let result = try await render(["ad.xml": VideoAd.inLine(more: companion)])
      #expect(result.record.outcome == .completed)
      #expect(result.events("vast/error").map { $0.detail["code"] } == [604])
    }

    @Test("tells of a view of the icons that came, and of none of the others")
    @EngineActor func missingIcons() async throws {
      func icon(_ program: String, _ resource: String) -> String {
        """
        <Icon program="\(program)" width="20" height="20" xPosition="left" yPosition="top">\(resource)
        <IconViewTracking>https://count.example/\(program)</IconViewTracking></Icon>
        """
      }
      let icons = [
        icon("here", #"<StaticResource creativeType="image/svg+xml">icon.svg</StaticResource>"#),
        icon("gone", #"<StaticResource creativeType="image/png">gone.png</StaticResource>"#),
        icon("text", #"<StaticResource creativeType="image/png">text.png</StaticResource>"#),
        icon("page", "<IFrameResource>icon.html</IFrameResource>"),
        icon("nopage", "<IFrameResource>gone.html</IFrameResource>"),
      ]
      let result = try await render([
        "ad.xml": VideoAd.inLine(linear: "<Icons>\(icons.joined())</Icons>"), "text.png": "no picture",
        "icon.svg":
          "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect width='20' height='20'/></svg>",
        "icon.html": "<p>i",
      ])
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      func programs(_ name: String) -> Set<String> {
        Set(result.events(name).compactMap { $0.detail["program"]?.string })
      }
      #expect(programs("vast/iconView") == ["here", "page"])
      #expect(programs("vast/iconFailed") == ["gone", "text", "nopage"])
    }

    @Test("counts down in minutes and seconds")
    @EngineActor func countdown() async throws {
      func left(_ seconds: Double) -> String {
        """
        (() => { Object.defineProperty(document.getElementById("film"), "duration", { value: \(seconds), configurable: true });
        Object.defineProperty(document.getElementById("film"), "currentTime", { value: 0, configurable: true });
        dispatchEvent(new Event("resize")); return document.getElementById("left").textContent; })()
        """
      }
      let steps = [(75.0, "Ad 1:15"), (60, "Ad 1:00"), (59, "Ad 0:59"), (600, "Ad 10:00"), (0.5, "Ad 0:01")].map {
        let expression = JSONValue.string(left($0.0)).text
        return "- expect: {evaluate: {\(expression): \(JSONValue.string($0.1).text)}}"
      }
      let options = TestRender.Options(
        placement: Placement(kind: .interstitial), scenario: steps.joined(separator: "\n"))
      let result = try await TestRender.shared.render(files: ["ad.xml": VideoAd.inLine()], options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
    }

    @Test("of a response with flaws is played, and each flaw is told")
    @EngineActor func flaws() async throws {
      let companion =
        "<Creatives><Creative><CompanionAds><Companion width=\"0\" height=\"0\"/></CompanionAds></Creative></Creatives>"
      let text = VideoAd.inLine(more: companion).replacing("00:00:02", with: "2").replacing("4.2", with: "4.9")
        .replacing("type=\"video/webm\"", with: "type=\"video/webm\" apiFramework=\"VAST\"")
      let result = try await render(["ad.xml": text])
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(vast(result).filter { $0 != "flaw" } == Self.whole)
      #expect(
        result.events("vast/flaw").map { $0.detail["message"]?.string } == [
          "VAST 4.9 is unknown; it is read as 4.3", "<Duration> is \"2\", not HH:MM:SS; read as 2 s",
          "apiFramework=\"VAST\" isn't a known framework; the file is played as a video",
          "<Companion> has no width and height; it is ignored",
        ])
    }

    @Test("of a response whose numbers are none is played or refused, and never the render's end")
    @EngineActor func hostileNumbers() async throws {
      let number = "1e19"
      let more = """
        <Creatives><Creative sequence="\(number)"><CompanionAds>
        <Companion width="300" height="250" assetWidth="\(number)" assetHeight="\(number)">
        <StaticResource creativeType="image/svg+xml">card.svg</StaticResource></Companion></CompanionAds></Creative></Creatives>
        """
      let linear = """
        <Icons><Icon width="nan" height="inf" xPosition="nan" yPosition="\(number)" offset="99:99:99" duration="\(number)">
        <StaticResource creativeType="image/svg+xml">card.svg</StaticResource></Icon></Icons>
        <MediaFiles><MediaFile type="video/webm" width="99999999999" height="99999999999">a.webm</MediaFile>
        <MediaFile type="video/webm" width="9999999" height="9999999" bitrate="9223372036854775807">\(VideoAd.video)</MediaFile>
        </MediaFiles>
        """
      let text = VideoAd.inLine(media: VideoAd.video, linear: linear, more: more)
      let result = try await render([
        "ad.xml": text,
        "card.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='3'><rect width='3' height='3'/></svg>",
      ])
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(vast(result).contains("complete"))
    }
  }
}
