import Core
import Engine
import MRAID
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A container that isn't as the standard has it")
  struct ContainerRenderTests {
    private static func container(_ what: ContainerDifference.What, _ value: JSONValue) throws -> ContainerProfile {
      let difference = ContainerDifference(
        what: what, value: value, note: "n", source: "https://example.com/", date: "2026-01-31")
      return try ContainerProfile(name: "one", title: "One", differences: [difference])
    }

    @EngineActor private func render(
      _ what: ContainerDifference.What, _ value: JSONValue, placement: Placement.Kind = .interstitial, html: String,
      steps: String
    ) async throws -> RenderedCreative {
      var options = TestRender.Options(placement: Placement(kind: placement), scenario: steps)
      options.container = try Self.container(what, value)
      return try await TestRender.shared.render(html: html, options)
    }

    @Test("withholds the close control and says so; who wants to close waits for it")
    @EngineActor func closeDelay() async throws {
      let result = try await render(
        .closeDelay, 0.4, html: "<body style='background:#ccc'>",
        steps: """
          - wait: {event: host/closeDelayed}
          - close
          - expect: {state: hidden, events: [{name: host/closeDelayed, detail: {seconds: 0.4}}]}
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let names = result.names.filter { $0.hasPrefix("host/close") }
      #expect(names == ["host/closeDelayed", "host/closeShown", "host/close"])
    }

    @Test("a touch where the close control will be is the ad's until it comes")
    @EngineActor func early() async throws {
      for (seconds, layer, state) in [(30.0, "ad", "default"), (0, "closeControl", "hidden")] {
        let result = try await render(
          .closeDelay, .number(seconds), html: "<body style='background:#ccc'>",
          steps: """
            - tap: {x: 368, y: 84}
            - expect: {state: \(state), events: [{name: input/tap, detail: {layer: \(layer)}}]}
            """)
        #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
        #expect(result.names.contains("host/closeDelayed") == (seconds > 0))
        #expect(!result.names.contains("host/closeShown"))
      }
    }

    @Test("opens nothing that nobody touched, and says why")
    @EngineActor func open() async throws {
      let html = """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><div id="box" style="height:250px"></div>
        <script>
        mraid.addEventListener("ready", () => mraid.open("https://a.example/alone"));
        box.onclick = () => mraid.open("https://a.example/touched");
        </script>
        """
      let steps = """
        - wait: {event: mraid/ignored}
        - expect: {events: [{name: host/open, count: 0}, {name: mraid/ignored, detail: {command: open}}]}
        - tap: "#box"
        - wait: {event: modal/push}
        - expect: {events: [{name: host/open, detail: {url: "https://a.example/touched", gesture: true}}]}
        """
      let result = try await render(.openNeedsGesture, true, placement: .banner, html: html, steps: steps)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let ignored = result.events.first { $0.name == "ignored" }
      #expect(ignored?.detail["reason"]?.string?.contains("touch") == true)
    }

    @Test("raises an error before the call returns, once, and logs it as such")
    @EngineActor func errorsInCall() async throws {
      let html = """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><body>x
        <script>
        var log = [];
        mraid.addEventListener("error", (message, action) => log.push(action));
        mraid.addEventListener("ready", () => {
          mraid.setResizeProperties({ width: 20, height: 20, offsetX: 0, offsetY: 0 });
          log.push("returned");
          mraid.resize();
          log.push("returned");
        });
        </script>
        """
      let late = "returned,returned,setResizeProperties,resize"
      for (isInCall, order) in [(true, "setResizeProperties,returned,resize,returned"), (false, late)] {
        let result = try await render(
          .errorsInCall, .bool(isInCall), placement: .banner, html: html,
          steps: """
            - wait: {event: mraid/error, count: 2}
            - wait: 0.2
            - expect: {evaluate: {"log.join()": "\(order)"}, events: [{name: mraid/error, count: 2}]}
            """)
        #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
        let errors = result.events.filter { $0.source == .mraid && $0.name == "error" }
        #expect(errors.allSatisfy { ($0.detail["inCall"] == true) == isInCall })
      }
    }
  }
}
