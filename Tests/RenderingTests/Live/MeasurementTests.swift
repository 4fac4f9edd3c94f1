import Core
import Engine
import Foundation
import MRAID
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("What a render measures")
  struct MeasurementTests {
    private static let measuring = TestRender.Options(measures: true, watch: 0.3)

    @Test("a plain render measures nothing")
    @EngineActor func plain() async throws {
      let result = try await TestRender.shared.render(html: "<!doctype html><p>Hello</p>")
      #expect(!FileManager.default.fileExists(atPath: "\(result.folder)/\(Measurements.fileName)"))
    }

    @Test("requests are divided at each end of the load, with how small they get")
    @EngineActor func load() async throws {
      let script =
        "/* " + String(repeating: "padding ", count: 500)
        + "*/ addEventListener('load', () => setTimeout(() => fetch('later.txt'), 40));"
      let result = try await TestRender.shared.render(
        files: [
          "index.html": "<!doctype html><script src='mraid.js'></script><script src='a.js'></script><p>Hello</p>",
          "a.js": script, "later.txt": "later",
        ], Self.measuring)
      let measured = try result.measurements()
      #expect(
        measured.resources.map(\.url) == ["index.html", "mraid.js", "a.js", "later.txt"].map { "creative://ad/\($0)" })
      #expect(measured.resources.map(\.origin) == [.creative, .container, .creative, .creative])
      let file = measured.resources[2]
      #expect(file.decoded == script.utf8.count)
      #expect(try #require(file.gzipEstimate) < 300)
      let ends = Dictionary(uniqueKeysWithValues: measured.load.map { ($0.kind, $0) })
      let early = try #require(ends[.domContentLoaded])
      #expect(early.initial.requests == 2)
      #expect(early.subload.requests == 1)
      #expect(try #require(early.t) <= #require(ends[.complete]?.t))
      #expect(try #require(ends[.complete]?.t) <= #require(ends[.windowLoad]?.t))
      #expect(ends[.domContentLoadedAndOneSecond]?.subload.requests == 0)
      #expect(measured.heavyAd.network.used == Double(LoadWeight(measured.resources).compressed))
    }

    @Test("a web server's heads are kept")
    @EngineActor func heads() async throws {
      let server = try LocalServer { path in
        path == "/"
          ? .init(
            headers: ["X-Served-By": "galley"],
            body: "<!doctype html><script>fetch('/data', { method: 'POST' })</script>")
          : .init(status: 404, type: "text/plain", body: "no")
      }
      let measured = try await TestRender.shared.render(url: server.url("/"), Self.measuring).measurements()
      let page = try #require(measured.resources.first)
      #expect(page.origin == .network && page.method == "GET")
      #expect(page.responseHeaders.contains { $0.name.lowercased() == "x-served-by" && $0.value == "galley" })
      #expect(page.requestHeaders.contains { $0.name.lowercased() == "user-agent" })
      #expect(page.gzipEstimate == nil)
      let data = try #require(measured.resources.first { $0.url.hasSuffix("/data") })
      #expect(data.method == "POST" && data.status == 404 && data.encoded == 2)
      #expect(data.initiator == "fetch")
    }

    @Test("a navigation that was stopped isn't the ad's request, however far it came")
    @EngineActor func stoppedNavigation() async throws {
      let server = try LocalServer { _ in .init(status: 404, body: "no") }
      let away = server.url("/away")
      let html = "<!doctype html><p>Hello</p><script>setTimeout(() => { location.href = '\(away)' }, 50)</script>"
      let result = try await TestRender.shared.render(html: html, Self.measuring)
      #expect(result.events.contains { $0.name == "navigation" && $0.detail["allowed"] == false })
      #expect(try result.measurements().resources.map(\.url) == ["creative://ad/index.html"])
    }

    @Test("what the ad's process uses is followed, and a touch ends what counts")
    @EngineActor func processor() async throws {
      let html = """
        <!doctype html><body><p id="go" style="height: 40px">Go</p><script>
        let sum = 0;
        for (let i = 0; i < 4e8; i += 1) sum += i % 7;
        document.title = sum;
        </script>
        """
      var options = Self.measuring
      options.scenario = "- tap: \"#go\""
      let budget = try await TestRender.shared.render(html: html, options).measurements().heavyAd
      #expect(budget.processor.used > 0.1, "of what takes about half a second")
      #expect(budget.processor.remaining > 90)
      #expect(budget.samples.map(\.seconds) == budget.samples.map(\.seconds).sorted())
      #expect(try #require(budget.activation) == budget.measured)
    }

    @Test("a page that overwrites what an audit needs is looked over all the same")
    @EngineActor func hostile() async throws {
      let html = """
        <!doctype html><html lang="en"><title>Trap</title><body>
        <p style="font-size: 5px; margin: 0">Tiny as can be</p>
        <img name="querySelectorAll" src="data:," alt="">
        <form><input name="nodeType" size="4"><input name="getAttribute" size="4"></form>
        <script>
        Document.prototype.querySelectorAll = () => { throw new Error("trap"); };
        window.getComputedStyle = () => { throw new Error("trap"); };
        Array.prototype.map = Array.prototype.push = () => { throw new Error("trap"); };
        Object.defineProperty(window, "performance", { get() { throw new Error("trap"); } });
        </script>
        """
      let measured = try await TestRender.shared.render(html: html, Self.measuring).measurements()
      let document = try #require(measured.pages.first?.document)
      #expect(document.language == "en" && document.title == "Trap")
      #expect(document.textSizes.first?.size == 5)
      #expect(document.unnamed.map(\.selector) == ["input", "input"], "\(document.unnamed)")
      #expect(measured.load.allSatisfy { $0.t != nil })
    }

    @Test("a page of a second part and an expanded ad are looked over in their own size")
    @EngineActor func states() async throws {
      let html = """
        <!doctype html><script src="mraid.js"></script><body><p id="go">Go</p>
        <script>document.body.onclick = () => mraid.expand();</script>
        """
      var options = Self.measuring
      options.scenario = """
        - wait: {event: ready}
        - tap: "#go"
        - wait: {state: expanded}
        """
      let pages = try await TestRender.shared.render(html: html, options).measurements().pages
      #expect(pages.map(\.state) == [.default, .expanded])
      #expect(pages.first.map { [$0.width, $0.height] } == [320, 50])
      #expect(try #require(pages.last).width > 320)
      #expect(pages.allSatisfy { $0.screenshot != nil && $0.surface?.isBlank == false })
    }

    @Test("films and sounds are told as they play", arguments: [true, false])
    @EngineActor func media(muted: Bool) async throws {
      let html = "<!doctype html><body><audio id=\"jingle\" loop \(muted ? "muted" : "")></audio>"
      let measured = try await TestRender.shared.render(html: html, Self.measuring).measurements()
      let element = try #require(measured.pages.first?.document?.media.first)
      #expect(element.selector == "audio#jingle")
      #expect(element.isAudible == !muted && element.loops && !element.isPlaying)
    }

    @Test("in a time of its own 31 seconds are watched without waiting")
    @EngineActor func virtualClock() async throws {
      let html = """
        <!doctype html><style>
        p { width: 60px; background: #246; animation: slide 12s linear; } @keyframes slide { to { margin-left: 200px; } }
        </style><p>Hello
        """
      let began = ContinuousClock.now
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let measured = try await render.render(
        html: html,
        TestRender.Options(isolation: .process, limits: Limits(timeout: 90), measures: true, watch: 31, clock: .virtual)
      ).measurements()
      #expect(ContinuousClock.now - began < .seconds(60))
      let motion = try #require(measured.motion)
      #expect(motion.until >= 31_000)
      let last = try #require(motion.lastChange)
      #expect((11_900...12_500).contains(last), "\(last)")
      #expect(measured.load.allSatisfy { $0.t != nil })
    }
  }
}
