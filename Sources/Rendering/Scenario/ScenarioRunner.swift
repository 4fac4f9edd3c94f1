internal import AdManager
internal import Core
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// Carries out a scenario's steps as a person would, one after the other, each once the screen has come to rest.
@WebKitActor struct ScenarioRunner {
  let session: RenderSession
  var render: RenderContext { session.render }
  let scenario: Scenario

  /// Runs every step; throws at the first that can't be done or doesn't hold.
  func run() async throws(Fault) {
    for step in scenario.steps {
      do {
        try await carryOut(step.action)
      } catch {
        throw Fault(error.blame, error.code, "\(scenario.source):\(step.line): \(error.message)")
      }
    }
  }

  private func carryOut(_ action: Scenario.Action) async throws(Fault) {
    switch action {
    case .wait(let condition): try await wait(for: condition)
    case .tap(let target):
      if let page = try await tap(target) { await rest(after: page) } else { await rest() }
    case .swipe(let from, let to):
      try await swipe(from: from, to: to)
      await rest()
    case .swipeOver(let selector, let direction):
      try await swipe(over: selector, direction)
      await rest()
    case .choose(let option, let from):
      try await choose(option, from: from)
      await rest()
    case .type(let text, let into):
      try await type(text, into: into)
      await rest()
    case .screenshot(let name): try await screenshot(name)
    case .evaluate(let script): try await evaluate(script)
    case .observe(let moment): try await observe(moment)
    case .reach(let state): await reach(state)
    case .app(let event):
      guard let feed = session.feed else {
        throw .request("no-feed", "only a feed has an app around it: --placement feed")
      }
      try await feed.happen(event)
      await rest()
    case .expect(let expectations):
      await rest()
      for expectation in expectations { try await ExpectationCheck(render: render).verify(expectation) }
    case .close, .rotate, .background, .foreground, .volume, .scroll:
      try await actOnHost(action)
      await rest()
    }
  }

  /// What the person does to the device rather than to the ad.
  private func actOnHost(_ action: Scenario.Action) async throws(Fault) {
    let recorder = render.recorder
    switch action {
    case .close:
      await closeControlComes()
      recorder.record(.host, "close")
      guard render.content?.activeAd?.manager.closeTopmost() == true else {
        throw .request("nothing-to-close", "nothing on screen has a close control")
      }
    case .rotate(let orientation):
      let turned = await render.stage.rotate(to: orientation)
      recorder.record(.host, "rotate", ["to": .string(orientation.rawValue), "allowed": .bool(turned)])
      if let feed = session.feed {
        try await feed.keepPlace()
      }
      session.ad?.html.creative?.screenDidChange()
    case .background: setForeground(false)
    case .foreground: setForeground(true)
    case .volume(let volume):
      recorder.record(.host, "volume", ["to": volume.map { .number($0) } ?? .null])
      for ad in session.shownAds { ad.html.creative?.volumeDidChange(volume) }
    case .scroll(let offset):
      if let feed = session.feed {
        try await feed.tour.scroll(to: offset)
        return try await feed.tour.stop()
      }
      recorder.record(.host, "scroll", ["to": .number(offset)])
      render.stage.scroll(to: offset)
      session.ad?.html.creative?.screenDidChange()
    default: break
    }
  }

  /// A person who wants to close waits for the control.
  private func closeControlComes() async {
    let modals = render.modalManager
    guard let left = modals.stack.top?.properties.closeDelayLeft, left > 0 else { return }
    _ = await render.recorder.wait(Bounded.seconds(left + 5)) {
      (modals.stack.top?.properties.closeDelayLeft ?? 0) <= 0
    }
  }

  private func setForeground(_ isForeground: Bool) {
    render.recorder.record(.host, isForeground ? "foreground" : "background")
    render.stage.setForeground(isForeground)
    session.feed?.screenDidChange()
    for ad in session.shownAds {
      if isForeground { ad.manager.resume() } else { ad.manager.pause() }
    }
  }

  /// Lets the page handle what just happened, and whatever that leads to.
  func rest() async {
    if let page = render.stage.topAdPage { await page.drawsTwoFrames(render.clock) }
    await becomesQuiet()
  }

  /// The same for a person's touch of this page.
  private func rest(after touched: AdPage) async {
    await touched.inputIsHandled(render.clock, render.recorder)
    await becomesQuiet()
  }

  private func becomesQuiet() async {
    _ = await session.stability.becomesQuiet()
    render.flushNetwork()
  }

  private func wait(for wait: Scenario.WaitCondition) async throws(Fault) {
    let timeout = Bounded.seconds(wait.timeout)
    await render.films.release()
    switch wait.condition {
    case .seconds(let seconds):
      await render.clock.sleep(for: Bounded.seconds(seconds))
      await render.films.hold()
    case .event(let name, let count):
      guard let pattern = EventPattern(name) else { throw .request("scenario-invalid", "\(name) is no event name") }
      let recorder = render.recorder
      guard await render.films.hold(timeout, when: { recorder.count(pattern) >= count }) else {
        throw .creative(
          "wait-timed-out",
          "waited \(wait.timeout.plain) s for \(name)\(count > 1 ? " ×\(count)" : ""), which came \(recorder.count(pattern)) times"
        )
      }
      await rest()
    case .visible(let selector):
      try await awaitSight(of: selector, timeout)
      await render.films.hold()
    case .state(let state):
      guard await render.films.hold(timeout, when: { [render] in render.activeState == state })
      else {
        throw .creative(
          "wait-timed-out", "waited \(wait.timeout.plain) s for the state \(state.rawValue); it is \(render.stateName)"
        )
      }
      await rest()
    }
  }

  func screenshot(_ name: String) async throws(Fault) {
    do {
      try await session.screenshots.take(name)
    } catch {
      throw .engine("picture-failed", "no picture \(name): \(error)")
    }
  }

  private func evaluate(_ script: String) async throws(Fault) {
    guard let page = render.stage.topAdPage else { return }
    do {
      _ = try await page.evaluate(script)
    } catch {
      throw .creative("script-failed", "the script threw: \(error)")
    }
    await rest()
  }
}

extension ScenarioRunner {
  /// Types into what has the focus.
  func type(_ text: String, into target: Scenario.Target?) async throws(Fault) {
    if let target {
      if let page = try await tap(target) { await page.inputIsHandled(render.clock, render.recorder) }
    }
    guard let page = render.stage.topAdPage else { return }
    record("type", ["text": .string(text)])
    page.view.input.focus()
    for character in text.unicodeScalars {
      page.view.input.key(character)
      // The engine sends the release once the press is handled: one call for each, or the next step overtakes keys.
      for _ in 0..<2 { _ = try? await page.view.call("") }
    }
  }

  /// Taps a `select` and picks from the list that opens.
  func choose(_ option: String, from target: Scenario.Target) async throws(Fault) {
    try await tap(target)
    guard let page = render.stage.topAdPage else { return }
    // The list opens by the click, which follows the touch.
    let input = page.view.input
    for _ in 0..<Self.patienceForList where input.openOptions == nil { await page.drawsTwoFrames(render.clock) }
    guard let options = page.view.input.openOptions else {
      throw .creative("no-list", "no list opened to choose \(option) from")
    }
    record("choose", ["option": .string(option)])
    guard page.view.input.pick(option) else {
      page.view.input.dismissOptions()
      let all = options.map { "\"\($0)\"" }.joined(separator: ", ")
      throw .creative("no-such-option", "no option reads \(option); there are \(all)")
    }
  }

  /// How often a page is given two frames to open a list.
  private static let patienceForList = 10
}

extension ScenarioRunner {
  /// Waits until the first match can be seen: laid out, not hidden, with a size.
  func awaitSight(of selector: String, _ timeout: Duration) async throws(Fault) {
    let script = """
      const element = Document.prototype.querySelector.call(document, selector);
      if (!element || !element.checkVisibility({ visibilityProperty: true })) return false;
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.height > 0;
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
      if answer == "true" { return await rest() }
      _ = await render.recorder.wait(Self.look) { [render] in render.failure != nil }
    }
    throw .creative("wait-timed-out", "waited \(timeout.seconds) s to see \(selector)")
  }

  /// How often the page is asked.
  private static let look = Duration.milliseconds(50)
}

extension Duration {
  /// `0.5` or `3`, for messages.
  fileprivate var seconds: String {
    let seconds = self / .seconds(1)
    return seconds.plain
  }
}
