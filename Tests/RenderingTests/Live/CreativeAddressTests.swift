import Jobs
import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("What the host loads for a creative")
  struct CreativeAddressTests {
    /// Addresses that the engine answers when its host asks, and why a creative doesn't get them.
    private static let machines = [
      ("file:///etc/hostname", "scheme"), ("FILE:/etc/hostname", "scheme"), ("webkit://gpu", "scheme"),
      ("resource:///org/gtk/libgtk/theme/Adwaita/gtk.css", "scheme"),
      ("view-source:file:///etc/hostname", "scheme"), ("ftp://127.0.0.1/x", "scheme"),
      ("creative://galley/browser.html", "host"),
    ]

    private func refusals(_ result: RenderedCreative) -> [String] {
      result.events("host/addressRefused").map {
        ($0.detail["use"]?.string ?? "") + " " + ($0.detail["reason"]?.string ?? "")
      }
    }

    @Test("is no second part and no film of the host's player from the machine", arguments: machines)
    @WebKitActor func pages(address: String, reason: String) async throws {
      let result = try await TestRender.shared.render(
        html: """
          <!doctype html><script src="mraid.js"></script><script>
          mraid.addEventListener("error", (message, action) => {
            console.log(action);
            if (action === "expand") mraid.playVideo("\(address)");
          });
          mraid.addEventListener("ready", () => mraid.expand("\(address)"));
          </script>
          """,
        TestRender.Options(
          followsClickthroughs: true, scenario: "- wait: {event: host/addressRefused, count: 2}\n- screenshot: now"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(refusals(result) == ["secondPart \(reason)", "video \(reason)"])
      #expect(!result.names.contains("host/loadSecondPart"))
      #expect(result.console == ["expand"])
      #expect(result.record.states == [.default])
    }

    @Test("is no second part and no film of what has no place at all", arguments: ["about:memory", "javascript:document.URL"])
    @WebKitActor func placeless(address: String) async throws {
      let result = try await TestRender.shared.render(
        html: """
          <!doctype html><script src="mraid.js"></script><script>
          mraid.addEventListener("error", (message, action) => {
            console.log(action);
            if (action === "expand") mraid.playVideo("\(address)");
          });
          mraid.addEventListener("ready", () => mraid.expand("\(address)"));
          </script>
          """,
        TestRender.Options(followsClickthroughs: true, scenario: "- wait: {event: console, count: 2}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console == ["expand", "playVideo"])
      #expect(!result.names.contains("host/loadSecondPart"))
      #expect(result.record.states == [.default])
    }

    @Test("is no page behind a click from Galley's own hosts, and none at all where another app would open")
    @WebKitActor func clicks() async throws {
      for (address, expected) in [
        ("creative://galley/failure.html", ["clickthrough host"]), ("file:///etc/hostname", []),
      ] {
        let result = try await TestRender.shared.render(
          html: """
            <!doctype html><script src="mraid.js"></script><body id="go" style="margin:0;height:50px" onclick="mraid.open('\(address)')">
            """,
          TestRender.Options(followsClickthroughs: true, scenario: "- tap: \"#go\""))
        #expect(result.events("host/open").count == 1)
        #expect(refusals(result) == expected)
        #expect(result.events("network/resource").allSatisfy { $0.detail["url"]?.string?.contains("hostname") != true })
      }
    }

    /// A response whose every address is this one: a wrapper, a film, and beside a film that can be played icons, an end
    /// card and what counts.
    private static func response(_ address: String) -> String {
      let icons = [
        "<StaticResource creativeType=\"image/png\">\(address)</StaticResource>",
        "<IFrameResource>\(address)</IFrameResource>",
      ]
      .map { "<Icon program=\"x\" width=\"20\" height=\"20\" xPosition=\"left\" yPosition=\"top\">\($0)</Icon>" }
      .joined()
      let card = """
        <Companion width="320" height="480"><IFrameResource>\(address)</IFrameResource></Companion>
        """
      func body(_ text: String) -> String {
        text.replacing("</VAST>", with: "").replacing(#/<VAST version[^>]*>/#, with: "")
      }
      let playable = VideoAd.inLine(beacon: address + "#", linear: "<Icons>\(icons)</Icons>")
        .replacing("</Creatives>", with: "<Creative><CompanionAds>\(card)</CompanionAds></Creative></Creatives>")
      return "<VAST version=\"4.2\">" + body(VideoAd.wrapper(address)) + body(VideoAd.inLine(media: address))
        + body(playable) + "</VAST>"
    }

    @Test(
      "is no wrapper, film, icon, end card or counting address from the machine",
      arguments: [machines[0], machines[2], machines[6]])
    @WebKitActor func responses(address: String, reason: String) async throws {
      let result = try await TestRender.shared.render(
        files: ["ad.xml": Self.response(address)],
        TestRender.Options(
          placement: Placement(kind: .interstitial), network: .none, scenario: "- wait: {event: vast/start}",
          sendsBeacons: true))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let uses = Set(refusals(result))
      let all = ["wrapper", "media", "icon", "companion", "beacon"].map { "\($0) \(reason)" }
      // Those who count errors are of the web, which isn't there.
      #expect(uses == Set(all + ["beacon offline"]))
      #expect(refusals(result).filter { $0.hasPrefix("icon") }.count == 2)
      let errors = Set(result.events("vast/error").compactMap { $0.detail["code"]?.number })
      #expect(errors == [300, 401, 603], "\(result.names)")
      let asked = result.events("network/resource").compactMap { $0.detail["url"]?.string }
      #expect(!asked.contains { $0.hasPrefix(address) })
    }
  }
}
