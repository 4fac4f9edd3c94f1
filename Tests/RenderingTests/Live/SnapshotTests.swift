import Engine
import Pixels
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A snapshot")
  struct SnapshotTests {
    /// Four quarters of known colours on 100x80 dip.
    private static let quarters = """
      <!doctype html><style>
      html, body { margin: 0; background: #0040ff }
      div { position: absolute; width: 50px; height: 40px }
      </style>
      <div style="left:0;top:0;background:#ff0000"></div>
      <div style="left:50px;top:0;background:#00ff00"></div>
      <div style="left:0;top:40px;background:#123456"></div>
      """

    @Test("has the view's size in physical pixels and exact colours", arguments: [1, 2, 3])
    @EngineActor func colours(scale: Int) async throws {
      let page = LivePage(html: Self.quarters, scale: scale)
      #expect(await page.open())
      let screenshot = try await page.view.snapshot()
      #expect((screenshot.width, screenshot.height) == (100 * scale, 80 * scale))
      let (right, bottom) = (screenshot.width - 1, screenshot.height - 1)
      #expect(screenshot[0, 0] == Color(rgb: 0xFF_0000))
      #expect(screenshot[50 * scale - 1, 40 * scale - 1] == Color(rgb: 0xFF_0000))
      #expect(screenshot[50 * scale, 0] == Color(rgb: 0x00_FF00))
      #expect(screenshot[right, 40 * scale - 1] == Color(rgb: 0x00_FF00))
      #expect(screenshot[0, bottom] == Color(rgb: 0x12_3456))
      #expect(screenshot[right, bottom] == Color(rgb: 0x00_40FF))
      #expect(try await page.view.call("return devicePixelRatio") == "\(scale)")
    }

    @Test("follows the scale from one view to the next")
    @EngineActor func scaleChanges() async throws {
      for scale in [3, 1, 2, 1] {
        let page = LivePage(html: Self.quarters, scale: scale)
        #expect(await page.open())
        #expect(try await page.view.snapshot().width == 100 * scale)
      }
    }

    @Test("is white where a page has no background")
    @EngineActor func white() async throws {
      let page = LivePage(html: "<!doctype html>")
      #expect(await page.open())
      let screenshot = try await page.view.snapshot()
      #expect(screenshot.isUniform)
      #expect(screenshot[0, 0] == .white)
    }

    @Test("has the new size after a resize, and the page is laid out anew")
    @EngineActor func resize() async throws {
      let page = LivePage(html: "<!doctype html><body style='margin:0;background:#0a0b0c'>", scale: 2)
      #expect(await page.open())
      page.view.resize(width: 240, height: 130)
      #expect((page.view.width, page.view.height) == (240, 130))
      let size = try await page.view.call(
        """
        if (innerWidth !== 240) await new Promise((done) => addEventListener("resize", done));
        return innerWidth + "x" + innerHeight;
        """)
      #expect(size == "\"240x130\"")
      let screenshot = try await page.view.snapshot()
      #expect((screenshot.width, screenshot.height) == (480, 260))
      #expect(screenshot[479, 259] == Color(rgb: 0x0A_0B0C))
    }

    @Test("can be smaller than any window, and larger than the screen", arguments: [(1, 1), (7, 3), (1_500, 900)])
    @EngineActor func extremes(width: Int, height: Int) async throws {
      let page = LivePage(html: "<body style='margin:0;background:#ff00ff'>", width: width, height: height)
      #expect(await page.open())
      let screenshot = try await page.view.snapshot()
      #expect((screenshot.width, screenshot.height) == (width, height))
      #expect(screenshot[width - 1, height - 1] == Color(rgb: 0xFF_00FF))
    }

    @Test("shows what script has just drawn")
    @EngineActor func afterScript() async throws {
      let page = LivePage(html: "<body style='background:#ff0000'>")
      #expect(await page.open())
      _ = try await page.view.call(
        """
        document.body.style.background = "#00ff00";
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        """)
      #expect(try await page.view.snapshot()[5, 5] == Color(rgb: 0x00_FF00))
    }

    @Test("of a page that was never loaded or whose process is gone ends, in a picture or an error")
    @EngineActor func withoutPage() async throws {
      let page = LivePage(html: "")
      _ = try? await page.view.snapshot()
      #expect(await page.open())
      page.view.terminate()
      _ = try? await page.view.snapshot()
    }
  }
}
