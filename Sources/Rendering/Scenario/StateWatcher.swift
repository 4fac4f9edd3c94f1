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
    let surveyor = Surveyor(render: render, addresses: session.context.addresses)
    await restsAsLongAsAsked()
    if let before = session.observations.last {
      await awaitChange(since: before, surveyor)
      await restsAsLongAsAsked()
    }
    let last = session.observations.isEmpty ? nil : render.photographer.lastAd
    try await session.screenshots.take(step: moment)
    var seen = await surveyor.observe(moment)
    seen.changed = await surveyor.change(since: last, to: render.photographer.lastAd)
    seen.picture = render.photographer.screenshots.last?.name
    session.observations.append(seen)
  }

  /// Waits until the screen shows what it showed when the state was found, which may have been much later after the load:
  /// what is to be touched may come by and by. A state that doesn't come again is taken as it is.
  func reach(_ state: StateSignature) async {
    let surveyor = Surveyor(render: render, addresses: session.context.addresses)
    let longest = min(render.job.options.idleTime ?? Meter.measureTime, Self.longestWatch)
    let end = render.clock.now + Bounded.seconds(longest) + Self.patience
    while render.clock.now < end, render.failure == nil, !Task.isCancelled {
      if StateSignature(await surveyor.observe("")) == state { return }
      await render.clock.sleep(for: Self.glance)
    }
  }

  private func restsAsLongAsAsked() async {
    await session.stability.staysPut(for: render.job.options.idleTime ?? StabilityWaiter.rest)
    await session.stability.arrives()
    _ = await session.stability.becomesQuiet()
    render.flushNetwork()
  }

  /// Returns once something came of what was done since, or patience is over.
  private func awaitChange(since before: Observation, _ surveyor: Surveyor) async {
    let recorder = render.recorder
    let end = render.clock.now + Self.patience
    while render.clock.now < end {
      let isDone: @WebKitActor () -> Bool = { recorder.events.dropFirst(before.events).contains(where: \.isEffect) }
      if isDone() || render.failure != nil { return }
      let now = await surveyor.observe("")
      if !now.hasSamePage(as: before) { return }
      _ = await recorder.wait(Self.glance, until: isDone)
    }
    // On a busy machine what the page wanted to do meanwhile may be late; it goes before a timer that begins now.
    guard !render.clock.isVirtual else { return }
    _ = try? await render.stage.topAdPage?.view.call("await new Promise((done) => setTimeout(done, 0)); return 0;")
  }
}
