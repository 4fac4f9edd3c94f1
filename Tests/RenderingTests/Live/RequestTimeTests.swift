import Core
import Engine
import Foundation
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  /// Effects of requests under way on stepped time.
  @Suite("Requests and stepped time")
  struct RequestTimeTests {
    private static let picture = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#
    private static let anyOrigin = ["Access-Control-Allow-Origin": "*"]

    private static func server(_ manner: LocalServer.Manner) throws -> LocalServer {
      try LocalServer { path in
        let type =
          switch path.prefix(while: { $0 != "?" }) {
          case "/image": "image/svg+xml"
          case "/script": "text/javascript"
          case "/events": "text/event-stream"
          default: "text/plain"
          }
        let body =
          switch path {
          case "/image": picture
          case "/script": "console.log('script ran')"
          case "/events": "data: first\n\n"
          default: "answer"
          }
        return LocalServer.Response(type: type, headers: anyOrigin, body: body, manner: manner)
      }
    }

    /// Returns an ad that sends a request with `ask`, and logs the time of its answer and of a timer by its own clock.
    private static func page(_ server: LocalServer, _ ask: String) -> String {
      """
      <!doctype html><meta name="ad.size" content="width=320,height=50"><p>ad</p><script>
        const server = "\(server.url(""))";
        const wait = (name) => new Promise((done) => setTimeout(done, 500)).then(() => console.log(name));
        addEventListener("load", () => setTimeout(async () => {
          const began = performance.now();
          const late = wait("timer");
          \(ask)
          const took = performance.now() - began;
          await late;
          console.log(`took ${Math.round(took)}`);
        }, 100));
      </script>
      """
    }

    @EngineActor private static func render(
      _ page: String, timeout: Double = 20, _ scenario: String? = nil
    ) async throws -> (RenderedCreative, Duration) {
      let render = TestRender(extensionDirectory: WebExtension.folder)
      var options = TestRender.Options(scenario: scenario, clock: .virtual)
      options.limits.timeout = timeout
      let began = ContinuousClock.now
      let result = try await render.render(html: page, options)
      return (result, ContinuousClock.now - began)
    }

    @Test("where time can't be stepped a render says so, and no test takes it for what it meant")
    @EngineActor func clockMissing() async throws {
      let fault = await #expect(throws: Fault.self) {
        try await TestRender(extensionDirectory: nil).render(html: "x", TestRender.Options(clock: .virtual))
      }
      #expect(fault?.code == "no-clock")
    }

    @Test(
      "time stands still until what a page has asked for is there, however long that takes",
      arguments: [
        "await (await fetch(server + '/text')).text();",
        "await new Promise((done) => Object.assign(new Image(), { onload: done, src: server + '/image' }));",
        """
        await new Promise((done) => {
          const script = Object.assign(document.createElement("script"), { onload: done, src: server + "/script" });
          document.head.append(script);
        });
        """,
      ])
    @EngineActor func late(ask: String) async throws {
      let server = try Self.server(.late(1.6))
      let (result, _) = try await Self.render(Self.page(server, ask), "- wait: {seconds: 2}")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let took = try #require(result.console.last?.split(separator: " ").last.flatMap { Int($0) })
      #expect(took < 100, "\(result.console)")
      #expect(result.record.nondeterminism == nil)
      #expect(result.record.warnings.allSatisfy { !$0.contains("the virtual clock continued") })
    }

    @Test("a film none of whose sources can be played holds time until that is known")
    @EngineActor func unplayable() async throws {
      let page = """
        <!doctype html><meta name="ad.size" content="width=320,height=50"><p>ad</p>
        <video autoplay muted><source src="gone.mp4" type="video/mp4"><source src="gone.webm" type="video/webm"></video>
        <script>
          document.querySelector("video").lastChild.onerror = () => console.log("no source");
          setTimeout(() => console.log("later"), 100);
        </script>
        """
      let (result, _) = try await Self.render(page, "- wait: {seconds: 1}\n- screenshot: then")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      // The engine may go through its sources twice.
      #expect(result.console.contains("no source") && result.console.last == "later", "\(result.console)")
      #expect(result.record.nondeterminism == nil)
    }

    @Test("an event stream that stays open holds no time, and what it says is heard")
    @EngineActor func eventStream() async throws {
      let server = try Self.server(.endless)
      let ask = "new EventSource(server + '/events').onmessage = ({ data }) => console.log(`said ${data}`);"
      let (result, took) = try await Self.render(
        Self.page(server, ask), "- wait: {event: console}\n- wait: {seconds: 60}")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console.contains("said first"))
      #expect(took < .seconds(12), "held as if it ended")
    }

    @Test("an answer that streams on holds time for its head only")
    @EngineActor func streamedAnswer() async throws {
      let server = try Self.server(.endless)
      let ask = "const answer = await fetch(server + '/text'); answer.text();"
      let (result, took) = try await Self.render(Self.page(server, ask), "- wait: {seconds: 60}")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console.last?.hasPrefix("took") == true)
      #expect(took < .seconds(12), "held as if it ended")
    }

    @Test("a long poll is given up, and time goes on without it")
    @EngineActor func longPoll() async throws {
      let server = try Self.server(.never)
      let (result, took) = try await Self.render(
        Self.page(server, "fetch(server + '/poll').catch(() => 0); fetch(server + '/poll').catch(() => 0);"),
        timeout: 40, "- wait: {seconds: 60}")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console.contains("timer"))
      #expect(result.record.nondeterminism == [.network])
      #expect(took < .seconds(25), "held until the deadline")
    }

    @Test("pixels of hosts that never answer cost a render three seconds, however many they are")
    @EngineActor func pixels() async throws {
      let server = try Self.server(.never)
      let ask = """
        for (let i = 0; i < 6; i += 1) {
          new Image().src = `${server}/image?${i}`;
          await new Promise((done) => setTimeout(done, 200));
        }
        """
      let (result, took) = try await Self.render(
        Self.page(server, ask), timeout: 40, "- wait: {seconds: 5}\n- screenshot: then")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.screenshots.map(\.name) == ["001-default", "002-then"])
      #expect(result.record.nondeterminism == [.network])
      #expect(took > .seconds(3) && took < .seconds(7), "\(took)")
    }

    @Test("an image in the markup whose host never answers keeps no ad from being shown")
    @EngineActor func silentImage() async throws {
      let server = try Self.server(.never)
      let page = """
        <!doctype html><meta name="ad.size" content="width=320,height=50"><p>ad</p><script src="mraid.js"></script>
        <script>
          addEventListener("load", () => console.log("load"));
          mraid.addEventListener("ready", () => console.log("ready"));
        </script><img src="\(server.url("/image"))">
        """
      let (result, took) = try await Self.render(page)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console == ["ready"])
      #expect(result.record.screenshots.map(\.name) == ["001-default"])
      #expect(result.record.nondeterminism == [.network])
      #expect(result.record.warnings.contains { $0.contains(server.url("/image")) }, "\(result.record.warnings)")
      #expect(took > .seconds(2) && took < .seconds(10), "\(took)")
    }

    @Test("a script that never comes holds time until a part of the deadline is left, in which pictures are taken")
    @EngineActor func silentHost() async throws {
      let server = try Self.server(.never)
      let ask = """
        document.head.append(Object.assign(document.createElement("script"), { src: server + "/script" }));
        """
      let (result, took) = try await Self.render(
        Self.page(server, ask), timeout: 12, "- wait: {seconds: 1}\n- screenshot: then")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.screenshots.map(\.name) == ["001-default", "002-then"])
      #expect(result.record.nondeterminism == [.network])
      #expect(result.record.warnings.contains { $0.contains(server.url("/script")) }, "\(result.record.warnings)")
      #expect(took > .seconds(8) && took < .seconds(12), "\(took)")
    }
  }
}
