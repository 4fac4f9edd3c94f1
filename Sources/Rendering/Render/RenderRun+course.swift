internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Hosting
internal import RenderModel

/// The course of a render: load, show, scenario, and the watch after it.
extension RenderRun {
  /// Takes the render from its load to its last screenshot.
  func perform() async {
    do {
      progress("loading")
      try await load()
      progress("rendering")
      try await show()
      if let scenario = job.scenario {
        try await play(scenario)
      } else {
        try await feed?.tour.scrollThrough(
          until: clock.began + Bounded.seconds(job.limits.timeout - Self.reserve))
      }
      await watch()
      await stability.waitForNavigationToSettle()
      _ = await stability.waitUntilIdle()
      try await feed?.tour.screenshotWhole()
      feed?.reportMetrics()
      if job.measuresByOMID { await finishMeasuring() }
      await render.meter?.pageEnds()
      await watchLate()
    } catch {
      render.fail(error)
    }
  }

  /// Watches an ad without user actions for a minute, so that actions which the ad delays are seen.
  private func watchLate() async {
    guard job.scenario == nil, !job.options.isTimed, feed == nil,
      ad?.video.playedVideos.isEmpty != false
    else { return }
    await render.meter?.watchLate(until: clock.began + Bounded.seconds(job.limits.timeout - Self.reserve))
    guard render.meter != nil else { return }
    _ = await stability.waitUntilIdle()
    clock.end("late")
  }

  /// Finishes the measuring session and lets measuring code report that, as SDKs keep an ad's page for a second.
  private func finishMeasuring() async {
    // Where the ad came to last is told up to 200 ms later.
    await render.clock.sleep(for: .milliseconds(200))
    for ad in render.content?.sessions ?? [] { ad.context.finishMeasuring() }
    _ = await render.isDelivered()
    await render.clock.sleep(for: .seconds(1))
    _ = await render.recorder.wait(.seconds(2)) { [stage = render.stage] in
      stage.pages.values.allSatisfy(\.resourcesHaveEnded)
    }
  }

  /// Runs the scenario, with a recording if the job asks for one; the result of the last step stays visible in it for a
  /// while.
  private func play(_ scenario: Scenario) async throws(Fault) {
    let runner = ScenarioRunner(self, scenario)
    guard job.options.film?.playsScenario == true, let camera = render.camera else { return try await runner.run() }
    camera.start()
    do throws(Fault) {
      try await runner.run()
    } catch {
      await camera.stop()
      throw error
    }
    _ = await stability.waitUntilIdle()
    await render.clock.sleep(for: Self.epilogue)
    await camera.stop()
  }

  /// Duration of a scenario's recording after its last step.
  private static let epilogue = Duration.milliseconds(1_500)

  private func load() async throws(Fault) {
    try await render.traffic?.awaitBegin()
    began = Instant.now
    render.recorder.record(.host, .load, ["placement": .string(context.placement.kind.rawValue)])
    if let feed {
      try await feed.load(progress: progress)
      return clock.end("load")
    }
    ad?.manager.load()
    _ = await render.recorder.wait { [render, context] in context.loadEnd != nil || render.failure != nil }
    if case .failure(let error) = context.loadEnd {
      await showFailure(error)
      throw .creative(error.code, error.description)
    }
    clock.end("load")
    _ = await render.isDelivered()
    await askForSize()
  }

  /// Asks a page at an address for its size, which was unknown before; gives up to load it again if it states another
  /// size.
  private func askForSize() async {
    guard asksForSize, let page = ad?.htmlPage, let size = CreativeMeta.size(await page.meta("ad.size")),
      size != Size(width: context.placement.width, height: context.placement.height)
    else { return }
    render.giveUp(
      for: .sized(size), .engine("placement-other", "the page is made for \(size)"))
  }

  private func show() async throws(Fault) {
    guard render.failure == nil else { return }
    await render.meter?.beforeShow()
    // A scenario begins where the film does, and the film goes on while a step waits.
    if job.scenario != nil { await render.playedVideos.hold() }
    if let feed {
      try await feed.tour.begin()
      return clock.end("settle")
    }
    ad?.manager.show()
    shown = time.frame
    let captures = job.options.captures
    if !job.options.isTimed, job.placement.kind == .banner { screenshots.request("default") }
    context.endAwaitingShow()
    // What the ad does by itself belongs to its instants.
    if job.options.film?.playsScenario == false { await render.camera?.takeAll() }
    if !captures.isEmpty { filmstrip = try await screenshots.capture(captures, to: folder) }
    _ = await stability.waitUntilIdle(.seconds(30))
    clock.end("settle")
    await render.meter?.watchMotion()
    if render.meter != nil { clock.end("measure") }
  }

  /// Follows the creative through the states that it enters by itself, until it has rested for the time that the job
  /// asks for.
  ///
  /// After a scenario it waits only if the job has an idle time.
  private func watch() async {
    let longest = job.options.idleTime ?? (job.scenario == nil ? StabilityWaiter.rest : 0)
    if job.scenario == nil, !job.options.isTimed {
      let end = clock.began + Bounded.seconds(job.limits.timeout - Self.reserve)
      let watching = ad.map {
        VideoWatcher(ad: $0, stability: stability, screenshots: screenshots)
      }
      await watching?.follow(until: end)
    }
    // An ad that was watched while it was measured has rested already.
    if longest > (render.meter?.rested ?? 0) { await stability.waitForStableState(for: longest) }
    await watchToEndFrame()
  }

  /// Follows an ad without user actions and without videos to its end frame.
  private func watchToEndFrame() async {
    guard job.scenario == nil, !job.options.isTimed, ad?.video.playedVideos.isEmpty == true else {
      return
    }
    _ = await stability.waitUntilIdle()
    let share = ContinuousClock.now + Bounded.seconds(job.limits.timeout * EndFrameWatcher.share)
    let last = clock.began + Bounded.seconds(job.limits.timeout - Self.reserve)
    await EndFrameWatcher(render: render, shown: shown).follow(until: min(share, last))
  }

  /// Seconds of the time limit that videos and end frames leave for the work after them.
  private static let reserve = 3.0
}
