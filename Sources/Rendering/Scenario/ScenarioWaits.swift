internal import AdManager
internal import Core
internal import Engine
internal import Hosting
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// Waits that a scenario asks for, and those after each of its steps.
@EngineActor struct ScenarioWaits {
  let run: RenderRun
  private var render: RenderContext { run.render }

  /// Waits until the page has handled the last event and its consequences.
  func waitUntilIdle() async {
    if let page = render.stage.topAdPage { await page.drawsTwoFrames(render.clock) }
    await waitUntilQuiet()
  }

  /// Waits until this page has handled a touch and its consequences.
  func waitUntilIdle(after touched: AdPage) async {
    await touched.inputIsHandled(render.clock, render.recorder)
    await waitUntilQuiet()
  }

  private func waitUntilQuiet() async {
    _ = await run.stability.waitUntilIdle()
    render.flushNetwork()
  }

  /// Waits for the condition of a step while videos play; they are paused once it holds.
  func wait(for wait: Scenario.WaitCondition) async throws(Fault) {
    let timeout = Bounded.seconds(wait.timeout)
    await render.playedVideos.release()
    switch wait.condition {
    case .seconds(let seconds):
      await render.clock.sleep(for: Bounded.seconds(seconds))
      await render.playedVideos.hold()
    case .event(let name, let count):
      guard let pattern = EventPattern(name) else { throw .request("scenario-invalid", "\(name) isn't an event name") }
      let recorder = render.recorder
      guard await render.playedVideos.hold(timeout, when: { recorder.count(pattern) >= count }) else {
        throw .creative(
          "wait-timed-out",
          "waited \(wait.timeout.plain) s for \(name)\(count > 1 ? " ×\(count)" : ""), which occurred "
            + "\(recorder.count(pattern)) times"
        )
      }
      await waitUntilIdle()
    case .visible(let selector):
      try await waitUntilVisible(of: selector, timeout)
      await render.playedVideos.hold()
    case .state(let state):
      guard await render.playedVideos.hold(timeout, when: { [render] in render.activeState == state })
      else {
        throw .creative(
          "wait-timed-out", "waited \(wait.timeout.plain) s for the state \(state.rawValue); it is \(render.stateName)"
        )
      }
      await waitUntilIdle()
    }
  }

  /// Waits until the first match is visible: laid out, not hidden, with a size.
  private func waitUntilVisible(of selector: String, _ timeout: Duration) async throws(Fault) {
    let script = """
      const found = await galley.find(selector);
      return found !== null && found.isVisible && found.box[2] > 0 && found.box[3] > 0;
      """
    let end = render.clock.now + timeout
    while render.clock.now < end, render.failure == nil {
      let answer: String?
      do {
        answer = try await render.stage.topAdPage?.view.call(script, ["selector": selector])
      } catch {
        // Between two documents; a selector that is none never comes true either, and the message names it.
        answer = nil
      }
      if answer == "true" { return await waitUntilIdle() }
      _ = await render.recorder.wait(Self.look) { [render] in render.failure != nil }
    }
    throw .creative("wait-timed-out", "waited \(timeout.seconds) s to see \(selector)")
  }

  /// Interval between two checks of the page.
  private static let look = Duration.milliseconds(50)
}

extension Duration {
  /// Number of seconds for messages, like `0.5` or `3`.
  fileprivate var seconds: String {
    let seconds = self / .seconds(1)
    return seconds.plain
  }
}
