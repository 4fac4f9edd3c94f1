internal import Core
internal import Engine
internal import Hosting
internal import RenderModel

/// Performs a scenario's steps as a user would, one after the other, each once the screen has come to rest.
@EngineActor struct ScenarioRunner {
  private let renderRun: RenderRun
  private let scenario: Scenario
  private let gestures: Gestures
  private let host: HostActions
  private let waits: ScenarioWaits
  private let states: StateWatcher

  private var render: RenderContext { renderRun.render }

  init(_ run: RenderRun, _ scenario: Scenario) {
    (renderRun, self.scenario) = (run, scenario)
    (gestures, host) = (Gestures(run: run), HostActions(run: run))
    (waits, states) = (ScenarioWaits(run: run), StateWatcher(run: run))
  }

  /// Runs all steps; throws at the first that can't be performed or whose expectation isn't met.
  func run() async throws(Fault) {
    render.steps = []
    for step in scenario.steps {
      let start = render.recorder.now
      do {
        if render.camera != nil, step.action.isGesture { await render.clock.sleep(for: Self.pause) }
        try await carryOut(step.action)
      } catch {
        note(step, since: start, failure: error.message, candidates: await candidates(for: step.action, error))
        await picture(error)
        throw Fault(error.origin, error.code, "\(scenario.source):\(step.line): \(error.message)")
      }
      note(step, since: start)
    }
  }

  /// Pause before a gesture in a recording, so that viewers see the state before it.
  private static let pause = Duration.milliseconds(900)

  /// Records the result of a step, except of steps that have no text.
  private func note(
    _ step: Scenario.Step, since start: Double, failure: String? = nil, candidates: [String]? = nil
  ) {
    guard let text = step.action.text else { return }
    render.steps?.append(
      RenderRecord.Step(
        line: step.line, text: text.cut(to: Self.longest), start: start, end: max(start, render.recorder.now),
        failure: failure, candidates: candidates))
  }

  /// Maximum number of characters of a step that a record keeps, as scripts may be long.
  private static let longest = 300

  /// Ids that a selector without a match could have meant; nil for any other failure.
  private func candidates(for action: Scenario.Action, _ fault: Fault) async -> [String]? {
    guard fault.has(.elementMissing), let selector = action.selector else { return nil }
    return await TargetFinder(run: renderRun).candidates(for: selector)
  }

  /// Takes a screenshot after a step that failed by the creative's fault; none while exploring, which takes its own, or
  /// if the render is over.
  private func picture(_ fault: Fault) async {
    guard fault.origin == .creative, !render.job.options.explores, render.failure == nil else { return }
    // That there is no picture of it isn't why the render fails.
    try? await renderRun.screenshots.capture(step: "failed")
  }

  private func waitUntilIdle(after page: AdPage?) async {
    if let page { await waits.waitUntilIdle(after: page) } else { await waits.waitUntilIdle() }
  }

  private func carryOut(_ action: Scenario.Action) async throws(Fault) {
    switch action {
    case .wait(let condition): try await waits.wait(for: condition)
    case .tap(let target): await waitUntilIdle(after: try await gestures.tap(target))
    case .tapCovered(let selector):
      await waitUntilIdle(after: try await gestures.tap(.selector(selector), mayBeCovered: true))
    case .press(let target, let seconds):
      await waitUntilIdle(after: try await gestures.press(target, for: seconds))
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
    case .screenshot(let name): try await renderRun.screenshots.capture(step: name)
    case .evaluate(let script): try await evaluate(script)
    case .observe(let moment): try await states.observe(moment)
    case .reach(let state): await states.reach(state)
    case .play(let budget):
      let session = GameSession(run: renderRun, budget: budget) { action async throws(Fault) in
        try await carryOut(action)
      }
      renderRun.playedGame = try await session.play()
    case .app(let event):
      guard let feed = renderRun.feed else {
        throw .request("feed-required", "this step requires a feed: --placement feed")
      }
      try await feed.applyAppEvent(event)
      await waits.waitUntilIdle()
    case .expect(let expectations):
      await waits.waitUntilIdle()
      for expectation in expectations { try await ExpectationCheck(render: render).verify(expectation) }
    case .close, .rotate, .background, .foreground, .volume, .scroll:
      try await host.carryOut(action)
      await waits.waitUntilIdle()
    }
  }

  private func evaluate(_ script: String) async throws(Fault) {
    guard let page = render.stage.topAdPage else { return }
    do {
      _ = try await page.evaluate(script)
    } catch {
      throw .creative("script-failed", "the script threw: \(error)")
    }
    await waits.waitUntilIdle()
  }
}

extension Scenario.Action {
  /// Indicates that a user performs the step by hand.
  fileprivate var isGesture: Bool {
    switch self {
    case .tap, .tapCovered, .press, .swipe, .swipeOver, .type, .choose, .close, .rotate: true
    default: false
    }
  }
}
