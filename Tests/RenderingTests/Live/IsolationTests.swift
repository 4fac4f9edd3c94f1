import Core
import Engine
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("Two creatives in a row")
  struct IsolationTests {
    /// Tries each kind of storage and logs what worked; `name` says who writes.
    private static func page(_ body: String) -> String {
      """
      <!doctype html><script>
      const tried = async (body) => {
        try { return (await body()) ?? null; } catch (error) { return "failed: " + error; }
      };
      const database = (mode, use) => new Promise((done, fail) => {
        const open = indexedDB.open("shared", 1);
        open.onupgradeneeded = () => open.result.createObjectStore("s");
        open.onerror = () => fail(open.error);
        open.onsuccess = () => {
          const request = use(open.result.transaction("s", mode).objectStore("s"));
          request.onsuccess = () => done(request.result ?? null);
          request.onerror = () => fail(request.error);
        };
      });
      (async () => { \(body) })();
      </script>
      """
    }

    private static let writer = page(
      """
      document.cookie = "k=left; max-age=1000";
      window.name = "left";
      history.pushState({ k: "left" }, "", "#left");
      globalThis.channel = new BroadcastChannel("shared");
      setInterval(() => channel.postMessage("left"), 5);
      console.log("facts " + JSON.stringify({
        local: await tried(() => { localStorage.setItem("k", "left"); return localStorage.getItem("k"); }),
        database: await tried(() => database("readwrite", (store) => store.put("left", "k"))),
        caches: await tried(async () => {
          await (await caches.open("shared")).put("/kept", new Response("left"));
          return (await caches.keys()).join();
        }),
        worker: await tried(async () => String(await navigator.serviceWorker.register("worker.js"))),
        shared: await tried(() => new Promise((done, fail) => {
          const worker = new SharedWorker("shared.js");
          worker.port.onmessage = (event) => done(event.data);
          worker.onerror = () => fail("none");
          setTimeout(() => fail("silent"), 4000);
        })),
        files: await tried(async () => {
          await (await navigator.storage.getDirectory()).getFileHandle("left", { create: true });
          return "made";
        }),
      }));
      """)

    private static let reader = page(
      """
      const heard = [];
      globalThis.channel = new BroadcastChannel("shared");
      channel.onmessage = (event) => heard.push(event.data);
      await new Promise((done) => setTimeout(done, 100));
      console.log("facts " + JSON.stringify({
        local: localStorage.length, session: sessionStorage.length, cookie: document.cookie, name: window.name,
        database: await tried(() => database("readonly", (store) => store.get("k"))),
        databases: await tried(async () => (await indexedDB.databases()).filter((one) => one.name !== "shared").length),
        caches: await tried(async () => (await caches.keys()).length),
        worker: await tried(async () => (await navigator.serviceWorker.getRegistrations()).length),
        shared: await tried(() => new Promise((done, fail) => {
          const worker = new SharedWorker("shared.js");
          worker.port.onmessage = (event) => done(event.data);
          worker.onerror = () => fail("none");
          setTimeout(() => fail("silent"), 4000);
        })),
        files: await tried(async () => {
          const names = [];
          for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
          return names.join();
        }),
        heard: heard.length, state: history.state,
      }));
      """)

    private static let files = [
      "worker.js": "", "shared.js": "let count = 0; onconnect = (event) => event.ports[0].postMessage(++count);",
    ]

    @Test("see nothing of each other", arguments: RenderOptions.Isolation.allCases)
    @EngineActor func storage(isolation: RenderOptions.Isolation) async throws {
      let render = TestRender()
      let options = TestRender.Options(isolation: isolation, scenario: "- wait: {event: console, timeout: 8}")
      for _ in 0..<2 {
        let files = Self.files
        let left = try await render.render(files: files.merging(["index.html": Self.writer]) { $1 }, options)
        let written = try #require(left.facts(), "\(left.record.message ?? "")")
        #expect(written["local"] == "left")
        #expect(written["database"] == "k")
        let found = try await render.render(files: files.merging(["index.html": Self.reader]) { $1 }, options)
        let seen = try #require(found.facts(), "\(found.record.message ?? "")")
        #expect(seen["local"] == 0)
        #expect(seen["session"] == 0)
        #expect(seen["cookie"] == "")
        #expect(seen["name"] == "")
        #expect(seen["database"] == .null)
        #expect(seen["databases"] == 0)
        #expect(seen["heard"] == 0)
        #expect(seen["state"] == .null)
        // What the engine doesn't offer under this scheme fails for both alike.
        for (key, nothing) in [("caches", JSONValue.number(0)), ("worker", 0), ("files", ""), ("shared", 1)] {
          let isAbsent =
            written[key]?.string?.hasPrefix("failed") == true && seen[key]?.string?.hasPrefix("failed") == true
          #expect(
            isAbsent || seen[key] == nothing,
            "\(key): \(String(describing: written[key])) then \(String(describing: seen[key]))")
        }
      }
    }

    @Test("begin at the same instant of their own time", arguments: RenderOptions.Isolation.allCases)
    @EngineActor func timestamps(isolation: RenderOptions.Isolation) async throws {
      let page = """
        <!doctype html><script>
        const facts = { began: performance.now() };
        onload = () => console.log("facts " + JSON.stringify({ ...facts, loaded: performance.now() }));
        </script>
        """
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let options = TestRender.Options(
        isolation: isolation, scenario: "- wait: {event: console, timeout: 8}", clock: .virtual)
      var timestamps: [[Double]] = []
      for _ in 0..<2 {
        let rendered = try await render.render(html: page, options)
        let facts = try #require(rendered.facts(), "\(rendered.record.message ?? "")")
        let ready = try #require(rendered.events.first { $0.name == "ready" })
        timestamps.append([ready.t, try #require(facts["began"]?.number), try #require(facts["loaded"]?.number)])
      }
      #expect(timestamps[0] == timestamps[1])
    }

    @Test("don't share what a web server gave the first", arguments: RenderOptions.Isolation.allCases)
    @EngineActor func overHTTP(isolation: RenderOptions.Isolation) async throws {
      let server = try LocalServer { path in
        switch path {
        case "/left":
          .init(
            headers: ["Set-Cookie": "server=left; Max-Age=1000", "Cache-Control": "max-age=1000"], body: Self.writer)
        case "/found": .init(body: Self.reader)
        case "/worker.js": .init(type: "text/javascript", body: "")
        case "/shared.js": .init(type: "text/javascript", body: Self.files["shared.js"] ?? "")
        default: .init(status: 404, body: "")
        }
      }
      let render = TestRender()
      let options = TestRender.Options(isolation: isolation, scenario: "- wait: {event: console, timeout: 8}")
      let left = try await render.render(url: server.url("/left"), options)
      let written = try #require(left.facts(), "\(left.record.message ?? "")")
      #expect(written["local"] == "left")
      #expect(written["caches"] == "shared")
      let found = try await render.render(url: server.url("/found"), options)
      let seen = try #require(found.facts(), "\(found.record.message ?? "")")
      #expect(seen["local"] == 0)
      #expect(seen["cookie"] == "")
      #expect(seen["name"] == "")
      #expect(seen["database"] == .null)
      #expect(seen["caches"] == 0)
      #expect(seen["worker"]?.string?.hasPrefix("failed") == true)
      #expect(seen["files"] == "" || seen["files"]?.string?.hasPrefix("failed") == true)
      #expect(seen["heard"] == 0)
      #expect(server.requests.filter { $0.path == "/found" }.allSatisfy { $0.headers["cookie"] == nil })
    }
  }
}

extension LiveWebKit {
  @Suite("Chance with a seed")
  struct SeedTests {
    /// Logs numbers of every source, those of a frame, and what a page may look at to tell.
    private static let page = """
      <!doctype html><iframe srcdoc="<script>parent.inner = Math.random()</script>"></iframe><script>
      onload = () => {
        const numbers = Array.from({ length: 1000 }, Math.random);
        console.log("numbers " + JSON.stringify({
          first: numbers.slice(0, 3), inner, bytes: [...crypto.getRandomValues(new Uint8Array(4))],
          words: [...crypto.getRandomValues(new Uint16Array(2))], name: crypto.randomUUID(),
        }));
        const refused = (call) => { try { call(); } catch (error) { return error.name; } };
        console.log("facts " + JSON.stringify({
          inRange: numbers.every((number) => number >= 0 && number < 1), distinct: new Set(numbers).size,
          even: Math.abs(numbers.reduce((sum, number) => sum + number, 0) / 1000 - 0.5) < 0.05,
          names: [Math.random.name, crypto.getRandomValues.name, Math.random.length, "prototype" in Math.random],
          uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()),
          floats: refused(() => crypto.getRandomValues(new Float32Array(1))),
          long: refused(() => crypto.getRandomValues(new Uint8Array(65537))),
          keys: Object.keys(Math).length,
        }));
      };
      </script>
      """

    @EngineActor private static func render(seed: UInt32?) async throws -> RenderedCreative {
      try await TestRender.shared.render(html: page, .init(seed: seed))
    }

    @Test("gives the same numbers every time, others with another seed, and leaves it without one")
    @EngineActor func sequences() async throws {
      let first = try #require(try await Self.render(seed: 7).facts("numbers"))
      #expect(try await Self.render(seed: 7).facts("numbers") == first)
      #expect(try await Self.render(seed: 8).facts("numbers") != first)
      #expect(try await Self.render(seed: nil).facts("numbers") != first)
    }

    /// Scripts in frames make up names by chance, by which they are told apart.
    @Test("gives each frame numbers of its own, the same every time")
    @EngineActor func frames() async throws {
      let page = """
        <!doctype html><script>var said = [Math.random()]; length = 1e9</script>
        <iframe srcdoc="<script>parent.said.push(Math.random())</script>"></iframe>
        <iframe srcdoc="<iframe srcdoc='<script>top.said.push(Math.random())</script>'></iframe>"></iframe>
        <iframe srcdoc="<script>parent.said.push(Math.random())</script>"></iframe>
        <script>onload = () => console.log("numbers " + JSON.stringify({ said: said.sort() }))</script>
        """
      func numbers() async throws -> JSONValue? {
        try await TestRender.shared.render(html: page, .init(seed: 7)).facts("numbers")?["said"]
      }
      let first = try #require(try await numbers()?.array)
      #expect(first.count == 4 && Set(first).count == 4)
      #expect(try await numbers()?.array == first)
    }

    @Test("gives workers from files the same numbers every time, others with another seed")
    @EngineActor func workers() async throws {
      func numbers(seed: UInt32?) async throws -> JSONValue? {
        let files = [
          "index.html": """
          <!doctype html><script>
          // Whichever begins first.
          const [said, names] = [[], new Set()];
          for (const name of ["worker.js", "worker.js?again"]) {
            new Worker(name).onmessage = ({ data }) => {
              said.push(data.chance);
              names.add(data.name);
              if (said.length === 2) console.log("numbers " + JSON.stringify({ said, names: names.size }));
            };
          }
          </script>
          """,
          "worker.js": """
          const bytes = () => [...crypto.getRandomValues(new Uint8Array(8))];
          const numbers = [Math.random(), Math.random()];
          postMessage({ chance: [numbers, bytes(), bytes()], name: URL.createObjectURL(new Blob()) });
          """,
        ]
        return try await TestRender.of(.virtual).render(
          files: files, .init(isolation: .process, seed: seed, clock: .virtual)
        ).facts("numbers")
      }
      let first = try #require(try await numbers(seed: 7))
      #expect(first["names"] == 2)
      let again = try await numbers(seed: 7)
      #expect(again == first)
      #expect(try await numbers(seed: 8) != first)
      #expect(try await numbers(seed: nil) != first)
    }

    @Test("looks like chance, and its functions like the engine's")
    @EngineActor func looks() async throws {
      #expect(
        try await Self.render(seed: 1).facts() == [
          "inRange": true, "distinct": 1000, "even": true, "names": ["random", "getRandomValues", 0, false],
          "uuid": true, "floats": "TypeMismatchError", "long": "QuotaExceededError", "keys": 0,
        ])
    }
  }
}
