import Core
import Engine
import MRAID
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("What the host loads for a creative")
  struct CreativeAddressTests {
    /// Addresses that the engine answers when its host asks, and why a creative doesn't get them.
    private static let machines = [
      ("file:///etc/hostname", "scheme"), ("FILE:/etc/hostname", "scheme"), ("webkit://gpu", "scheme"),
      ("resource:///org/gtk/libgtk/theme/Adwaita/gtk.css", "scheme"),
      ("view-source:file:///etc/hostname", "scheme"), ("ftp://127.0.0.1/x", "scheme"),
      ("creative://galley/browser.html", "host"),
    ]

    private func refusals(_ result: RenderedCreative) -> [String] {
      result.events("host/addressRefused").map {
        ($0.detail["use"]?.string ?? "") + " " + ($0.detail["reason"]?.string ?? "")
      }
    }

    @Test("is no second part and no film of the host's player from the machine", arguments: machines)
    @EngineActor func pages(address: String, reason: String) async throws {
      let result = try await TestRender.shared.render(
        html: """
          <!doctype html><script src="mraid.js"></script><script>
          mraid.addEventListener("error", (message, action) => {
            console.log(action);
            if (action === "expand") mraid.playVideo("\(address)");
          });
          mraid.addEventListener("ready", () => mraid.expand("\(address)"));
          </script>
          """,
        TestRender.Options(
          followsClickthroughs: true, scenario: "- wait: {event: host/addressRefused, count: 2}\n- screenshot: now"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(refusals(result) == ["secondPart \(reason)", "video \(reason)"])
      #expect(!result.names.contains("host/loadSecondPart"))
      #expect(result.console == ["expand"])
      #expect(result.record.states == [.default])
    }

    @Test(
      "is no second part and no film of what has no place at all",
      arguments: ["about:memory", "javascript:document.URL"])
    @EngineActor func placeless(address: String) async throws {
      let result = try await TestRender.shared.render(
        html: """
          <!doctype html><script src="mraid.js"></script><script>
          mraid.addEventListener("error", (message, action) => {
            console.log(action);
            if (action === "expand") mraid.playVideo("\(address)");
          });
          mraid.addEventListener("ready", () => mraid.expand("\(address)"));
          </script>
          """,
        TestRender.Options(followsClickthroughs: true, scenario: "- wait: {event: console, count: 2}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.console == ["expand", "playVideo"])
      #expect(!result.names.contains("host/loadSecondPart"))
      #expect(result.record.states == [.default])
    }

    @Test("is no page behind a click from Galley's own hosts, and none of the device's files")
    @EngineActor func clicks() async throws {
      for (address, expected, opens) in [
        ("creative://galley/failure.html", ["clickthrough host"], 1), ("file:///etc/hostname", [], 0),
      ] {
        let result = try await TestRender.shared.render(
          html: """
            <!doctype html><script src="mraid.js"></script><body id="go" style="margin:0;height:50px" onclick="mraid.open('\(address)')">
            """,
          TestRender.Options(followsClickthroughs: true, scenario: "- tap: \"#go\""))
        #expect(result.events("host/open").count == opens)
        #expect(refusals(result) == expected)
        #expect(result.events("network/resource").allSatisfy { $0.detail["url"]?.string?.contains("hostname") != true })
      }
    }

    /// A response whose every address is this one: a wrapper, a film, and beside a film that can be played icons, an end
    /// card and what counts.
    private static func response(_ address: String) -> String {
      let icons = [
        "<StaticResource creativeType=\"image/png\">\(address)</StaticResource>",
        "<IFrameResource>\(address)</IFrameResource>",
      ]
      .map { "<Icon program=\"x\" width=\"20\" height=\"20\" xPosition=\"left\" yPosition=\"top\">\($0)</Icon>" }
      .joined()
      let card = """
        <Companion width="320" height="480"><IFrameResource>\(address)</IFrameResource></Companion>
        """
      func body(_ text: String) -> String {
        text.replacing("</VAST>", with: "").replacing(#/<VAST version[^>]*>/#, with: "")
      }
      let playable = VideoAd.inLine(beacon: address + "#", linear: "<Icons>\(icons)</Icons>")
        .replacing("</Creatives>", with: "<Creative><CompanionAds>\(card)</CompanionAds></Creative></Creatives>")
      return "<VAST version=\"4.2\">" + body(VideoAd.wrapper(address)) + body(VideoAd.inLine(media: address))
        + body(playable) + "</VAST>"
    }

    @Test(
      "is no wrapper, film, icon, end card or counting address from the machine",
      arguments: [machines[0], machines[2], machines[6]])
    @EngineActor func responses(address: String, reason: String) async throws {
      let result = try await TestRender.shared.render(
        files: ["ad.xml": Self.response(address)],
        TestRender.Options(
          placement: Placement(kind: .interstitial), network: .none, scenario: "- wait: {event: vast/start}",
          sendsBeacons: true))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let uses = Set(refusals(result))
      let all = ["wrapper", "media", "icon", "companion", "beacon"].map { "\($0) \(reason)" }
      // Those who count errors are of the web, which isn't there.
      #expect(uses == Set(all + ["beacon offline"]))
      #expect(refusals(result).filter { $0.hasPrefix("icon") }.count == 2)
      let errors = Set(result.events("vast/error").compactMap { $0.detail["code"]?.number })
      #expect(errors == [300, 401, 603], "\(result.names)")
      let asked = result.events("network/resource").compactMap { $0.detail["url"]?.string }
      #expect(!asked.contains { $0.hasPrefix(address) })
    }
  }
}

extension LiveWebKit {
  @Suite("A creative's origin")
  struct OriginTests {
    @Test("is secure and has working storage, modules and fetch", arguments: RenderOptions.Isolation.allCases)
    @EngineActor func works(isolation: RenderOptions.Isolation) async throws {
      let result = try await TestRender.shared.render(
        files: [
          "index.html": """
          <!doctype html><script type="module">
          import { two } from "./lib/two.js";
          const text = async (path) => (await fetch(path)).text();
          const database = () => new Promise((done, fail) => {
            const open = indexedDB.open("d", 1);
            open.onupgradeneeded = () => open.result.createObjectStore("s");
            open.onerror = () => fail(open.error);
            open.onsuccess = () => {
              const change = open.result.transaction("s", "readwrite");
              change.objectStore("s").put("kept", "k");
              change.oncomplete = () => {
                const get = open.result.transaction("s").objectStore("s").get("k");
                get.onsuccess = () => done(get.result);
              };
            };
          });
          const tried = async (body) => { try { return await body(); } catch (error) { return String(error); } };
          localStorage.setItem("k", "kept");
          sessionStorage.setItem("k", "kept");
          console.log("facts " + JSON.stringify({
            secure: isSecureContext, two, local: localStorage.getItem("k"), session: sessionStorage.getItem("k"),
            text: await tried(() => text("data/a b.txt")), absolute: await tried(() => text("/data/a%20b.txt?x=1")),
            missing: await tried(async () => (await fetch("none.txt")).status),
            database: await tried(database), crypto: typeof crypto.subtle, uuid: crypto.randomUUID().length,
            worker: await tried(() => new Promise((done, fail) => {
              const worker = new Worker("worker.js");
              worker.onmessage = (event) => done(event.data);
              worker.onerror = (event) => fail(event.message);
            })),
            wasm: typeof WebAssembly.instantiate,
            streamed: await tried(async () => (await WebAssembly.instantiateStreaming(fetch("module.wasm"))).module + ""),
            type: await tried(async () => (await fetch("lib/two.js")).headers.get("content-type")),
            length: await tried(async () => (await fetch("lib/two.js")).headers.get("content-length")),
            protocol: location.protocol, referrer: document.referrer,
            lazy: await tried(async () => (await import("./lib/lazy.js")).default),
          }));
          </script>
          """,
          "lib/two.js": "export const two = 1 + 1;", "lib/lazy.js": "export default 'lazy';",
          "data/a b.txt": "hello", "worker.js": "postMessage('worked')",
          "module.wasm": "\0asm\u{1}\0\0\0",
        ], TestRender.Options(isolation: isolation, scenario: "- wait: {event: console}"))
      #expect(
        result.facts() == [
          "secure": true, "two": 2, "local": "kept", "session": "kept", "text": "hello", "absolute": "hello",
          "missing": 404, "database": "kept", "crypto": "object", "uuid": 36, "worker": "worked", "wasm": "function",
          "protocol": "creative:", "referrer": "", "lazy": "lazy", "streamed": "[object WebAssembly.Module]",
          "type": "text/javascript; charset=utf-8", "length": "25",
        ])
    }

    @Test("answers every request for mraid.js with the same no-op, the creative's own included")
    @EngineActor func mraidScript() async throws {
      let result = try await TestRender.shared.render(
        files: [
          "index.html": """
          <!doctype html><script>const first = mraid;</script>
          <script src="mraid.js"></script><script src="js/MRAID.js"></script><script src="/mraid.js?v=2"></script>
          <script src="mraid.js"></script>
          <script>console.log("facts " + JSON.stringify({ same: mraid === first, fake: typeof window.fake }))</script>
          """,
          "mraid.js": "window.fake = true; window.mraid = {};",
        ])
      #expect(result.facts() == ["same": true, "fake": "undefined"])
      let requests = result.events("network/resource").filter { $0.detail["url"]?.string?.contains("raid.js") == true }
      #expect(requests.allSatisfy { $0.detail["status"] == 200 })
    }

    @Test(
      "doesn't serve the scenario or what lies outside the creative",
      arguments: [
        "scenario.yaml", "expected.yaml", "../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "/etc/passwd",
        "creative://galley/browser.html", "creative://other/index.html", "file:///etc/passwd",
      ])
    @EngineActor func outside(address: String) async throws {
      let result = try await TestRender.shared.render(
        files: [
          "index.html": """
          <!doctype html><script>
          fetch("\(address)").then(async (r) => r.status + " " + (await r.text()).slice(0, 20), () => "refused")
            .then((text) => console.log(text));
          </script>
          """,
          "scenario.yaml": "- close", "expected.yaml": "states: []", "../secret.txt": "secret",
        ], TestRender.Options(scenario: "- wait: {event: console}"))
      #expect(["404 not found", "refused"].contains(result.console.first), "\(result.console)")
    }
  }
}
