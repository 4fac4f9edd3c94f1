import Jobs
import MRAID
import Pixels
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A tap hits what is topmost")
  struct LayerTests {
    /// Red, and green where it was clicked; expands at the first click.
    private static let page = """
      <!doctype html><meta name="ad.size" content="width=320,height=50">
      <body style="margin:0;height:100vh;background:#ff0000"><script>
      document.body.onclick = (event) => {
        console.log("click " + event.clientX + "," + event.clientY);
        document.body.style.background = "#00ff00";
        if (mraid.getState() === "default") mraid.expand();
      };
      </script>
      """

    @Test("the close control above an expanded ad, which gets nothing")
    @WebKitActor func closeControl() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - tap: {x: 368, y: 84}
            - expect: {state: default}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("input/tap").map { $0.detail["layer"] } == ["ad", "closeControl"])
      #expect(result.console.count == 1)
      #expect(result.record.transitions.last?.cause == "hostClose")
    }

    @Test("the expanded ad beside its close control")
    @WebKitActor func besideControl() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - tap: {x: 340, y: 112}
            - expect: {state: expanded}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console == ["click 160,25", "click 340,53"])
    }

    @Test("the scrim, which swallows it, and the status bar")
    @WebKitActor func scrim() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - tap: {x: 200, y: 840}
            - tap: {x: 200, y: 20}
            - expect: {state: expanded}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("input/tap").map { $0.detail["layer"] } == ["ad", "scrim", "statusBar"])
      #expect(result.console.count == 1)
    }

    @Test("the browser above the ad, whose control closes only the browser")
    @WebKitActor func browser() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - evaluate: mraid.open("https://x.example/")
            - wait: {event: modal/push, count: 2}
            - tap: {x: 200, y: 400}
            - tap: {x: 368, y: 84}
            - expect: {state: expanded, event: adClickthroughDidClose}
            - tap: {x: 200, y: 400}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("input/tap").map { $0.detail["layer"] } == ["ad", "browser", "closeControl", "ad"])
      #expect(result.console.count == 2)
    }

    @Test("the page beside a resized ad, which stays")
    @WebKitActor func resized() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - evaluate: |
                mraid.setResizeProperties({width: 300, height: 200, offsetX: 10, offsetY: 0});
                mraid.resize();
            - wait: {state: resized}
            - tap: {x: 200, y: 200}
            - tap: {x: 200, y: 450}
            - expect: {events: [{name: input/tap, detail: {layer: hostPage}}, {name: input/tap, detail: {layer: ad}}]}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console.count == 1)
      let picture = try result.picture(2)
      let ad = try result.picture(2, ad: true)
      #expect((ad.width, ad.height) == (900, 600))
      // Content area 59 to 818, slot in its middle: resized at x 36+10, y 413.
      #expect(picture[46 * 3, 413 * 3 + 300] == Color(rgb: 0xFF_0000))
      #expect(picture[46 * 3 - 1, 413 * 3 + 300] != Color(rgb: 0xFF_0000))
      #expect(picture[46 * 3 + 899, 413 * 3 + 599] == Color(rgb: 0xFF_0000))
      #expect(picture[46 * 3 + 899, 413 * 3 + 600] != Color(rgb: 0xFF_0000))
    }

    @Test("and pictures show the same: banner in its slot, expanded ad over all, home again")
    @WebKitActor func pictures() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - tap: body
            - wait: {state: expanded}
            - close
            """))
      let (red, green) = (Color(rgb: 0xFF_0000), Color(rgb: 0x00_FF00))
      let pictures = try (1...3).map { try result.picture($0) }
      // Slot: x 36 to 356, y 413 to 463 dip.
      for (picture, color) in [(pictures[0], red), (pictures[2], green)] {
        #expect(picture[36 * 3, 413 * 3] == color)
        #expect(picture[356 * 3 - 1, 463 * 3 - 1] == color)
        #expect(picture[36 * 3 - 1, 413 * 3] != color)
        #expect(picture[36 * 3, 463 * 3] != color)
      }
      // Content area: y 59 to 818 dip.
      #expect(pictures[1][0, 59 * 3] == green)
      #expect(pictures[1][393 * 3 - 1, 818 * 3 - 1] == green)
      #expect(pictures[1][0, 59 * 3 - 1] != green)
      #expect(pictures[1][200 * 3, 818 * 3] != green)
      // The control's square isn't all the ad's.
      #expect(!pictures[1].crop(PixelRect(x: 343 * 3, y: 59 * 3, width: 150, height: 150)).isUniform)
      #expect(try result.picture(2, ad: true).isUniform)
    }
  }
}
