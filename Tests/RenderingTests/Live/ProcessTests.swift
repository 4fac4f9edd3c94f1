import Foundation
import Jobs
import Testing
import WebKitRuntime

@testable import Rendering

extension LiveWebKit {
  @Suite("A web process")
  struct ProcessTests {
    /// The web processes below this one.
    static func webProcesses() -> Set<Int32> {
      Set(
        MemoryWatch.descendants(of: getpid()).filter { process in
          let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
          // Programs that other tests run meanwhile have web processes of their own, further down.
          return status.hasPrefix("Name:\tWebKitWebProces") && status.contains("\nPPid:\t\(getpid())\n")
        })
    }

    @Test("that the host ends is told as such, and the view can be used again")
    @WebKitActor func terminated() async throws {
      let page = LivePage(html: "x")
      #expect(await page.open())
      page.view.terminate()
      #expect(await page.hears { if case .processEnded(.terminatedByHost) = $0 { true } else { false } })
    }

    @Test("that is killed is told as a crash")
    @WebKitActor func killed() async throws {
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
    @WebKitActor func shared() async throws {
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
    @WebKitActor func killedUnderRender() async throws {
      let before = Self.webProcesses()
      let render = TestRender()
      var killed = 0
      let options = TestRender.Options(isolation: .process, scenario: "- wait: {event: never, timeout: 15}")
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
    @WebKitActor func killedUnderShared() async throws {
      let before = Self.webProcesses()
      let render = TestRender()
      let options = TestRender.Options(scenario: "- wait: {event: never, timeout: 15}")
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
    @WebKitActor func gone() async throws {
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
