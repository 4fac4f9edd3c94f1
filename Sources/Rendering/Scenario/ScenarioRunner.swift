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
    session.render.steps = []
    for step in scenario.steps {
      let start = session.render.recorder.now
      do {
        if session.render.camera != nil, step.action.isGesture { await session.render.clock.sleep(for: Self.pause) }
        try await carryOut(step.action)
      } catch {
        note(step, since: start, failure: error.message, candidates: await candidates(for: step.action, error))
        await picture(error)
        throw Fault(error.origin, error.code, "\(scenario.source):\(step.line): \(error.message)")
      }
      note(step, since: start)
    }
  }

  /// What people who look at a film need to see what there is before something is done with it.
  private static let pause = Duration.milliseconds(900)

  /// Keeps how a step went, but for those that no file can hold.
  private func note(
    _ step: Scenario.Step, since start: Double, failure: String? = nil, candidates: [String]? = nil
  ) {
    guard let text = step.action.text else { return }
    session.render.steps?.append(
      RenderRecord.Step(
        line: step.line, text: text.cut(to: Self.longest), start: start, end: max(start, session.render.recorder.now),
        failure: failure, candidates: candidates))
  }

  /// Characters of a step that a record keeps: scripts may be long.
  private static let longest = 300

  /// What a selector that matched nothing could have meant; nil for any other failure.
  private func candidates(for action: Scenario.Action, _ fault: Fault) async -> [String]? {
    guard fault.code == "element-missing", let selector = action.selector else { return nil }
    return await TargetFinder(session: session).candidates(for: selector)
  }

  /// What the screen showed when a step failed; exploring looks for itself, and a render that is over shows nothing.
  private func picture(_ fault: Fault) async {
    guard fault.origin == .creative, !session.render.job.options.explores, session.render.failure == nil else { return }
    // That there is no picture of it isn't why the render fails.
    try? await session.screenshots.takeScreenshot(step: "failed")
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

extension Scenario.Action {
  /// Whether a person does it with a hand.
  fileprivate var isGesture: Bool {
    switch self {
    case .tap, .swipe, .swipeOver, .type, .choose, .close, .rotate: true
    default: false
    }
  }
}
