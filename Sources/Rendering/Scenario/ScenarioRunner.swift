internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Carries out a scenario's steps as a person would, one after the other, each once the screen has come to rest.
@WebKitActor struct ScenarioRunner {
  private let session: RenderSession
  private let scenario: Scenario
  private let gestures: Gestures
  private let host: HostActions
  private let waits: ScenarioWaits
  private let states: StateWatcher

  init(session: RenderSession, scenario: Scenario) {
    (self.session, self.scenario) = (session, scenario)
    (gestures, host) = (Gestures(session: session), HostActions(session: session))
    (waits, states) = (ScenarioWaits(session: session), StateWatcher(session: session))
  }

  /// Runs every step; throws at the first that can't be done or doesn't hold.
  func run() async throws(Fault) {
    for step in scenario.steps {
      do {
        try await carryOut(step.action)
      } catch {
        throw Fault(error.origin, error.code, "\(scenario.source):\(step.line): \(error.message)")
      }
    }
  }

  private func carryOut(_ action: Scenario.Action) async throws(Fault) {
    switch action {
    case .wait(let condition): try await waits.wait(for: condition)
    case .tap(let target):
      if let page = try await gestures.tap(target) {
        await waits.waitUntilIdle(after: page)
      } else {
        await waits.waitUntilIdle()
      }
    case .swipe(let from, let to):
      try await gestures.swipe(from: from, to: to)
      await waits.waitUntilIdle()
    case .swipeOver(let selector, let direction):
      try await gestures.swipe(over: selector, direction)
      await waits.waitUntilIdle()
    case .choose(let option, let from):
      try await gestures.choose(option, from: from)
      await waits.waitUntilIdle()
    case .type(let text, let into):
      try await gestures.type(text, into: into)
      await waits.waitUntilIdle()
    case .screenshot(let name): try await session.screenshots.takeScreenshot(step: name)
    case .evaluate(let script): try await evaluate(script)
    case .observe(let moment): try await states.observe(moment)
    case .reach(let state): await states.reach(state)
    case .app(let event):
      guard let feed = session.feed else {
        throw .request("feed-required", "only a feed has an app around it: --placement feed")
      }
      try await feed.applyAppEvent(event)
      await waits.waitUntilIdle()
    case .expect(let expectations):
      await waits.waitUntilIdle()
      for expectation in expectations { try await ExpectationCheck(render: session.render).verify(expectation) }
    case .close, .rotate, .background, .foreground, .volume, .scroll:
      try await host.carryOut(action)
      await waits.waitUntilIdle()
    }
  }

  private func evaluate(_ script: String) async throws(Fault) {
    guard let page = session.render.stage.topAdPage else { return }
    do {
      _ = try await page.evaluate(script)
    } catch {
      throw .creative("script-failed", "the script threw: \(error)")
    }
    await waits.waitUntilIdle()
  }
}
