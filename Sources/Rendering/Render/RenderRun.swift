internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Files
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

/// One render from its first request to its last picture, with what may cut it short: deadline, memory, a dead process.
@WebKitActor final class RenderRun {
  private let job: RenderJob
  private let render: RenderContext
  private let session: RenderSession
  private let writer: EventWriter
  private let folder: ResultFolder
  private let clock: PhaseClock
  private let time: RenderClock
  private let progress: (String) -> Void
  private let lease: SessionLease
  private var work: Task<Void, Never>?
  /// Whether its document is to be asked for the banner's size.
  private let asksForSize: Bool
  /// When the load began by the machine's clock, in milliseconds since 1970.
  private var began: Int64?
  /// When the ad was shown.
  private var shown = Duration.zero

  /// - Parameter said: the banner's size by the document at an address, where an attempt before has asked it.
  init(
    job: RenderJob, bundle: CreativeBundle, lease: SessionLease, folder: ResultFolder, clock: PhaseClock,
    isComposited: Bool, said: Size?, encoder: ScreenshotEncoder,
    progress: @escaping @WebKitActor (String) -> Void
  ) throws(Fault) {
    self.job = job
    self.lease = lease
    self.folder = folder
    self.clock = clock
    self.progress = progress
    writer = try EventWriter(path: folder.events)
    time = RenderClock(lease.clock)
    let addresses = PageAddresses(host: lease.host)
    let clue = said.map { SizeClue(size: $0, source: nil) } ?? bundle.sizeClue(job.creative)
    let place = InitialPlacement(job, meant: clue)
    asksForSize = bundle.url != nil && said == nil && place.summary.assumedFrom != nil
    render = RenderContext(
      job: job, lease: lease, addresses: addresses, folder: folder, writer: writer, clock: time, screen: place.screen,
      isComposited: isComposited, encoder: encoder)
    session = RenderSession(render, bundle: bundle, addresses: addresses, place: place)
  }

  /// What it was given up for, where it has to be made again.
  var rerun: Rerun? { render.rerun }

  /// Lets go of everything, as if it hadn't run.
  func discard() async {
    session.tearDown(endsWebProcess: !lease.isShared)
    _ = await endTraffic()
    _ = await finishWriting()
  }

  /// Returns when the render is over, one way or another.
  func run() async {
    time.begin(date: job.options.date ?? Date().timeIntervalSince1970, render.surroundings(from: clock.began))
    defer { time.end() }
    let work = Task { @WebKitActor [self] in await perform() }
    self.work = work
    render.onFailure = { [weak self] in self?.unwind() }
    let deadline = Task { @WebKitActor [self] in
      try await Task.sleep(until: clock.began + Bounded.seconds(job.limits.timeout))
      await passDeadline()
    }
    let watch = MemoryWatch(limit: job.limits.memory, device: job.device)
    let memory = Task { @WebKitActor [self] in
      while true {
        let excess = try await watch.wait()
        guard session.feed?.hasProcesses == true, let process = excess.webProcess else {
          return render.failForMemory()
        }
        // Which ad's it is, its view will tell.
        session.feed?.watch.expectMemoryEnd()
        kill(process, SIGKILL)
      }
    }
    await work.value
    deadline.cancel()
    memory.cancel()
    session.end()
  }

  /// Fills in what was found and lets go of the pages; pictures and log may still be on their way to the disk.
  func collect(into record: inout RenderRecord) {
    render.turns.close()
    render.flushNetwork()
    render.meter?.stop()
    session.tearDown(endsWebProcess: !lease.isShared)
    record.placement = session.context.placement
    record.began = began.map(Instant.text)
    if render.isComposited { record.engine?.compositor = true }
    record.engine?.unforked = ForkServer.reason
    record.states = render.states
    record.transitions = render.transitions
    record.steps = render.steps
    record.filmstrip = session.filmstrip
    if render.isComposited { render.clock.noteNondeterminism(.compositor) }
    record.nondeterminism = render.clock.nondeterminism
    record.screenshots = render.capture.screenshots
    record.warnings += render.warnings
    if let warning = render.recorder.warning { record.warnings.append(warning) }
    record.warnings += render.capture.boxes.boxWarnings
    record.eventCount = render.recorder.events.count
    if let failure = render.failure {
      record.fail(failure.outcome, failure.fault)
    }
  }

  /// Lets the recorder write what it keeps, where there is one.
  func endTraffic() async -> [String] { await render.traffic?.end() ?? [] }

  /// Returns once everything is on disk; what couldn't be written, if anything.
  func finishWriting() async -> Fault? {
    let screenshotFault = await render.capture.finish()
    let logError = await writer.finish()
    var listFault = job.options.explores ? await folder.write(session.observations) : nil
    if let meter = render.meter {
      listFault = await folder.write(meter.measurements(of: session.context)) ?? listFault
    }
    return screenshotFault ?? (logError == 0 ? listFault : .writing("events.ndjson", SystemError(logError)))
  }

  private func perform() async {
    do {
      progress("loading")
      try await load()
      progress("rendering")
      try await show()
      if let scenario = job.scenario {
        try await play(scenario)
      } else {
        try await session.feed?.tour.scrollThrough(
          until: clock.began + Bounded.seconds(job.limits.timeout - Self.reserve))
      }
      await watch()
      await session.stability.waitForNavigationToSettle()
      _ = await session.stability.waitUntilIdle()
      try await session.feed?.tour.screenshotWhole()
      session.feed?.reportMetrics()
      if job.measuresByOMID { await finishMeasuring() }
      await render.meter?.pageEnds()
    } catch {
      render.fail(.failed, error)
    }
  }

  /// Tells measuring code that it is over, and lets it report that, as SDKs keep an ad's page for a second.
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

  /// With a film of it, on which what the last step led to is to be seen for a while.
  private func play(_ scenario: Scenario) async throws(Fault) {
    let runner = ScenarioRunner(session: session, scenario: scenario)
    guard job.options.film?.playsScenario == true, let camera = render.camera else { return try await runner.run() }
    camera.start()
    do throws(Fault) {
      try await runner.run()
    } catch {
      await camera.stop()
      throw error
    }
    _ = await session.stability.waitUntilIdle()
    await render.clock.sleep(for: Self.epilogue)
    await camera.stop()
  }

  /// How long a film of a scenario goes on behind its last step.
  private static let epilogue = Duration.milliseconds(1_500)

  private func load() async throws(Fault) {
    let session = session
    try await render.traffic?.awaitBegin()
    began = Instant.now
    render.recorder.record(.host, "load", ["placement": .string(session.context.placement.kind.rawValue)])
    if let feed = session.feed {
      try await feed.load(progress: progress)
      return clock.end("load")
    }
    session.ad?.manager.load()
    _ = await render.recorder.wait { [render] in session.context.loadEnd != nil || render.failure != nil }
    if case .failure(let error) = session.context.loadEnd {
      await session.showFailure(error)
      throw .creative(error.code, error.description)
    }
    clock.end("load")
    _ = await render.isDelivered()
    await askForSize()
  }

  /// Of a page at an address nothing was known before it was there: where it says another size, it is loaded into that.
  private func askForSize() async {
    guard asksForSize, let page = session.ad?.htmlPage, let size = CreativeMeta.size(await page.meta("ad.size")),
      size != Size(width: session.context.placement.width, height: session.context.placement.height)
    else { return }
    render.giveUp(
      for: .sized(size), .engine("placement-other", "the page is made for \(size)"))
  }

  private func show() async throws(Fault) {
    guard render.failure == nil else { return }
    await render.meter?.beforeShow()
    // A scenario begins where the film does, and the film goes on while a step waits.
    if job.scenario != nil { await render.playedVideos.hold() }
    if let feed = session.feed {
      try await feed.tour.begin()
      return clock.end("settle")
    }
    session.ad?.manager.show()
    shown = time.frame
    let captures = job.options.captures
    if !job.options.isTimed, job.placement.kind == .banner { session.screenshots.request("default") }
    session.context.endAwaitingShow()
    // What the ad does by itself belongs to its instants.
    if job.options.film?.playsScenario == false { await render.camera?.takeAll() }
    if !captures.isEmpty { session.filmstrip = try await session.screenshots.takeScreenshot(captures, to: folder) }
    _ = await session.stability.waitUntilIdle(.seconds(30))
    clock.end("settle")
    await render.meter?.watchMotion()
    if render.meter != nil { clock.end("measure") }
  }

  /// Follows the creative through the states it goes to by itself, until it has rested for as long as asked.
  ///
  /// After a scenario only as long as the caller asked for.
  private func watch() async {
    let longest = job.options.idleTime ?? (job.scenario == nil ? StabilityWaiter.rest : 0)
    if job.scenario == nil, !job.options.isTimed {
      let end = clock.began + Bounded.seconds(job.limits.timeout - Self.reserve)
      let watching = session.ad.map {
        VideoWatcher(ad: $0, stability: session.stability, screenshots: session.screenshots)
      }
      await watching?.follow(until: end)
    }
    // An ad that was watched while it was measured has rested already.
    if longest > (render.meter?.rested ?? 0) { await session.stability.waitForStableState(for: longest) }
    await watchToEndFrame()
  }

  /// Follows an ad that nobody touches and that has no film of its own to follow.
  private func watchToEndFrame() async {
    guard job.scenario == nil, !job.options.isTimed, session.ad?.video.playedVideos.isEmpty == true else {
      return
    }
    _ = await session.stability.waitUntilIdle()
    let share = ContinuousClock.now + Bounded.seconds(job.limits.timeout * EndFrameWatcher.share)
    let last = clock.began + Bounded.seconds(job.limits.timeout - Self.reserve)
    await EndFrameWatcher(render: render, shown: shown).follow(until: min(share, last))
  }

  /// Seconds of the time allowed that films and end frames leave for what comes after them.
  private static let reserve = 3.0

  private func passDeadline() async {
    // A process that has only just begun answers no sooner than a busy one.
    let hung = job.limits.timeout >= Self.beginning ? await session.isHung() : false
    let doing = session.context.loadEnd == nil ? "it was still loading" : "its scenario hadn't ended"
    render.fail(
      .timedOut,
      .deadline(
        "deadline-exceeded",
        "not done after \(job.limits.timeout.plain) s: \(hung ? "the page keeps its web process busy" : doing)"))
  }

  /// Seconds that a web process has for its start before it counts as busy.
  private static let beginning = 1.0

  /// Ends what waits: tasks by cancellation, calls into a web process by ending it.
  private func unwind() {
    work?.cancel()
    session.terminate()
  }
}
