import Core
import Engine
import MRAID
import Pixels
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("In a transition")
  struct TransitionOrderTests {
    /// Logs each event with what the getters say in its handler.
    private static let page = """
      <!doctype html><meta name="ad.size" content="width=320,height=50">
      <body style="margin:0;height:100vh" onclick="mraid.expand()"><script>
      const log = (line) => console.log(line);
      const sees = () => {
        const now = mraid.getCurrentPosition(), most = mraid.getMaxSize(), home = mraid.getDefaultPosition();
        const same = (a, b) => a.width === b.width && a.height === b.height;
        const isHome = same(now, home) && now.x === home.x && now.y === home.y;
        const place = same(now, most) ? "max" : isHome ? "default" : "else";
        return mraid.getState() + " " + place + " " + (mraid.isViewable() ? "viewable" : "hidden");
      };
      for (const event of ["ready", "sizeChange", "exposureChange", "viewableChange", "stateChange", "error"]) {
        mraid.addEventListener(event, (...values) => {
          const shown = event === "exposureChange" ? [values[0]] : values;
          log([event, ...shown].join(" ") + " | " + sees() + " | " + navigator.userActivation.isActive);
        });
      }
      log("first | " + sees());
      </script>
      """

    @Test("every getter is final before the first event, and the events come in the standard's order")
    @EngineActor func expand() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          device: "iphone-15",
          scenario: """
            - wait: {event: viewableChange}
            - tap: body
            - wait: {state: expanded}
            - close
            - expect: {state: default}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let lines = result.console.map { $0.replacing(" | true", with: "").replacing(" | false", with: "") }
      #expect(
        lines == [
          "first | loading default hidden",
          "stateChange default | default default hidden",
          "ready | default default hidden",
          "exposureChange 0 | default default hidden",
          "exposureChange 100 | default default viewable",
          "viewableChange true | default default viewable",
          "sizeChange 393 759 | expanded max viewable",
          "exposureChange 100 | expanded max viewable",
          "stateChange expanded | expanded max viewable",
          "sizeChange 320 50 | default default viewable",
          "exposureChange 100 | default default viewable",
          "stateChange default | default default viewable",
        ])
    }

    @Test("the log names the same events in the same order")
    @EngineActor func log() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          scenario: """
            - wait: {event: viewableChange}
            - tap: body
            - wait: {state: expanded}
            - close
            """))
      let told = result.names.filter { $0.hasPrefix("mraid/") || $0.hasPrefix("modal/") || $0.hasPrefix("ad/adDid") }
      #expect(
        told == [
          "mraid/stateChange", "mraid/ready", "mraid/exposureChange", "ad/adDidDisplay", "mraid/exposureChange",
          "mraid/viewableChange",
          "modal/push", "ad/adDidExpand", "mraid/sizeChange", "mraid/exposureChange", "mraid/stateChange",
          "modal/popState", "ad/adDidCollapse", "mraid/sizeChange", "mraid/exposureChange", "mraid/stateChange",
        ])
      #expect(result.record.transitions.map(\.cause) == ["ready", "expand", "hostClose"])
      #expect(result.record.screenshots.map(\.name) == ["001-default", "002-expanded", "003-default"])
    }

    @Test("no event the host sends counts as a gesture; a tap's handler does")
    @EngineActor func gestures() async throws {
      let result = try await TestRender.shared.render(
        html: """
          <!doctype html><body style="margin:0;height:100vh"><script>
          const active = () => navigator.userActivation.isActive;
          mraid.addEventListener("ready", () => {
            console.log("ready " + active() + " " + (window.open("https://x.example/") === null));
            mraid.open("https://a.example/");
          });
          mraid.addEventListener("viewableChange", () => console.log("viewable " + active()));
          document.body.addEventListener("click", () => {
            console.log("click " + active());
            mraid.open("https://b.example/");
          });
          </script>
          """,
        TestRender.Options(
          scenario: """
            - wait: {event: modal/push}
            - close
            - evaluate: console.log("evaluated " + navigator.userActivation.isActive)
            - expect: {evaluate: {navigator.userActivation.isActive: false}}
            - tap: body
            - wait: {event: modal/push, count: 2}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let lines = result.console.filter { !$0.hasPrefix("viewable") }
      #expect(lines == ["ready false true", "evaluated false", "click true"])
      #expect(result.console.contains("viewable false") && !result.console.contains("viewable true"))
      #expect(result.events("host/open").map { $0.detail["gesture"] } == [false, true])
      #expect(result.events("page/popup").map { $0.detail["gesture"] } == [false])
      #expect(result.record.screenshots.first?.name == "001-default")
    }

    @Test("an interstitial's close hides it, and nothing comes after")
    @EngineActor func interstitial() async throws {
      let result = try await TestRender.shared.render(
        html: Self.page,
        TestRender.Options(
          placement: Placement(kind: .interstitial),
          scenario: """
            - wait: {event: viewableChange}
            - expect: {property: {placementType: interstitial, currentPosition.width: 393, currentPosition.height: 759}}
            - evaluate: mraid.expand()
            - close
            - expect: {state: hidden}
            - evaluate: mraid.expand(); mraid.close(); mraid.resize()
            - expect: {state: hidden, property: {isViewable: false}}
            """))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.states == [.default, .hidden])
      #expect(result.record.transitions.last?.cause == "hostClose")
      #expect(result.console.contains("stateChange hidden | hidden max hidden | false"))
      #expect(!result.console.contains { $0.hasPrefix("error") })
      let ends = result.names.filter { $0.hasPrefix("ad/adDid") }
      #expect(ends == ["ad/adDidDisplay", "ad/adDidClose", "ad/adDidComplete"])
      #expect(result.events("mraid/ignored").count == 4)
    }

    @Test("a creative that moves from handler to handler is pictured in every state")
    @EngineActor func chain() async throws {
      let result = try await TestRender.shared.render(
        html: """
          <!doctype html><meta name="ad.size" content="width=320,height=50">
          <body style="margin:0;background:#246"><script>
          let step = 0;
          mraid.addEventListener("stateChange", (state) => {
            if (state === "default" && step++ === 0) {
              mraid.setResizeProperties({ width: 320, height: 200, offsetX: 0, offsetY: 0 });
              mraid.resize();
            } else if (state === "resized") mraid.expand();
            else if (state === "expanded") mraid.close();
          });
          </script>
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.states == [.default, .resized, .expanded, .default])
      #expect(result.record.screenshots.map(\.state) == result.record.states)
      #expect(result.names.filter { $0.hasPrefix("modal/") } == ["modal/push", "modal/reset", "modal/popState"])
      let ads = try (1...4).map { try result.picture($0, ad: true).height / 3 }
      #expect(ads == [50, 200, 759, 50])
    }
  }
}

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
    @EngineActor func refit() async throws {
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
