internal import Core
internal import Engine
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// Takes a snapshot of each state that the ad reaches, once the action before has had an effect.
@EngineActor struct StateWatcher {
  let run: RenderRun
  private var render: RenderContext { run.render }
  /// Time for an action without an effect so far: pages react after animations and timers of their own.
  private static let patience = Duration.milliseconds(600)
  /// Interval at which the page is checked meanwhile.
  private static let glance = Duration.milliseconds(100)
  /// Maximum seconds of watching before a state that was found later is no longer waited for.
  private static let longestWatch = 5.0

  /// Waits until the ad has come to rest, then takes a snapshot and a screenshot.
  func observe(_ moment: String) async throws(Fault) {
    let inspector = PageInspector(render: render, addresses: run.context.addresses)
    await isIdleForRequestedTime()
    if let before = run.observations.last {
      await awaitChange(since: before, inspector)
      await isIdleForRequestedTime()
    }
    let last = run.observations.isEmpty ? nil : render.capturer.lastAd
    try await run.screenshots.capture(step: moment)
    var seen = await inspector.observe(moment)
    seen.changed = await inspector.change(since: last, to: render.capturer.lastAd)
    seen.picture = render.capturer.screenshots.last?.name
    seen.game = run.playedGame
    run.playedGame = nil
    run.observations.append(seen)
  }

  /// Waits until the screen shows the state again, which may have been found long after the load.
  ///
  /// An element to be tapped may appear late. If the state doesn't come again, the present one is used.
  func reach(_ state: StateSignature) async {
    let inspector = PageInspector(render: render, addresses: run.context.addresses)
    let longest = min(render.job.options.idleTime ?? Meter.measureTime, Self.longestWatch)
    let end = render.clock.now + Bounded.seconds(longest) + Self.patience
    while render.clock.now < end, render.failure == nil, !Task.isCancelled {
      if StateSignature(await inspector.observe("")) == state { return }
      await render.clock.sleep(for: Self.glance)
    }
  }

  private func isIdleForRequestedTime() async {
    await run.stability.waitForStableState(for: render.job.options.idleTime ?? StabilityWaiter.rest)
    await run.stability.waitForNavigationToSettle()
    _ = await run.stability.waitUntilIdle()
    render.flushNetwork()
  }

  /// Returns once the action since that snapshot has had an effect, or the time for it is over.
  private func awaitChange(since before: PageSnapshot, _ inspector: PageInspector) async {
    let recorder = render.recorder
    let end = render.clock.now + Self.patience
    while render.clock.now < end {
      let isDone: @EngineActor () -> Bool = { recorder.events.dropFirst(before.events).contains(where: \.isEffect) }
      if isDone() || render.failure != nil { return }
      let now = await inspector.observe("")
      if !now.hasSamePage(as: before) { return }
      _ = await recorder.wait(Self.glance, until: isDone)
    }
    // On a busy machine what the page wanted to do meanwhile may be late; it goes before a timer that begins now.
    guard !render.clock.isVirtual else { return }
    _ = try? await render.stage.topAdPage?.view.call("await new Promise((done) => setTimeout(done, 0)); return 0;")
  }
}
