import Jobs
import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A resized ad, when the device turns")
  struct ResizedTurnTests {
    private static let page = """
      <!doctype html><meta name="ad.size" content="width=320,height=50">
      <meta name="viewport" content="width=device-width">
      <style>body { margin: 0; background: #264 }</style><script src="mraid.js"></script><script>
      const sizes = [];
      mraid.addEventListener("sizeChange", (width, height) => {
        sizes.push(`${width}x${height} ${innerWidth}x${innerHeight}`);
      });
      mraid.addEventListener("ready", () => {
        mraid.setResizeProperties({ width: 320, height: 500, offsetX: 0, offsetY: -200, allowOffscreen: false });
        mraid.resize();
      });
      </script>
      """

    @Test("is fitted to the screen and can be closed, and its page is told of the size alone")
    @WebKitActor func refit() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - wait: {state: resized}
            - rotate: landscape
            - expect: {state: resized, property: {maxSize.height: 372, currentPosition.height: 372}}
            - expect: {property: {currentPosition.y: 0}}
            - expect: {evaluate: {'sizes.join()': '320x500 320x500,320x372 320x372'}}
            - screenshot: lying
            - rotate: portrait
            - expect: {state: resized, property: {currentPosition.height: 500}}
            - close
            - expect: {state: default, property: {currentPosition.height: 50}}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.transitions.map(\.to) == [.default, .resized, .default])
      #expect(result.events.filter { $0.source == .mraid && $0.name == "stateChange" }.count == 3)
    }
  }
}
