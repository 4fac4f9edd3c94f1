import Core
import Engine
import Foundation
import MRAID
import RenderModel
import Testing
import WebKitRuntime

@testable import Rendering

extension LiveWebKit {
  @Suite("A render ends")
  struct EndingTests {
    @Test("with the creative's fault when it can't be opened, and still with a record on disk")
    @EngineActor func noIndex() async throws {
      let result = try await TestRender.shared.render(files: ["other.html": "x"])
      #expect(result.record.outcome == .failed)
      #expect(result.record.code == "index-missing")
      #expect(result.record.origin == .creative)
      #expect(result.events.isEmpty)
      #expect(FileManager.default.fileExists(atPath: result.folder + "/result.json"))
    }

    @Test(
      "at its deadline, saying that a script never yields or what was going on",
      arguments: [
        ("<script>for (;;) {}</script>", nil, "busy"),
        ("<p>x", "- wait: {event: creative/unload, timeout: 60}", "scenario hadn't ended"),
      ] as [(String, String?, String)])
    @EngineActor func deadline(html: String, scenario: String?, words: String) async throws {
      let options = TestRender.Options(isolation: .process, limits: Limits(timeout: 1), scenario: scenario)
      let began = ContinuousClock.now
      let result = try await TestRender.shared.render(html: html, options)
      #expect(ContinuousClock.now - began < .seconds(5))
      #expect(result.record.outcome == .timedOut)
      #expect(result.record.code == "deadline-exceeded")
      #expect(result.record.message?.contains(words) == true, "\(result.record.message ?? "")")
    }

    @Test("at a deadline that nobody could keep without blaming the page")
    @EngineActor func shortDeadline() async throws {
      let options = TestRender.Options(isolation: .process, limits: Limits(timeout: 0.2))
      let result = try await TestRender.shared.render(html: "<script>for (;;) {}</script>", options)
      #expect(result.record.outcome == .timedOut)
      #expect(result.record.message?.contains("still loading") == true, "\(result.record.message ?? "")")
    }

    @Test("at its deadline without costing the next of a shared session")
    @EngineActor func sharedDeadline() async throws {
      let render = TestRender()
      let hung = try await render.render(
        html: "<script>for (;;) {}</script>", TestRender.Options(limits: Limits(timeout: 1)))
      #expect(hung.record.outcome == .timedOut)
      for _ in 0..<2 {
        let next = try await render.render(html: "<p>x")
        #expect(next.record.outcome == .completed, "\(next.record.message ?? "")")
      }
    }

    @Test("soon after a page that goes to its next one in `ready`")
    @EngineActor func navigatesInReady() async throws {
      let began = ContinuousClock.now
      let result = try await TestRender.shared.render(
        files: [
          "index.html": "<script>mraid.addEventListener('ready', () => { location.href = 'next.html'; })</script>",
          "next.html": "<!doctype html><title>next</title><body style='background:#123456'>",
        ], TestRender.Options(scenario: "- wait: {event: navigation}\n- expect: {evaluate: {document.title: next}}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(ContinuousClock.now - began < .seconds(5))
      #expect(result.record.screenshots.count >= 1)
    }

    @Test("with one warning for a page that reloads", arguments: [RenderOptions.Clock.virtual, .real])
    @EngineActor func reloads(clock: RenderOptions.Clock) async throws {
      let page = """
        <script>
        const loads = Number(sessionStorage.loads ?? 0) + 1;
        sessionStorage.loads = loads;
        if (loads < LIMIT) setTimeout(() => location.reload(), 300);
        </script>x
        """
      for (limit, warnings) in [(1, 0), (3, 1)] {
        let result = try await TestRender.of(clock).render(
          html: page.replacing("LIMIT", with: "\(limit)"),
          TestRender.Options(scenario: "- wait: {seconds: 2}", clock: clock))
        #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
        let said = result.record.warnings.filter { $0.contains("reloaded its document") }
        #expect(said.count == warnings, "\(result.record.warnings)")
        #expect(result.events("page/navigation").count == limit - 1)
      }
    }

    @Test("soon for a page that never stops loading or asking")
    @EngineActor func endlessRequests() async throws {
      let result = try await TestRender.shared.render(
        html: "<script>setInterval(() => fetch('none?' + Math.random()), 5)</script>x",
        TestRender.Options(limits: Limits(timeout: 8)))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.screenshots.count == 1)
    }

    @Test("with a bounded log for a page that calls the bridge without measure")
    @EngineActor func flood() async throws {
      let result = try await TestRender.shared.render(
        html: """
          <script>for (let i = 0; i < 10200; i++) mraid.close(); for (let i = 0; i < 600; i++) console.log(i);</script>x
          """)
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.events.count == 10_000)
      #expect(result.events.last?.name == "logTruncated")
    }

    @Test("with an address's content, redirects followed")
    @EngineActor func address() async throws {
      let server = try LocalServer { path in
        path == "/ad"
          ? .init(body: "<!doctype html><title>there</title><body style='background:#123456'>")
          : .init(status: 302, headers: ["Location": "/ad"], body: "")
      }
      let result = try await TestRender.shared.render(
        url: server.url("/start"), TestRender.Options(scenario: "- expect: {evaluate: {document.title: there}}"))
      #expect(result.record.outcome == .completed, "\(result.record.message ?? "")")
      #expect(result.record.creative.kind == "url")
      #expect(result.record.states == [.default])
    }

    @Test(
      "soon with ad-load-failed when an address gives no page",
      arguments: [
        "/missing", "/broken", "/file.zip", "/loop", "/port", "/refused",
      ])
    @EngineActor func badAddress(path: String) async throws {
      let server = try LocalServer { path in
        switch path {
        case "/broken": .init(status: 500, body: "<p>broken")
        case "/file.zip": .init(type: "application/zip", body: "PK")
        case "/loop": .init(status: 302, headers: ["Location": "/loop"], body: "")
        default: .init(status: 404, body: "<p>missing")
        }
      }
      let url =
        ["/port": "http://127.0.0.1:1/", "/refused": try LocalServer.refusedAddress()][path] ?? server.url(path)
      let result = try await TestRender.shared.render(url: url, TestRender.Options(limits: Limits(timeout: 5)))
      #expect(result.record.outcome == .failed)
      #expect(
        ["ad-load-failed", "navigation-loop"].contains(result.record.code),
        "\(result.record.code ?? "") \(result.record.message ?? "")")
      #expect(result.record.origin == .creative)
      #expect(result.events("ad/failedToLoad").count == 1 || result.record.code == "navigation-loop")
    }

    @Test("with the caller's fault when its results can't be written")
    @EngineActor func unwritable() async throws {
      let owner = try TemporaryFolder()
      try owner.write("creative/index.html", "x")
      try owner.write("out-1", "a file in the way")
      let result = try await TestRender().render(path: owner.path + "/creative", TestRender.Options(), owner: owner)
      #expect(result.record.outcome == .failed)
      #expect(result.record.code == "output-unwritable")
      #expect(result.record.origin == .request)
    }
  }
}

extension LiveWebKit {
  @Suite("A web process")
  struct ProcessTests {
    /// The web processes below this one.
    static func webProcesses() -> Set<Int32> {
      Set(
        ProcFS.descendants(of: getpid()).map(\.id).filter { process in
          let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
          // Programs that other tests run meanwhile have web processes of their own, further down.
          return status.hasPrefix("Name:\tWebKitWebProces") && status.contains("\nPPid:\t\(getpid())\n")
        })
    }

    @Test("that the host ends is told as such, and the view can be used again")
    @EngineActor func terminated() async throws {
      let page = LivePage(html: "x")
      #expect(await page.open())
      page.view.terminate()
      #expect(await page.hears { if case .processEnded(.terminatedByHost) = $0 { true } else { false } })
    }

    @Test("that is killed is told as a crash")
    @EngineActor func killed() async throws {
      let before = Self.webProcesses()
      let page = LivePage(html: "x")
      #expect(await page.open())
      let mine = Self.webProcesses().subtracting(before)
      #expect(mine.count == 1)
      for process in mine { kill(process, SIGKILL) }
      #expect(await page.hears { if case .processEnded(.crashed) = $0 { true } else { false } })
      await #expect(throws: ScriptError.self) { try await page.view.call("return 1") }
    }

    @Test("is its session's own, and a related view's is shared")
    @EngineActor func shared() async throws {
      let before = Self.webProcesses()
      let (one, other) = (LivePage(html: "x"), LivePage(html: "x"))
      #expect(await one.open())
      #expect(await other.open())
      #expect(Self.webProcesses().subtracting(before).count == 2)
      let related = WebView(
        session: one.session,
        configuration: WebView.Configuration(
          width: 10, height: 10, userAgent: "x", touch: true),
        related: one.view)
      let isLoaded = AsyncStream<Void>.makeStream()
      related.onEvent = { event in if case .loadFinished = event { isLoaded.continuation.yield() } }
      related.load("creative://test/index.html")
      for await _ in isLoaded.stream { break }
      #expect(try await related.call("return 1") == "1")
      #expect(Self.webProcesses().subtracting(before).count == 2)
    }

    @Test("killed under a render makes its outcome crashed, and the next render has a new one")
    @EngineActor func killedUnderRender() async throws {
      let before = Self.webProcesses()
      let render = TestRender()
      var killed = 0
      let options = TestRender.Options(isolation: .process, scenario: "- wait: {event: creative/unload, timeout: 15}")
      let result = try await render.render(html: "<p>x", options) { phase in
        guard phase == "rendering" else { return }
        for process in Self.webProcesses().subtracting(before) where kill(process, SIGKILL) == 0 { killed += 1 }
      }
      #expect(killed == 1)
      #expect(result.record.outcome == .crashed)
      #expect(result.record.code == "web-process-crashed")
      #expect(result.events("page/webProcessEnded").count == 1)
      let next = try await render.render(html: "<p>x", TestRender.Options(isolation: .process))
      #expect(next.record.outcome == .completed)
    }

    @Test("killed under a render of a shared session doesn't cost the next")
    @EngineActor func killedUnderShared() async throws {
      let before = Self.webProcesses()
      let render = TestRender()
      let options = TestRender.Options(scenario: "- wait: {event: creative/unload, timeout: 15}")
      let result = try await render.render(html: "<p>x", options) { phase in
        guard phase == "rendering" else { return }
        for process in Self.webProcesses().subtracting(before) { kill(process, SIGKILL) }
      }
      #expect(result.record.outcome == .crashed)
      for _ in 0..<2 {
        let next = try await render.render(html: "<p>x", TestRender.Options())
        #expect(next.record.outcome == .completed, "\(next.record.message ?? "")")
        #expect(next.record.screenshots.count == 1)
      }
    }

    @Test("doesn't outlive its render")
    @EngineActor func gone() async throws {
      let before = Self.webProcesses()
      let render = TestRender()
      for _ in 0..<2 {
        let result = try await render.render(html: "<p>x", TestRender.Options(isolation: .process))
        #expect(result.record.outcome == .completed)
      }
      let began = ContinuousClock.now
      while !Self.webProcesses().isSubset(of: before), ContinuousClock.now - began < .seconds(5) {
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(Self.webProcesses().isSubset(of: before))
    }
  }
}
