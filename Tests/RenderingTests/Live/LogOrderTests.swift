import Core
import Engine
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("The log's order")
  struct LogOrderTests {
    private func render(_ script: String, scenario: String? = nil) async throws -> RenderedCreative {
      let html =
        "<!doctype html><meta name=\"ad.size\" content=\"width=320,height=50\"><body>x<script>\(script)</script>"
      return try await TestRender.shared.render(html: html, TestRender.Options(scenario: scenario))
    }

    /// Console texts and the names of other events that matter here.
    private func told(_ result: RenderedCreative, _ names: Set<String>) -> [String] {
      result.events.compactMap { event in
        event.name == "console" ? event.detail["text"]?.string : names.contains(event.name) ? event.name : nil
      }
    }

    @Test("puts what a listener does at its event, and what it leaves to a timer after the picture, each at its time")
    @EngineActor func ownTasks() async throws {
      let result = try await render(
        """
        mraid.addEventListener("ready", () => {
          console.log("answer");
          setTimeout(() => { console.log("own"); mraid.open("https://a.example/"); }, 0);
        });
        """, scenario: "- wait: {event: host/open}")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      let order = Array(told(result, ["ready", "adDidDisplay", "screenshot", "open"]).prefix(7))
      #expect(order == ["ready", "answer", "adDidDisplay", "screenshot", "own", "open", "open"])
      let own = try #require(result.events.first { $0.detail["text"] == "own" })
      let screenshot = try #require(result.events("host/screenshot").first)
      #expect(own.t < screenshot.t)
      #expect(own.seq > screenshot.seq)
    }

    @Test("has what a document does at its load before the load's end, and requests between")
    @EngineActor func load() async throws {
      let result = try await render(
        """
        console.log("script");
        addEventListener("load", () => { console.log("load"); setTimeout(() => console.log("task"), 0); });
        """)
      #expect(
        told(result, ["resource", "loadFinished", "ready"]) == [
          "script", "load", "task", "resource", "loadFinished", "ready",
        ])
    }

    @Test("has each line, error and rejection once, however often a document is written anew")
    @EngineActor func writtenAnew() async throws {
      let result = try await render(
        """
        addEventListener("load", () => {
          for (const name of ["first", "second", "third"]) {
            document.open();
            document.write(`<body>${name}<script>console.log("${name}"); setTimeout(() => { throw new Error("${name}"); }, 9);
              Promise.reject(new Error("${name}"));<\\/script>`);
            document.close();
          }
          localStorage.setItem("key", 1);
        });
        """)
      let names = ["first", "second", "third"]
      #expect(told(result, []) == names)
      #expect(result.events("page/rejection").count == 3)
      #expect(Set(result.events("page/exception").compactMap { $0.detail["message"]?.string }).count == 3)
      #expect(result.events("page/exception").count == 3)
      #expect(result.events("page/storage").count == 1)
    }

    @Test("has what a document does with its own files before the load's end, however late they come")
    @EngineActor func files() async throws {
      // So large that its load event is long over; the file leads it to the next one.
      let script = """
        fetch("large.txt").then((reply) => reply.text()).then(async (text) => {
          console.log(`large ${text.length}`);
          console.log(await (await fetch("small.txt")).text());
        });
        """
      let result = try await TestRender.shared.render(
        files: [
          "index.html": "<!doctype html><body>x<script>\(script)</script>",
          "large.txt": String(repeating: "x", count: 32_000_000), "small.txt": "small",
        ])
      #expect(
        told(result, ["resource", "loadFinished"]) == [
          "large 32000000", "small", "resource", "resource", "resource", "loadFinished",
        ])
    }

    @Test("has what frames without a network get before the page is taken as settled")
    @EngineActor func ownFrames() async throws {
      let result = try await render(
        """
        mraid.addEventListener("ready", () => {
          for (let i = 0; i < 16; i += 1) {
            const frame = document.createElement("iframe");
            if (i % 2) frame.src = `data:text/html,${i}`; else frame.srcdoc = `<p>${i}`;
            document.body.append(frame);
          }
        });
        """)
      let order = told(result, ["resource", "settled"])
      #expect(order == [String](repeating: "resource", count: 17) + ["settled"])
    }

    @Test("has a document's uncaught errors in the order of their places, whichever task was first")
    @EngineActor func errors() async throws {
      let result = try await render(
        """

        requestAnimationFrame(() => { throw new Error("frame"); });
        addEventListener("load", () => { throw new Error("load"); });
        setTimeout(() => { throw new Error("timer"); }, 0);
        throw new Error("script");
        """)
      let messages = result.events("page/exception").compactMap { $0.detail["message"]?.string }
      #expect(messages == ["frame", "load", "timer", "script"].map { "Error: \($0)" })
      #expect(result.names.lastIndex(of: "page/exception")! < result.names.firstIndex(of: "page/loadFinished")!)
    }

    @Test("has no way out of the ad for what a script does with a frame, and one for the same with the ad")
    @EngineActor func frames() async throws {
      let inFrame = try await render(
        """
        const frame = document.createElement("iframe");
        frame.onload = () => {
          frame.onload = null;
          const link = frame.contentDocument.body.appendChild(frame.contentDocument.createElement("a"));
          link.href = "https://a.invalid/sync";
          link.click();
          const form = document.createElement("form");
          [form.action, form.target] = ["https://a.invalid/form", frame.name];
          document.body.append(form);
          setTimeout(() => { form.submit(); setTimeout(() => console.log("over"), 200); }, 200);
        };
        frame.name = "sync";
        document.body.append(frame);
        """, scenario: "- wait: {event: page/console}")
      #expect(inFrame.record.outcome == .completed, "\(inFrame.record.message ?? "")")
      #expect(inFrame.events("page/navigation").map(\.detail.text) == [])
      let own = try await render(
        """
        onload = () => setTimeout(() => {
          const link = document.body.appendChild(document.createElement("a"));
          link.href = "https://a.invalid/";
          link.click();
        }, 60);
        """, scenario: "- wait: {event: page/navigation}")
      #expect(own.events("page/navigation").map { $0.detail["kind"] } == ["link"])
      #expect(own.events("page/navigation").map { $0.detail["gesture"] } == [false])
      #expect(own.events("page/navigation").map { $0.detail["allowed"] } == [false])
    }

    @Test("has one line for a navigation that was stopped, and the document's load ends once")
    @EngineActor func stopped() async throws {
      let result = try await render(
        "addEventListener('load', () => setTimeout(() => { location.href = 'https://a.invalid/'; }, 60));",
        scenario: "- wait: {event: navigation}")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events("page/navigation").map { $0.detail["allowed"] } == [false])
      #expect(result.events("page/loadFinished").count == 1)
      #expect(result.events("page/loadFailed").isEmpty)
      #expect(result.events("network/resource").count == 1)
    }

    @Test(
      "has a navigation that was stopped after the load in which the page tried it, whenever that was",
      arguments: [
        "location.href = 'https://a.invalid/'; console.log('on');",
        "onload = () => { location.href = 'https://a.invalid/'; };",
        "onload = () => setTimeout(() => { location.href = 'https://a.invalid/'; }, 5);",
      ])
    @EngineActor func stoppedAtLoad(_ script: String) async throws {
      let result = try await render(script, scenario: "- wait: {event: navigation}")
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(
        told(result, ["navigation", "loadFinished", "screenshot"]).filter { $0 != "on" }.prefix(3) == [
          "loadFinished", "screenshot", "navigation",
        ])
    }

    @Test("tells nothing of a document that sent itself elsewhere at its load but that and its requests")
    @EngineActor func passedThrough() async throws {
      let result = try await TestRender.shared.render(
        files: [
          "index.html": "<!doctype html><script>addEventListener('load', () => location.replace('next.html'))</script>",
          "next.html": "<!doctype html><title>next</title><body style='background:#123456'>there",
        ], TestRender.Options(scenario: "- expect: {evaluate: {document.title: next}}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(
        told(result, ["navigation", "resource", "loadFinished", "ready"]) == [
          "navigation", "resource", "resource", "loadFinished", "ready",
        ])
    }

    @Test("has one load of a page that sends itself on and on", arguments: [RenderOptions.Clock.real, .virtual])
    @EngineActor func laps(_ clock: RenderOptions.Clock) async throws {
      let page = """
        <!doctype html><style>b { display: block; border-radius: 9px; background: linear-gradient(red, blue) }</style>
        <b>Round and round</b>
        <script>
        const lap = Number(location.search.slice(1)) + 1;
        if (lap <= 15) location.replace("index.html?" + lap);
        </script>
        """
      let render = TestRender(extensionDirectory: WebExtension.folder)
      for _ in 0..<3 {
        let result = try await render.render(html: page, TestRender.Options(isolation: .process, clock: clock))
        let order = told(result, ["navigation", "loadFinished", "ready"])
        #expect(order == Array(repeating: "navigation", count: 15) + ["loadFinished", "ready"])
      }
    }
  }
}
