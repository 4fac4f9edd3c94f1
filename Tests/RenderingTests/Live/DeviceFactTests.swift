import Core
import Device
import Engine
import MRAID
import Pixels
import RenderModel
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
          turn: window.orientation ?? null, held: [screen.orientation.type, screen.orientation.angle], secure: isSecureContext, visible: document.visibilityState,
          screen: typeof mraid === "object" ? mraid.getScreenSize() : null,
        }));
      }
      facts("first");
      </script>
      """

    @Test(
      "from its first script on",
      arguments: ["iphone-15", "iphone-se-3", "pixel-8", "galaxy-s24-ultra", "ipad-10", "desktop"])
    @EngineActor func facts(name: String) async throws {
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
      #expect(picture.width == Bounded.int(device.screen.width, in: 0...10_000) * device.renderScale)
      #expect(picture.height == Bounded.int(device.screen.height, in: 0...10_000) * device.renderScale)
      let ad = try result.picture(1, ad: true)
      #expect((ad.width, ad.height) == (320 * device.renderScale, 50 * device.renderScale))
    }

    @Test(
      "turn, and back: an iPhone's screen keeps its sides, others swap them", arguments: ["iphone-15", "pixel-9-pro"])
    @EngineActor func rotation(name: String) async throws {
      let screen = try #require(DeviceCatalogue.standard.device(named: name)).screen
      let seen = name.hasPrefix("iphone") ? screen : screen.turned
      let result = try await TestRender.shared.render(
        html: Self.page
          + "<script>onorientationchange = () => facts('told'); screen.orientation.onchange = () => facts('changed')</script>",
        TestRender.Options(
          device: name,
          scenario: """
            - rotate: landscape
            - evaluate: facts("turned")
            - rotate: portrait
            - evaluate: facts("back")
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.facts("first")?["held"] == ["portrait-primary", 0])
      for label in ["told", "changed", "turned"] {
        let turned = try #require(result.facts(label))
        #expect(turned["held"] == ["landscape-primary", 90])
        #expect(turned["width"]?.number == seen.width)
        #expect(turned["height"]?.number == seen.height)
        #expect(turned["turn"] == 90)
        #expect(turned["ratio"] == 3)
      }
      #expect(result.facts("turned")?["screen"] == screen.turned.json)
      let back = try #require(result.facts("back"))
      #expect(back["width"]?.number == screen.width)
      #expect(back["turn"] == 0)
      #expect(back["held"] == ["portrait-primary", 0])
      #expect(back["screen"] == screen.json)
    }

    @Test("lie when the job says so, an interstitial filling it")
    @EngineActor func landscape() async throws {
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
    @EngineActor func iframe() async throws {
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
    @EngineActor func background() async throws {
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

extension LiveWebKit {
  @Suite("A page with a viewport of its own")
  struct ViewportRenderTests {
    /// Green, with a red end and a button on the blue one, of the page's own pixels.
    private static func page(_ viewport: String, width: Int = 640, height: Int = 100) -> String {
      """
      <!doctype html><html lang="en"><title>Wide</title>\(viewport)
      <style>
      html, body { margin: 0 }
      main { position: relative; width: \(width)px; height: \(height)px; background: #0f0 }
      i, button { position: absolute; top: 0; width: 80px; height: \(height)px; border: 0; padding: 0 }
      i { left: 0; background: #f00 } button { right: 0; background: #00f }
      </style>
      <main><i></i><button id="end" aria-label="End"></button></main>
      <script>
      const facts = { early: innerWidth };
      document.getElementById("end").addEventListener("click", (event) => {
        const box = event.target.getBoundingClientRect();
        console.log("facts " + JSON.stringify({
          ...facts, width: innerWidth, height: innerHeight,
          media: matchMedia("(max-width: 640px) and (min-width: 640px)").matches,
          ratio: devicePixelRatio, screen: screen.width, x: Math.round(event.clientX), box: [box.left, box.width],
        }));
      });
      </script>
      """
    }

    private static let meta = "<meta name=\"viewport\" content=\"width=640\">"
    private static let tap = "- tap: \"#end\"\n- wait: {event: console, timeout: 8}"

    private static func expectWhole(_ result: RenderedCreative) throws {
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let picture = try result.picture(1, ad: true)
      let at = { (share: Double) in
        picture[Bounded.int(Double(picture.width) * share, in: 0...10_000, rounding: .down), picture.height / 2]
      }
      #expect(at(0.05) == Color(rgb: 0xFF_0000))
      #expect(at(0.5) == Color(rgb: 0x00_FF00))
      #expect(at(0.95) == Color(rgb: 0x00_00FF))
    }

    @Test(
      "of 640 is shown whole in a slot of 320, and counts as it is laid out",
      arguments: [RenderOptions.Clock.real, .virtual])
    @EngineActor func wide(clock: RenderOptions.Clock) async throws {
      let options = TestRender.Options(scenario: Self.tap, measures: true, watch: 0.2, clock: clock)
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let result = try await render.render(html: Self.page(Self.meta), options)
      try Self.expectWhole(result)
      let facts = try #require(result.facts())
      #expect(facts["early"] == 640)
      #expect(facts["width"] == 640 && facts["height"] == 100)
      #expect(facts["media"] == true)
      #expect(facts["x"] == 600)
      #expect(facts["box"] == [560, 80])
      let audit = try #require(try result.measurements().pages.first)
      #expect([audit.width, audit.height] == [320, 50])
      let document = try #require(audit.document)
      #expect(document.overflow.x <= 1 && document.overflow.y <= 1)
      #expect(!document.overflow.scrolls)
    }

    @Test("that a script writes or a server sends counts as well", arguments: [true, false])
    @EngineActor func late(isServed: Bool) async throws {
      let written = """
        <script>const late = document.createElement("meta"); late.name = "viewport"; late.content = "width=640";
        document.head.append(late);</script>
        """
      let page = Self.page(isServed ? Self.meta : written)
      let server = try LocalServer { _ in .init(body: page) }
      let options = TestRender.Options(scenario: Self.tap)
      let result =
        isServed
        ? try await TestRender.shared.render(url: server.url("/"), options)
        : try await TestRender.shared.render(html: page, options)
      try Self.expectWhole(result)
      #expect(result.facts()?["width"] == 640)
    }

    @Test("a page at an address that says its size is shown in it, and in the commonest where it says none")
    @EngineActor func sizeOfAddress() async throws {
      let server = try LocalServer { path in
        let meta = path == "/sized" ? "<meta name='AD.SIZE' content='width=300,height=250'>" : ""
        return .init(body: "<!doctype html>\(meta)<body>x<script>console.log(innerWidth, innerHeight)</script>")
      }
      let sized = try await TestRender.shared.render(url: server.url("/sized"))
      #expect(sized.record.outcome == .completed, "\(sized.record.message ?? "")")
      #expect(sized.record.placement?.width == 300 && sized.record.placement?.height == 250)
      #expect(sized.record.placement?.assumed == nil)
      // Of the load into another size nothing is left.
      #expect(sized.console == ["300 250"] && sized.events("host/failure").isEmpty)
      let plain = try await TestRender.shared.render(url: server.url("/plain"))
      #expect(plain.console == ["320 50"] && plain.record.placement?.assumedFrom == .fallback)
      let named = try await TestRender.shared.render(
        url: server.url("/sized"),
        TestRender.Options(placement: Placement(kind: .banner, size: Size(width: 320, height: 100))))
      #expect(named.console == ["320 100"])
      #expect(server.requests.filter { $0.path == "/sized" }.count == 3)
    }

    @Test("keeps its width when it grows to the screen")
    @EngineActor func expanded() async throws {
      let page =
        Self.page("<meta name=viewport content='width=320'><script src=mraid.js></script>", width: 320, height: 40)
          + """
          <script>
          document.querySelector("i").onclick = (event) => {
            if (mraid.getState() !== "expanded") return mraid.expand();
            console.log("facts " + JSON.stringify({ width: innerWidth, x: Math.round(event.clientX) }));
          };
          </script>
          """
      let options = TestRender.Options(
        scenario: """
          - wait: {event: ready}
          - tap: "i"
          - wait: {state: expanded}
          - screenshot: large
          - tap: "i"
          - wait: {event: console, timeout: 8}
          """)
      let result = try await TestRender.shared.render(html: page, options)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.facts()?["width"] == 320)
      #expect((39...41).contains(try #require(result.facts()?["x"]?.number)))
    }

    @Test("means nothing on a desktop, and where a container has one of its own", arguments: [true, false])
    @EngineActor func ignored(byContainer: Bool) async throws {
      var options = TestRender.Options()
      if byContainer {
        let difference = ContainerDifference(
          what: .readsViewport, value: false, note: "n", source: "https://example.com/", date: "2026-01-31")
        options.container = try ContainerProfile(name: "one", title: "One", differences: [difference])
      } else {
        options.device = "desktop"
      }
      options.placement.size = .init(width: 320, height: 50)
      let result = try await TestRender.shared.render(html: Self.page(Self.meta), options)
      let picture = try result.picture(1, ad: true)
      #expect(picture[picture.width * 19 / 20, picture.height / 2] == Color(rgb: 0x00_FF00))
    }
  }
}

extension LiveWebKit {
  @Suite("Text")
  struct FontTests {
    /// Logs how wide each family draws a line, and whether a family of that name is there at all.
    private static let page = """
      <!doctype html><body><script>
      const wide = (family) => {
        const span = document.body.appendChild(document.createElement("span"));
        span.style.cssText = "font: 40px " + family + "; white-space: pre; position: absolute";
        span.textContent = "Wimbledon filling 0123";
        return span.getBoundingClientRect().width;
      };
      const is = (one, other) => wide(one) === wide(other);
      console.log("facts " + JSON.stringify({
        sans: ["Arial", "Helvetica", "'Helvetica Neue'", "-apple-system", "Roboto", "system-ui", "sans-serif"]
          .filter((family) => !is(family + ", monospace", "'Liberation Sans'")),
        serif: ["Times", "'Times New Roman'", "serif"].filter((family) => !is(family, "'Liberation Serif'")),
        mono: ["Courier", "'Courier New'", "monospace"].filter((family) => !is(family, "'Liberation Mono'")),
        // What Debian installs along with image tools and browsers.
        others: ["'Nimbus Sans'", "'Noto Sans Mono'", "Z003", "'Droid Sans Fallback'", "'DejaVu Sans Condensed'", "P052"]
          .filter((family) => !is(family + ", 'DejaVu Sans Mono'", "'DejaVu Sans Mono'")),
      }));
      </script>
      """

    @Test("is drawn with the pinned fonts, whatever else is installed")
    @EngineActor func pinned() async throws {
      let render = try await TestRender.shared.render(html: Self.page)
      #expect(render.facts() == ["sans": [], "serif": [], "mono": [], "others": []])
    }
  }
}
