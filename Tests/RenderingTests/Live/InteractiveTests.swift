import Core
import Engine
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("An interactive creative, rendered") struct InteractiveTests {
    /// A creative of SIMID's that answers everything, and does this when it has started.
    private static func page(_ onStart: String = "", initially: String = "", answers: Bool = true) -> String {
      """
      <!DOCTYPE html><style>body { margin: 0 } button { position: absolute; top: 80px; left: 40px; font-size: 24px }</style>
      <button id="go">Go</button><script>
      const session = crypto.randomUUID();
      let next = 0;
      const post = (type, args) => {
        parent.postMessage(JSON.stringify({ sessionId: session, messageId: next, timestamp: Date.now(), type, args }), "*");
        next += 1;
      };
      const ask = (name, args) => post("SIMID:Creative:" + name, args);
      addEventListener("message", ({ data }) => {
        const { type, messageId } = JSON.parse(data);
        if (!type.startsWith("SIMID:Player:") || !\(answers)) return;
        if (["init", "startCreative", "adStopped", "adSkipped", "fatalError", "appBackgrounded"].some((name) => type.endsWith(":" + name))) post("resolve", { messageId });
        if (type === "SIMID:Player:startCreative") { \(onStart) }
      });
      \(initially.isEmpty ? "post('createSession');" : initially)
      </script>
      """
    }

    private static func ad(_ file: String = "s.html", skip: String = "") -> String {
      VideoAd.inLine().replacing("<Linear>", with: "<Linear\(skip)>").replacing(
        "</MediaFiles>",
        with:
          "<InteractiveCreativeFile type=\"text/html\" apiFramework=\"SIMID\">\(file)</InteractiveCreativeFile></MediaFiles>"
      )
    }

    private func render(
      _ page: String, kind: Placement.Kind = .interstitial, skip: String = "", scenario: String? = nil,
      clock: RenderOptions.Clock = .virtual
    ) async throws -> RenderedCreative {
      var options = TestRender.Options(placement: Placement(kind: kind), limits: Limits(timeout: 40))
      options.scenario = scenario
      options.clock = clock
      options.seed = 7
      let files = ["ad.xml": Self.ad(skip: skip), "s.html": page]
      return try await TestRender(extensionDirectory: WebExtension.folder).render(files: files, options)
    }

    private func said(_ result: RenderedCreative) -> [String] {
      result.events.filter { $0.source == .simid && $0.name != "timeupdate" }.map { event in
        let of = event.detail["of"]?.string.map { " \($0)" } ?? ""
        return "\(event.detail["from"]?.string == "creative" ? "<" : ">") \(event.name)\(of)"
      }
    }

    private static let whole = [
      "< createSession", "> resolve createSession", "> init", "< resolve init", "> durationchange", "> play",
      "> playing",
      "> startCreative", "< resolve startCreative", "> visible", "> pause", "> ended", "> adStopped",
      "< resolve adStopped", "> unloaded",
    ]

    @Test(
      "is told all that happens to its film, in either clock and either place",
      arguments: [Placement.Kind.interstitial, .banner])
    @EngineActor func whole(kind: Placement.Kind) async throws {
      for clock in [RenderOptions.Clock.virtual, .real] {
        let result = try await render(Self.page(), kind: kind, clock: clock)
        #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
        #expect(said(result) == Self.whole, "\(clock)")
        let moments = result.events("simid/timeupdate").compactMap { $0.detail["args"]?["currentTime"]?.number }
        #expect(moments == (0...7).map { Double($0) / 4 } || moments == (0...8).map { Double($0) / 4 }, "\(moments)")
        #expect(result.events("vast/complete").count == 1)
        #expect(result.events("vast/error").isEmpty)
      }
    }

    @Test("gives the same log twice")
    @EngineActor func sameTwice() async throws {
      let page = Self.page("ask('reportTracking', { trackingUrls: ['https://t.example/a'] }); ask('getMediaState');")
      let logs = try await [render(page), render(page)].map { result in
        result.events.map { "\($0.source.rawValue)/\($0.name) \($0.source == .simid ? $0.detail.text : "")" }
      }
      #expect(logs[0] == logs[1])
      #expect(logs[0].contains { $0.hasPrefix("vast/reportTracking") })
    }

    @Test("that never begins a session leaves the film alone, which is told at its end")
    @EngineActor func silent() async throws {
      let result = try await render(Self.page(initially: "void 0"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(said(result) == ["> timeout createSession", "> unloaded"])
      #expect(result.events("vast/error").map { $0.detail["code"] } == [1_223])
      #expect(result.events("vast/complete").count == 1)
    }

    @Test("that answers nothing leaves the film alone, which is told at its end")
    @EngineActor func mute() async throws {
      let result = try await render(Self.page(answers: false))
      #expect(said(result).suffix(2) == ["> timeout init", "> unloaded"])
      #expect(result.events("vast/error").map { $0.detail["code"] } == [1_212])
      #expect(result.events("vast/complete").count == 1)
    }

    @Test("pauses the film, is touched, and lets it go on")
    @EngineActor func touched() async throws {
      let page = Self.page(
        "document.querySelector('#go').onclick = () => ask('requestPlay'); setTimeout(() => ask('requestPause'), 300);")
      let result = try await render(
        page,
        scenario: """
          - wait: {event: simid/requestPause}
          - wait: 3
          - expect: {events: [{name: vast/pause, count: 1}, {name: vast/complete, count: 0}]}
          - tap: "#go"
          - wait: {event: vast/complete, timeout: 20}
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("vast/resume").count == 1)
      #expect(result.events("simid/reject").isEmpty)
    }

    @Test("that waits for a person is looked at, and not until the time allowed is over")
    @EngineActor func waits() async throws {
      let result = try await render(Self.page("ask('requestPause');"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.warnings.contains { $0.contains("waits for user input") })
      #expect(result.events("vast/complete").isEmpty)
    }

    @Test("goes on after its film for as long as it asked")
    @EngineActor func longer() async throws {
      let result = try await render(Self.page("ask('requestChangeAdDuration', { duration: 5 });"))
      let ended = try #require(result.events("simid/ended").first?.t)
      let stopped = try #require(result.events("simid/adStopped").first?.t)
      #expect(stopped - ended > 2_500 && stopped - ended < 3_500)
      #expect(result.events("simid/adStopped")[0].detail["args"]?["code"] == 4)
      #expect(result.events("vast/complete").count == 1)
    }

    @Test("skips where the document leaves that to it, and nowhere else")
    @EngineActor func skips() async throws {
      let free = try await render(Self.page("ask('requestSkip');"))
      #expect(free.events("vast/skip").count == 1)
      #expect(free.events("ad/adDidClose").count == 1)
      let players = try await render(Self.page("ask('requestSkip');"), skip: " skipoffset='00:00:01'")
      #expect(players.events("vast/skip").isEmpty)
      #expect(players.events("simid/reject")[0].detail["value"]?["errorCode"] == 1_203)
      #expect(players.events("simid/init")[0].detail["args"]?["environmentData"]?["skippableState"] == "playerHandles")
    }

    @Test("hears of the player's own skip and of the app's background")
    @EngineActor func playersSkip() async throws {
      let result = try await render(
        Self.page(), skip: " skipoffset='00:00:01'",
        scenario: """
          - wait: {event: simid/visible}
          - background
          - foreground
          - wait: {event: vast/midpoint}
          - tap: "#skip"
          - wait: {event: vast/skip}
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let names = said(result)
      #expect(names.contains("> appBackgrounded") && names.contains("> appForegrounded"))
      #expect(names.suffix(3) == ["> adSkipped", "< resolve adSkipped", "> unloaded"])
    }

    @Test("fills the screen and comes back where there is a slot")
    @EngineActor func fullScreen() async throws {
      let page = Self.page("ask('requestFullscreen'); setTimeout(() => ask('requestExitFullscreen'), 600);")
      let result = try await render(page, kind: .banner)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("vast/playerExpand").count == 1)
      #expect(result.events("vast/playerCollapse").count == 1)
      #expect(result.events("simid/reject").isEmpty)
      let sizes = result.events("simid/resize").map { $0.detail["args"]?["fullscreen"] }
      #expect(sizes.contains(true) && sizes.last == false)
    }

    @Test("reaches neither the player nor the ad's files in its name")
    @EngineActor func sandboxed() async throws {
      let page = Self.page(
        """
        const say = (name, act) => { try { act(); ask("log", { message: name + " works" }); } catch { ask("log", { message: name + " fails" }); } };
        say("parent", () => parent.document.title); say("storage", () => localStorage.setItem("a", 1));
        """)
      let result = try await render(page)
      let told = result.events("simid/log").compactMap { $0.detail["args"]?["message"]?.string }
      #expect(told.prefix(2) == ["parent fails", "storage fails"])
    }

    @Test("from the web keeps its own origin, and is still out of the player's reach")
    @EngineActor func fromTheWeb() async throws {
      let page = Self.page(
        "try { parent.document.title; ask('log', { message: 'reached' }); } catch { localStorage.setItem('a', 1); ask('log', { message: origin }); }"
      )
      let server = try LocalServer { _ in .init(type: "text/html", body: page) }
      var options = TestRender.Options(placement: Placement(kind: .interstitial), limits: Limits(timeout: 40))
      options.clock = .virtual
      let result = try await TestRender(extensionDirectory: WebExtension.folder).render(
        files: ["ad.xml": Self.ad(server.url("/s.html"))], options)
      let told = result.events("simid/log").compactMap { $0.detail["args"]?["message"]?.string }
      #expect(told.first == server.url(""), "\(said(result))")
    }
  }
}
