import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("The first frame in stepped time")
  struct FirstFrameTests {
    private static let html = """
      <!doctype html><script>
      requestAnimationFrame((stamp) => say(`frame ${stamp}`));
      say("begun");
      </script>
      """

    /// What it tells has the engine draw at once, which once a document has begun would be between two frames.
    @Test("belongs to a document that begins once the window system has told of the view")
    @WebKitActor func belongsToALateDocument() async throws {
      let clock = try VirtualClock()
      let page = LivePage(html: Self.html, clock: clock)
      let time = clock.begin(date: 0)
      FrameGate.isShut = true
      defer {
        time.end()
        FrameGate.isShut = false
      }
      page.view.load(LoadableAddress(trusted: "creative://test/index.html"))
      // The engine hasn't been asked yet.
      #expect(page.view.url == "")
      #expect(await page.hears { if case .loadFinished = $0 { true } else { false } })
      #expect(await time.settle())
      #expect(page.messages == ["begun"])
      let first = try #require(time.firstFrame)
      #expect(await WebKitActor.wait { wakeup in time.advance(to: first) { wakeup.resume(returning: $0) } })
      #expect(page.messages == ["begun", "frame 2"])
    }
  }
}
