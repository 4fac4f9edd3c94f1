import Core
import Engine
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("Open Measurement")
  struct OMIDTests {
    /// A page of this script, whose ad is 300 by 250.
    private func render(
      _ script: String, scenario: String = "steps: []", clock: RenderOptions.Clock = .real, body: String = "x"
    ) async throws -> RenderedCreative {
      let html = """
        <!doctype html><meta name="ad.size" content="width=300,height=250"><body>\(body)<script>\(script)</script>
        """
      return try await TestRender.of(clock).render(
        html: html, TestRender.Options(scenario: "omid: true\n\(scenario)", seed: 1, clock: clock))
    }

    private func texts(_ result: RenderedCreative) -> [String] {
      result.events("page/console").compactMap { $0.detail["text"]?.string }
    }

    /// Names of the session's events, in order.
    private func session(_ result: RenderedCreative) -> [String] {
      result.events.filter { $0.source == .omid && $0.detail["adSessionId"] != nil }.map(\.name)
    }

    private static let listening = """
      omid3p.registerSessionObserver(({ type, data }) => console.log(type + " " + (data.context?.accessMode ?? "")), "v");
      for (const type of ["loaded", "impression", "geometryChange"]) {
        omid3p.addEventListener(type, ({ type, data }) => console.log(type + " " + (data.adView?.percentageInView ?? "")));
      }
      """

    @Test("isn't there unless it is asked for")
    @EngineActor func off() async throws {
      let result = try await TestRender.shared.render(
        html: "<body>x<script>console.log(String(window.omid3p), frames.length)</script>")
      #expect(texts(result) == ["undefined 0"])
      #expect(result.record.omid == nil && result.events.allSatisfy { $0.source != .omid })
    }

    @Test(
      "an ad's own code hears a session from its start to its end", arguments: [RenderOptions.Clock.real, .virtual])
    @EngineActor func display(clock: RenderOptions.Clock) async throws {
      let result = try await render(Self.listening, clock: clock)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(
        texts(result) == ["sessionStart full", "loaded ", "impression 100", "geometryChange 100", "sessionFinish "])
      #expect(session(result) == ["sessionStart", "loaded", "impression", "geometryChange", "sessionFinish"])
      #expect(result.record.omid == true)
      let impression = try #require(result.events("omid/impression").first)
      #expect(impression.detail["listeners"] == 1)
      let displayed = try #require(result.events("ad/adDidDisplay").first)
      #expect(abs(displayed.t - impression.t) < 1000)
    }

    @Test("scrolling, the background and what covers an ad change what is told, with reasons")
    @EngineActor func places() async throws {
      let result = try await render(
        Self.listening + "\nmraid.addEventListener('ready', () => {});",
        scenario: """
          steps:
            - wait: {event: omid/geometryChange}
            - wait: {seconds: 0.3}
            - scroll: 420
            - wait: {event: omid/geometryChange, count: 2}
            - wait: {seconds: 0.3}
            - scroll: 0
            - wait: {event: omid/geometryChange, count: 3}
            - wait: {seconds: 0.3}
            - background
            - wait: {event: omid/geometryChange, count: 4}
            - wait: {seconds: 0.3}
            - foreground
            - wait: {event: omid/geometryChange, count: 5}
          """, clock: .virtual)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let views = result.events("omid/geometryChange").compactMap { $0.detail["data"]?["adView"] }
      let reasons = views.map { $0["reasons"]?.array?.compactMap(\.string) ?? [] }
      #expect(reasons.count == 5 && reasons[0] == [] && reasons[2] == [] && reasons[4] == [], "\(reasons)")
      #expect(
        reasons[1] == ["clipped"] || reasons[1] == ["viewport"] || reasons[1] == ["viewport", "clipped"], "\(reasons)")
      #expect(reasons[3] == ["backgrounded"])
      #expect(views[3]["percentageInView"] == 0 && views[3]["onScreenGeometry"]?["pixels"] == 75_000)
    }

    @Test("an ad that expands is measured where it is")
    @EngineActor func expand() async throws {
      let result = try await render(
        "setTimeout(() => mraid.expand(), 1000);",
        scenario: """
          steps:
            - wait: {state: expanded}
            - wait: {seconds: 1}
            - close
            - wait: {state: default}
            - wait: {seconds: 1}
          """, clock: .virtual)
      let widths = result.events("omid/geometryChange").compactMap {
        $0.detail["data"]?["adView"]?["geometry"]?["width"]?.number
      }
      #expect(widths == [300, 393, 300], "\(widths)")
      let friendly = result.events("omid/geometryChange").compactMap {
        $0.detail["data"]?["adView"]?["declaredFriendlyObstructions"]?.number
      }
      #expect(friendly == [0, 1, 0], "\(friendly)")
    }

    @Test("code in a frame that reaches nothing is told by messages, and late code what went before")
    @EngineActor func frame() async throws {
      let script = """
        const ask = (guid, method, word) => top.postMessage({ omid_message_guid: guid,
          omid_message_method: 'VerificationService.' + method, omid_message_version: '1.6.0', omid_message_args: [word] }, '*');
        addEventListener('message', ({ data }) => console.log(data.omid_message_args[0].type));
        setTimeout(() => {
          console.log(Boolean(top.frames.omid_v1_present), Boolean(top.frames.omid_v1_present_app));
          ask('1', 'addSessionListener', 'v');
          ask('2', 'addEventListener', 'impression');
        }, 2000);
        """
      let body = "<iframe title=\"m\" sandbox=\"allow-scripts\" srcdoc=\"<script>\(script)</script>\"></iframe>"
      let result = try await render("", scenario: "steps:\n  - wait: {seconds: 3}", clock: .virtual, body: body)
      #expect(texts(result) == ["true true", "sessionStart", "impression", "sessionFinish"])
      #expect(result.events("omid/addEventListener").first?.detail["missed"] == ["impression"])
    }

    @Test("a session client of the ad counts it in the app's place")
    @EngineActor func sessionClient() async throws {
      let result = try await render(
        """
        const client = omidSessionInterface;
        client.setClientInfo("1.6.7", "Partner", "2");
        client.registerAdEvents();
        client.setCreativeType("htmlDisplay");
        client.setImpressionType("viewable");
        client.registerSessionObserver(({ type }) => {
          if (type === "sessionStart") setTimeout(() => client.adEvents.impressionOccurred(), 1000);
        });
        client.adEvents.loaded();
        """, scenario: "steps:\n  - wait: {event: omid/impression}", clock: .virtual)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(session(result) == ["sessionStart", "loaded", "impression", "geometryChange", "sessionFinish"])
      let impression = try #require(result.events("omid/impression").first?.detail["data"])
      #expect(impression["impressionType"] == "viewable" && impression["adView"]?["percentageInView"] == 100)
    }

    @Test("scripts that a session client names are run beside the page, and one that isn't there is told")
    @EngineActor func injection() async throws {
      let vendor = """
        parent.postMessage({ omid_message_guid: "1", omid_message_method: "VerificationService.addSessionListener",
          omid_message_version: "1.6.0", omid_message_args: ["v", omidVerificationProperties.injectionId] }, "*");
        addEventListener("message", ({ data }) => console.log(data.omid_message_args[0].type, data.omid_message_args[0].data.verificationParameters ?? ""));
        try { parent.document; } catch { console.log("shut off"); }
        """
      let result = try await TestRender.of(.virtual).render(
        files: [
          "vendor.js": vendor,
          "index.html": """
          <!doctype html><body>x<script>
          omidSessionInterface.injectVerificationScriptResources([
            { resourceUrl: "vendor.js", vendorKey: "v", verificationParameters: "p=1", accessMode: "limited" },
            { resourceUrl: "gone.js", vendorKey: "g" },
            { resourceUrl: "file:///etc/hosts", vendorKey: "f" },
          ]);</script>
          """,
        ], TestRender.Options(scenario: "omid: true\nsteps: []", clock: .virtual))
      #expect(texts(result) == ["shut off", "sessionStart p=1", "sessionFinish "])
      #expect(result.events("omid/scriptLoaded").count == 1 && result.events("omid/scriptFailed").count == 1)
      #expect(result.events("host/addressRefused").map { $0.detail["use"] } == ["verification"])
    }

    @Test("the element that an ad marks is what is measured")
    @EngineActor func element() async throws {
      let body =
        "<div class=\"omid-element\" style=\"position:absolute;left:0;top:150px;width:200px;height:200px\"></div>"
      let result = try await render("", scenario: "steps:\n  - wait: {seconds: 1}", clock: .virtual, body: body)
      let view = try #require(result.events("omid/geometryChange").last?.detail["data"]?["adView"])
      #expect(view["measuringElement"] == true && view["percentageInView"] == 50 && view["reasons"] == ["clipped"])
    }

    @Test("a listener that throws is logged, and nothing else comes of it")
    @EngineActor func throwing() async throws {
      let result = try await render("omid3p.registerSessionObserver(() => { throw new Error('broken'); }, 'bad');")
      let errors = result.events("omid/listenerError").map(\.detail)
      #expect(errors.map { $0["message"] } == ["broken", "broken"] && errors.allSatisfy { $0["vendor"] == "bad" })
      #expect(result.record.outcome == .completed)
    }

    @Test("the same ad gives the same log twice, ids and all")
    @EngineActor func determinism() async throws {
      let logs = try await [render(Self.listening, clock: .virtual), render(Self.listening, clock: .virtual)].map {
        result in
        result.events.filter { $0.source == .omid || $0.name == "console" }.map {
          "\($0.name) \($0.detail.text)"
        }
      }
      #expect(logs[0] == logs[1] && logs[0].count > 8)
    }

    @Test("an ad that forges calls to the service without end costs it nothing but its own log")
    @EngineActor func hostile() async throws {
      let result = try await render(
        """
        for (let i = 0; i < 5000; i += 1) {
          omidSessionInterface.finishSession();
          omidSessionInterface.startSession({ huge: "x".repeat(10000) });
          postMessage({ omid_message_guid: "1", omid_message_method: "VerificationService.addEventListener", omid_message_version: "1.6.0", omid_message_args: [{}] }, "*");
        }
        Object.prototype.kind = "call";
        Array.prototype.push = () => { throw 1; };
        """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events.count < 3_000)
    }

    /// A native ad with measuring code of its own, `measure.js`.
    private static func native(measuredBy script: String) -> [String: String] {
      let adm = """
        {\\"assets\\": [{\\"title\\": {\\"text\\": \\"Chairs\\"}}], \\"link\\": {\\"url\\": \\"https://oak.example/\\"}, \
        \\"eventtrackers\\": [{\\"event\\": 555, \\"method\\": 2, \\"url\\": \\"measure.js\\", \
        \\"ext\\": {\\"vendorKey\\": \\"v\\", \\"verification_parameters\\": \\"p=1\\"}}]}
        """
      let bid = """
        {"id": "r", "seatbid": [{"bid": [{"id": "n", "impid": "1", "price": 1, "mtype": 4, "w": 300, "h": 250, "adm": "\(adm)"}]}]}
        """
      return ["bid.json": bid, "measure.js": script]
    }

    @Test(
      "a native ad, which the app puts together, is measured beside it",
      arguments: [RenderOptions.Clock.real, .virtual])
    @EngineActor func native(clock: RenderOptions.Clock) async throws {
      let script = """
        const { serviceWindow, injectionId } = omidVerificationProperties;
        const ask = (guid, method, word) => serviceWindow.postMessage({ omid_message_guid: guid,
          omid_message_method: "VerificationService." + method, omid_message_version: "1.6.0",
          omid_message_args: [word, injectionId] }, "*");
        addEventListener("message", ({ data: { omid_message_args: [{ type, data }] } }) => {
          console.log(type, data.context?.adSessionType ?? data.adView?.percentageInView, data.verificationParameters ?? "");
        });
        ask("1", "addSessionListener", "v");
        ask("2", "addEventListener", "impression");
        """
      let result = try await TestRender.of(clock).render(
        files: Self.native(measuredBy: script),
        TestRender.Options(scenario: "omid: true\nsteps: []", seed: 1, clock: clock))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(session(result) == ["sessionStart", "loaded", "impression", "geometryChange", "sessionFinish"])
      let start = try #require(result.events("omid/sessionStart").first)
      #expect(start.detail["data"]?["context"]?["adSessionType"] == "native")
      #expect(result.events("omid/loaded").first?.detail["data"]?["creativeType"] == "nativeDisplay")
      let inject = try #require(result.events("omid/inject").first)
      #expect(inject.detail["vendor"] == "v" && inject.detail["tracked"] == nil)
      // The frame that the script runs in is Galley's own.
      let asked = result.events("network/resource").compactMap { $0.detail["url"]?.string }
      #expect(asked.contains { $0.hasSuffix("/measure.js") } && !asked.contains("about:srcdoc"), "\(asked)")
      #expect(texts(result).prefix(2) == ["sessionStart native p=1", "impression 100 "], "\(texts(result))")
    }

    @Test("whose code isn't run where nobody measures, and that is told")
    @EngineActor func unmeasuredNative() async throws {
      let result = try await TestRender.shared.render(files: Self.native(measuredBy: ""))
      #expect(result.events("vast/verificationNotExecuted").map { $0.detail["reason"] } == [2])
      #expect(result.events.allSatisfy { $0.source != .omid })
    }

    @Test("an overlay is measured beside it as well, and where nobody measures that is told", arguments: [true, false])
    @EngineActor func overlay(isMeasured: Bool) async throws {
      let document = """
        <VAST version="4.2"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://a.example/i</Impression>
        <AdVerifications><Verification vendor="v"><JavaScriptResource apiFramework="omid">measure.js</JavaScriptResource>
        </Verification></AdVerifications><Creatives><Creative><NonLinearAds><NonLinear width="300" height="50">
        <StaticResource creativeType="image/svg+xml">rain.svg</StaticResource></NonLinear></NonLinearAds></Creative></Creatives>
        </InLine></Ad></VAST>
        """
      let picture =
        "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='50'><rect width='300' height='50'/></svg>"
      let result = try await TestRender.of(.virtual).render(
        files: ["ad.xml": document, "rain.svg": picture, "measure.js": "console.log('runs')"],
        TestRender.Options(scenario: "omid: \(isMeasured)\nsteps: []", seed: 1, clock: .virtual))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(texts(result) == (isMeasured ? ["runs"] : []))
      #expect(result.events("omid/impression").count == (isMeasured ? 1 : 0))
      #expect(result.events("vast/verificationNotExecuted").map { $0.detail["reason"] } == (isMeasured ? [] : [2]))
    }
  }
}
