internal import Jobs
internal import MRAID
internal import WebKitRuntime

extension ScenarioRunner {
  /// How long an action that led to nothing yet is given: pages act after animations and timers of their own.
  private static let patience = Duration.milliseconds(600)
  /// How often the page is looked at meanwhile.
  private static let glance = Duration.milliseconds(100)

  /// Lets the ad come to rest, then notes and pictures what is there.
  func observe(_ moment: String) async throws(Fault) {
    let surveyor = Surveyor(session: session)
    await restsAsLongAsAsked()
    if let before = session.observations.last {
      await awaitChange(since: before, surveyor)
      await restsAsLongAsAsked()
    }
    let last = session.observations.isEmpty ? nil : session.photographer.lastAd
    try await screenshot(moment)
    var seen = await surveyor.observe(moment)
    seen.changed = await surveyor.change(since: last, to: session.photographer.lastAd)
    seen.picture = session.photographer.screenshots.last?.name
    session.observations.append(seen)
  }

  private func restsAsLongAsAsked() async {
    await session.staysPut(for: session.job.options.watch ?? RenderSession.rest)
    await session.arrives()
    _ = await session.becomesQuiet()
    session.flushNetwork()
  }

  /// Returns once something came of what was done since, or patience is over.
  private func awaitChange(since before: Observation, _ surveyor: Surveyor) async {
    let recorder = session.recorder
    let end = session.clock.now + Self.patience
    while session.clock.now < end {
      let isDone: @WebKitActor () -> Bool = { recorder.events.dropFirst(before.events).contains(where: \.isEffect) }
      if isDone() || session.failure != nil { return }
      let now = await surveyor.observe("")
      if !now.hasSamePage(as: before) { return }
      _ = await recorder.wait(Self.glance, until: isDone)
    }
  }
}
