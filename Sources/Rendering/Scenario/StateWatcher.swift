internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Notes each state that the ad comes to, once what was done to it has led to something.
@WebKitActor struct StateWatcher {
  let session: RenderSession
  private var render: RenderContext { session.render }
  /// How long an action that led to nothing yet is given: pages act after animations and timers of their own.
  private static let patience = Duration.milliseconds(600)
  /// How often the page is looked at meanwhile.
  private static let glance = Duration.milliseconds(100)
  /// Seconds of watching after which a state that was found then isn't waited for any longer.
  private static let longestWatch = 5.0

  /// Lets the ad come to rest, then notes and pictures what is there.
  func observe(_ moment: String) async throws(Fault) {
    let inspector = PageInspector(render: render, addresses: session.context.addresses)
    await isIdleForRequestedTime()
    if let before = session.observations.last {
      await awaitChange(since: before, inspector)
      await isIdleForRequestedTime()
    }
    let last = session.observations.isEmpty ? nil : render.capture.lastAd
    try await session.screenshots.takeScreenshot(step: moment)
    var seen = await inspector.observe(moment)
    seen.changed = await inspector.change(since: last, to: render.capture.lastAd)
    seen.picture = render.capture.screenshots.last?.name
    session.observations.append(seen)
  }

  /// Waits until the screen shows what it showed when the state was found, which may have been much later after the load:
  /// what is to be touched may come by and by. A state that doesn't come again is taken as it is.
  func reach(_ state: StateSignature) async {
    let inspector = PageInspector(render: render, addresses: session.context.addresses)
    let longest = min(render.job.options.idleTime ?? Meter.measureTime, Self.longestWatch)
    let end = render.clock.now + Bounded.seconds(longest) + Self.patience
    while render.clock.now < end, render.failure == nil, !Task.isCancelled {
      if StateSignature(await inspector.observe("")) == state { return }
      await render.clock.sleep(for: Self.glance)
    }
  }

  private func isIdleForRequestedTime() async {
    await session.stability.waitForStableState(for: render.job.options.idleTime ?? StabilityWaiter.rest)
    await session.stability.waitForNavigationToSettle()
    _ = await session.stability.waitUntilIdle()
    render.flushNetwork()
  }

  /// Returns once something came of what was done since, or patience is over.
  private func awaitChange(since before: PageSnapshot, _ inspector: PageInspector) async {
    let recorder = render.recorder
    let end = render.clock.now + Self.patience
    while render.clock.now < end {
      let isDone: @WebKitActor () -> Bool = { recorder.events.dropFirst(before.events).contains(where: \.isEffect) }
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
