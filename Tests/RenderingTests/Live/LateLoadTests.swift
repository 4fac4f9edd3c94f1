import Engine
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A load in stepped time")
  struct LateLoadTests {
    /// Waits with the load for the window system's message, which makes the engine draw at once.
    ///
    /// After a document has begun, that would be between two frames.
    @Test("begins once the window system has told of the view")
    @EngineActor func beginsLate() async throws {
      let page = LivePage(html: "<!doctype html>", clock: try VirtualClock())
      page.view.load(LoadableAddress(trusted: "creative://test/index.html"))
      #expect(page.view.url == "")
      #expect(await page.hears { if case .loadFinished = $0 { true } else { false } })
    }

    @Test("begins at once with the machine's time")
    @EngineActor func beginsAtOnce() async {
      let page = LivePage(html: "<!doctype html>")
      page.view.load(LoadableAddress(trusted: "creative://test/index.html"))
      #expect(page.view.url == "creative://test/index.html")
      #expect(await page.hears { if case .loadFinished = $0 { true } else { false } })
    }
  }
}
