import Engine
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("A web view tells")
  struct ViewEventTests {
    private static func post(_ expression: String) -> String {
      "say(String(\(expression)))"
    }

    @Test("that a load began, arrived and ended, in this order")
    @EngineActor func loading() async {
      let page = LivePage(html: "<!doctype html><title>x</title>")
      #expect(await page.open())
      let steps = page.events.compactMap { event -> String? in
        switch event {
        case .loadStarted: "started"
        case .loadCommitted: "committed"
        case .loadFinished: "finished"
        default: nil
        }
      }
      #expect(steps == ["started", "committed", "finished"])
      #expect(page.view.url == "creative://test/index.html")
    }

    @Test(
      "of a dialog, which is answered at once",
      arguments: [
        ("alert('hi')", "alert", "undefined"), ("confirm('sure?')", "confirm", "true"),
        ("prompt('name?', 'Ann')", "prompt", "Ann"),
      ])
    @EngineActor func dialogs(call: String, kind: String, answer: String) async {
      let page = LivePage(html: "<script>\(Self.post(call))</script>")
      #expect(await page.open())
      #expect(await page.says(answer))
      #expect(await page.hears { if case .dialog(kind, _) = $0 { true } else { false } })
    }

    @Test("of a popup, which gets no window, and whether a gesture asked for it")
    @EngineActor func popups() async throws {
      let page = LivePage(
        html: """
          <body style="height:100vh;margin:0"><script>
          \(Self.post("window.open('https://a.example/') === null"));
          addEventListener("click", () => { window.open("https://b.example/"); });
          </script>
          """)
      #expect(await page.open())
      #expect(await page.says("true"))
      await page.view.tap(x: 30, y: 20)
      #expect(
        await page.hears { if case .popup(let request) = $0 { request.url == "https://b.example/" } else { false } })
      let gestures = page.events.compactMap { event -> Bool? in
        if case .popup(let request) = event { request.gesture } else { nil }
      }
      #expect(gestures == [false, true])
    }

    @Test("where a frame wants to go, and obeys the answer")
    @EngineActor func navigations() async throws {
      let page = LivePage(["index.html": "<a id='a' href='next.html'>x</a>", "next.html": "next"])
      #expect(await page.open())
      page.view.decideNavigation = { _ in false }
      _ = try await page.view.call("document.querySelector('a').click()")
      #expect(
        await page.hears { if case .navigation(let request, false) = $0 { request.kind == .link } else { false } })
      #expect(page.view.url == "creative://test/index.html")
    }

    @Test("of a download, which doesn't happen", arguments: ["file.bin", "attribute"])
    @EngineActor func downloads(way: String) async throws {
      let page = LivePage([
        "index.html": "<a id='a' href='page.html' download='x'>x</a>", "file.bin": "\u{1}\u{2}", "page.html": "x",
      ])
      #expect(await page.open())
      if way == "attribute" {
        _ = try await page.view.call("document.querySelector('a').click()")
      } else {
        page.view.load("creative://test/file.bin")
      }
      #expect(await page.hears { if case .download = $0 { true } else { false } })
      #expect(page.view.url == "creative://test/index.html" || way == "file.bin")
    }

    @Test("of every resource, its status, type and size, missing ones included")
    @EngineActor func resources() async {
      let page = LivePage(["index.html": "<script src='a.js'></script><img src='none.png'>", "a.js": "var a = 1;"])
      #expect(await page.open())
      #expect(await page.hears { if case .resource(let load) = $0 { load.index == 2 } else { false } })
      let loads = page.events.compactMap { event -> ResourceLoad? in
        if case .resource(let load) = event { load } else { nil }
      }
      .sorted { $0.index < $1.index }
      // The engine's preloader and its parser each ask for what is missing.
      #expect(loads.prefix(3).map(\.url) == ["index.html", "a.js", "none.png"].map { "creative://test/\($0)" })
      #expect(loads.prefix(3).map(\.status) == [200, 200, 404])
      #expect(loads[1].bytes == 10)
      #expect(loads[1].mimeType == "text/javascript")
      #expect(loads.allSatisfy { $0.end >= $0.start && $0.start >= 0 })
    }

    @Test("that a page wants to close itself, and stays")
    @EngineActor func closes() async throws {
      let page = LivePage(html: "x")
      #expect(await page.open())
      _ = try await page.view.call("window.close()", world: .page)
      _ = try await page.view.call("return 1")
    }

    @Test("that a load failed, and lives on")
    @EngineActor func failed() async throws {
      let page = LivePage(html: "x")
      page.view.load(LoadableAddress(trusted: try LocalServer.refusedAddress()))
      #expect(await page.hears { if case .loadFailed(_, _, false) = $0 { true } else { false } })
      #expect(await page.open())
    }

    @Test("what a page may not have, and denies it")
    @EngineActor func permissions() async throws {
      let page = LivePage(
        html: """
          <script>navigator.geolocation.getCurrentPosition(() => {}, (e) => \(Self.post("'denied ' + e.code")))</script>
          """)
      #expect(await page.open())
      #expect(await page.says("denied 1"))
      #expect(await page.hears { if case .permission = $0 { true } else { false } })
    }
  }
}
