import Jobs
import MRAID
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A creative's origin")
  struct OriginTests {
    @Test("is secure and has working storage, modules and fetch", arguments: RenderOptions.Isolation.allCases)
    @WebKitActor func works(isolation: RenderOptions.Isolation) async throws {
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
    @WebKitActor func mraidScript() async throws {
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
    @WebKitActor func outside(address: String) async throws {
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
