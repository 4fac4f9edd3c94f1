import Jobs
import MRAID
import Pixels
import Testing
import WebKitRuntime

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
      let at = { (share: Double) in picture[Int(Double(picture.width) * share), picture.height / 2] }
      #expect(at(0.05) == Color(rgb: 0xFF_0000))
      #expect(at(0.5) == Color(rgb: 0x00_FF00))
      #expect(at(0.95) == Color(rgb: 0x00_00FF))
    }

    @Test(
      "of 640 is shown whole in a slot of 320, and counts as it is laid out",
      arguments: [RenderOptions.Clock.real, .virtual])
    @WebKitActor func wide(clock: RenderOptions.Clock) async throws {
      guard clock == .real || WebExtension.isBuilt else { return }
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
    @WebKitActor func late(isServed: Bool) async throws {
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

    @Test("keeps its width when it grows to the screen")
    @WebKitActor func expanded() async throws {
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
    @WebKitActor func ignored(byContainer: Bool) async throws {
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
