import Core
import Engine
import RenderModel
import Testing
import WebKitRuntime

extension LiveWebKit {
  @Suite("Frames of a clock that steps")
  struct FrameTests {
    @Test("come as ever while a neighbour's display falls asleep")
    @EngineActor func neighbours() async throws {
      let (phases, phase) = AsyncStream.makeStream(of: String.self)
      let neighbour = Task { @EngineActor in
        defer { phase.finish() }
        // It draws on for the first second or two of the other's time; soon after its display link is parked.
        return try await TestRender().render(
          html: Self.page(frames: 100), TestRender.Options(measures: true, watch: 2)
        ) { phase.yield($0) }
      }
      for await name in phases where name == "rendering" { break }

      let beside = try await Self.changes()
      #expect(try await neighbour.value.record.outcome == .completed)
      let alone = try await Self.changes()
      #expect(alone.count > 20)
      #expect(beside == alone)
    }

    @Test("come as ever while the machine has others' work to do", arguments: 1...3)
    @EngineActor func busyMachine(again: Int) async throws {
      let alone = try await Self.changes()
      // Whatever goes by way of another thread is late, by several times what a frame takes.
      let others = (0..<8).map { _ in
        Task.detached {
          while !Task.isCancelled {
            let end = ContinuousClock.now + .milliseconds(2)
            while ContinuousClock.now < end {}
            await Task.yield()
          }
        }
      }
      defer { for other in others { other.cancel() } }
      #expect(try await Self.changes() == alone)
    }

    @Test("don't come while a filmstrip is written")
    @EngineActor func filmstrip() async throws {
      var options = TestRender.Options(limits: Limits(timeout: 60), measures: true, watch: 1, clock: .virtual)
      options.captures.filmstrip = CaptureSchedule.Filmstrip(interval: 0.05, length: 2)
      let rendered = try await TestRender(extensionDirectory: WebExtension.folder).render(
        html: Self.page(frames: 400), options)
      #expect(rendered.record.filmstrip?.frames == 41)
      #expect(try rendered.measurements().motion?.from == 2_000)
    }

    @Test("don't put off timers") @EngineActor func timers() async throws {
      let page = """
        <script>
        const begin = performance.now();
        let ticks = 0;
        const tick = () => {
          ticks += 1;
          if (ticks < 40) setTimeout(tick, 41);
          else console.log("facts " + JSON.stringify({ late: performance.now() - begin - 40 * 41 }));
        };
        setTimeout(tick, 41);
        const frame = () => { if (ticks < 40) requestAnimationFrame(frame); };
        frame();
        </script>
        """
      let options = TestRender.Options(scenario: "- wait: {event: console}", clock: .virtual)
      let rendered = try await TestRender(extensionDirectory: WebExtension.folder).render(html: page, options)
      let late = try #require(rendered.facts()?["late"]?.number, "\(rendered.record.message ?? "")")
      #expect((0...1).contains(late.rounded()))
    }

    /// Returns the times at which a constantly changing page was found changed, in milliseconds.
    @EngineActor private static func changes() async throws -> [Double] {
      let render = TestRender(extensionDirectory: WebExtension.folder)
      let options = TestRender.Options(
        isolation: .process, limits: Limits(timeout: 60), measures: true, watch: 3, clock: .virtual)
      return try await render.render(html: page(frames: 400), options).measurements().motion?.steps.map(\.t) ?? []
    }

    /// Returns a page whose colour changes with every seventh frame, out of step with the screenshots.
    private static func page(frames: Int) -> String {
      """
      <script>
      let count = 0;
      const frame = () => {
        document.documentElement.style.background = Math.floor(count / 7) % 2 ? "#fff" : "#060";
        if (++count < \(frames)) requestAnimationFrame(frame);
      };
      frame();
      </script>
      """
    }
  }
}
