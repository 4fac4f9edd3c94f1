import Jobs
import MRAID
import Pixels
import Stage
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A page sees the device")
  struct DeviceFactTests {
    /// Logs what the page sees, from the first script on and whenever it is asked.
    private static let page = """
      <!doctype html><meta name="viewport" content="width=device-width"><script>
      function facts(label) {
        const n = navigator;
        console.log(label + " " + JSON.stringify({
          ratio: devicePixelRatio, width: screen.width, height: screen.height,
          availWidth: screen.availWidth, availHeight: screen.availHeight,
          inner: [innerWidth, innerHeight],
          touch: "ontouchstart" in window, touchInDocument: "ontouchstart" in document,
          points: n.maxTouchPoints, agent: n.userAgent, platform: n.platform, vendor: n.vendor,
          dpr: matchMedia("(min-resolution: " + Math.floor(devicePixelRatio) + "dppx)").matches,
          orientation: matchMedia("(orientation: landscape)").matches ? "landscape" : "portrait",
          turn: window.orientation ?? null, secure: isSecureContext, visible: document.visibilityState,
          screen: typeof mraid === "object" ? mraid.getScreenSize() : null,
        }));
      }
      facts("first");
      </script>
      """

    @Test(
      "from its first script on",
      arguments: ["iphone-15", "iphone-se-3", "pixel-8", "galaxy-s24-ultra", "ipad-10", "desktop"])
    @WebKitActor func facts(name: String) async throws {
      let device = try #require(DeviceCatalogue.standard.device(named: name))
      let result = try await TestRender.shared.render(html: Self.page, TestRender.Options(device: name))
      let facts = try #require(result.facts("first"))
      #expect(facts["ratio"]?.number == device.scale)
      #expect(facts["width"]?.number == device.screen.width)
      #expect(facts["height"]?.number == device.screen.height)
      #expect(facts["availWidth"]?.number == device.screen.width)
      #expect(facts["availHeight"]?.number == device.screen.height)
      #expect(facts["inner"] == [320, 50])
      #expect(facts["touch"]?.bool == device.touch)
      #expect(facts["touchInDocument"]?.bool == device.touch)
      #expect((facts["points"]?.number ?? 0) == (device.touch ? 5 : 0))
      #expect(facts["agent"]?.string == device.userAgent)
      #expect(facts["platform"]?.string == device.platform)
      #expect(facts["dpr"] == true)
      #expect(facts["secure"] == true)
      #expect(facts["visible"] == "visible")
      #expect(facts["screen"] == device.screen.json)
      let picture = try result.picture(1)
      #expect(picture.width == Int(device.screen.width) * device.renderScale)
      #expect(picture.height == Int(device.screen.height) * device.renderScale)
      let ad = try result.picture(1, ad: true)
      #expect((ad.width, ad.height) == (320 * device.renderScale, 50 * device.renderScale))
    }

    @Test(
      "turn, and back: an iPhone's screen keeps its sides, others swap them", arguments: ["iphone-15", "pixel-9-pro"])
    @WebKitActor func rotation(name: String) async throws {
      let screen = try #require(DeviceCatalogue.standard.device(named: name)).screen
      let seen = name.hasPrefix("iphone") ? screen : screen.turned
      let result = try await TestRender.shared.render(
        html: Self.page + "<script>onorientationchange = () => facts('told')</script>",
        TestRender.Options(
          device: name,
          scenario: """
            - rotate: landscape
            - evaluate: facts("turned")
            - rotate: portrait
            - evaluate: facts("back")
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      for label in ["told", "turned"] {
        let turned = try #require(result.facts(label))
        #expect(turned["width"]?.number == seen.width)
        #expect(turned["height"]?.number == seen.height)
        #expect(turned["turn"] == 90)
        #expect(turned["ratio"] == 3)
      }
      #expect(result.facts("turned")?["screen"] == screen.turned.json)
      let back = try #require(result.facts("back"))
      #expect(back["width"]?.number == screen.width)
      #expect(back["turn"] == 0)
      #expect(back["screen"] == screen.json)
    }

    @Test("lie when the job says so, an interstitial filling it")
    @WebKitActor func landscape() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          placement: Placement(kind: .interstitial), orientation: .landscape, scenario: "- evaluate: facts(\"shown\")"))
      let facts = try #require(result.facts("shown"))
      #expect(facts["screen"] == ["width": 852, "height": 393])
      #expect(facts["turn"] == 90)
      #expect(facts["orientation"] == "landscape")
      #expect(facts["inner"] == [734, 372])
      let picture = try result.picture(1)
      #expect((picture.width, picture.height) == (852 * 3, 393 * 3))
    }

    @Test("in an iframe as well")
    @WebKitActor func iframe() async throws {
      let result = try await TestRender.shared.render(
        files: [
          "index.html": "<!doctype html><iframe src='inner.html'></iframe>", "inner.html": Self.page,
        ], TestRender.Options(device: "pixel-8"))
      let facts = try #require(result.facts("first"))
      #expect(facts["ratio"] == 2.625)
      #expect(facts["touch"] == true)
      #expect(facts["points"] == 5)
      #expect(facts["width"] == 412)
      #expect(facts["screen"] == .null)
    }

    @Test("go to the background and come back")
    @WebKitActor func background() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - background
            - evaluate: facts("away")
            - foreground
            - evaluate: facts("back")
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.facts("away")?["visible"] == "hidden")
      #expect(result.facts("back")?["visible"] == "visible")
    }
  }
}
