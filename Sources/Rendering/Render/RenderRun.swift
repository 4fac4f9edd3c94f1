internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Engine
internal import Files
internal import Foundation
internal import Hosting
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// One render while it runs: the ad or feed that it shows, and the events that may cut it short: deadline, memory, a
/// dead process.
@EngineActor final class RenderRun {
  let job: RenderJob
  let render: RenderContext
  /// Context of the ad, or of the feed's own page.
  let context: AdContext
  /// The only ad; nil for a feed.
  let ad: AdSession?
  /// Feed around the ads; nil for other placements.
  private(set) var feed: FeedSession?
  let stability: StabilityWaiter
  let screenshots: ScreenshotScheduler
  /// Timer for the container's close delay.
  private let closeTimer: CloseTimer
  private let writer: EventWriter
  let folder: ResultFolder
  let clock: PhaseClock
  let time: RenderClock
  let progress: (String) -> Void
  private let lease: SessionLease
  private var work: Task<Void, Never>?
  /// Indicates if the document is to be asked for the banner's size.
  let asksForSize: Bool
  /// Start of the load by the machine's clock, in milliseconds since 1970; nil before it.
  var began: Int64?
  /// Timestamp of the frame in which the ad was shown.
  var shown = Duration.zero
  var filmstrip: RenderRecord.Filmstrip?
  /// Snapshots taken by the scenario's `observe` steps.
  var observations: [PageSnapshot] = []
  /// Game that was played since the last observation; nil if none was.
  var playedGame: PlayedGame?
  /// Page shown in place of the ad when it couldn't be loaded.
  var failurePage = SchemeResponse.notFound

  init(
    job: RenderJob, bundle: CreativeBundle, lease: SessionLease, folder: ResultFolder, clock: PhaseClock,
    attempt: RenderAttempt, encoder: ScreenEncoder,
    progress: @escaping @EngineActor (String) -> Void
  ) throws(Fault) {
    self.job = job
    self.lease = lease
    self.folder = folder
    self.clock = clock
    self.progress = progress
    writer = try EventWriter(path: folder.events)
    time = RenderClock(lease.clock)
    let addresses = PageAddresses(host: lease.host)
    let clue = attempt.said.map { SizeClue(size: $0, source: nil) } ?? bundle.sizeClue(job.creative)
    let place = InitialPlacement(job, meant: clue)
    asksForSize = bundle.url != nil && attempt.said == nil && place.summary.assumedFrom != nil
    render = RenderContext(
      job: job, lease: lease, addresses: addresses, folder: folder, writer: writer, clock: time, screen: place.screen,
      attempt: attempt, encoder: encoder)
    context = AdContext(render, bundle: bundle, addresses: addresses, placement: place.summary)
    stability = StabilityWaiter(render)
    screenshots = ScreenshotScheduler(render, stability)
    closeTimer = CloseTimer(render)
    if let reference = job.feed, job.placement.kind == .feed {
      feed = FeedSession(context, reference: reference, stability: stability, screenshots: screenshots)
      ad = nil
    } else {
      ad = AdSession(context, AdConfiguration(job, size: place.size), slot: render.stage)
    }
    render.content = feed ?? ad
    render.turns.hostRests = { [weak stability] in stability?.isAtRest ?? true }
    if let ad { connect(ad) }
    render.stage.delegate = self
    warn()
  }

  private func connect(_ ad: AdSession) {
    ad.manager.timer = closeTimer
    ad.log.onLoaded = { [context] error in
      context.loadEnd = error.map { .failure($0) } ?? .success(())
      context.render.recorder.wakeWaiters()
    }
    ad.log.onUnload = { [weak screenshots] in screenshots?.request("unloaded") }
  }

  private func warn() {
    if job.options.clock == .virtual, !render.clock.isVirtual { render.warnings.append(MachineWarning.clockMissing) }
    let (area, slot) = (render.stage.screen.contentArea, context.placement)
    if slot.width > area.width || slot.height > area.height {
      render.warnings.append(
        "the slot \(slot.width.plain)x\(slot.height.plain) is larger than the device's content area")
    }
  }

  /// Reason to repeat the render with other conditions; nil if it needn't be repeated.
  var rerun: Rerun? { render.rerun }

  /// Releases everything, as if the render hadn't run.
  func discard() async {
    tearDown()
    _ = await endTraffic()
    _ = await finishWriting()
  }

  /// Returns when the render is over, whatever its outcome.
  func run() async {
    time.begin(date: job.options.date ?? Date().timeIntervalSince1970, render.surroundings(from: clock.began))
    defer { time.end() }
    let work = Task { @EngineActor [self] in await perform() }
    self.work = work
    render.run = self
    let deadline = Task { @EngineActor [self] in
      try await Task.sleep(until: clock.began + Bounded.seconds(job.limits.timeout))
      await passDeadline()
    }
    let watch = MemoryWatch(limit: job.limits.memory, device: job.device)
    let memory = Task { @EngineActor [self] in
      while true {
        let excess = try await watch.wait()
        guard feed?.hasProcesses == true, let process = excess.webProcess else {
          return render.failForMemory()
        }
        // Which ad's it is, its view will tell.
        feed?.watch.expectMemoryEnd()
        kill(process, SIGKILL)
      }
    }
    await work.value
    deadline.cancel()
    memory.cancel()
    end()
  }

  /// Fills in the results and releases the pages; screenshots and log may still be on their way to the disk.
  func collect(into record: inout RenderRecord) {
    render.turns.close()
    render.flushNetwork()
    render.meter?.stop()
    tearDown()
    record.placement = context.placement
    let assumptions = (job.assumptions ?? []) + [Assumption(record.placement)].compactMap(\.self)
    record.assumptions = assumptions.isEmpty ? nil : assumptions
    record.began = began.map(Instant.text)
    if render.isComposited { record.engine?.compositor = true }
    record.engine?.unforked = ForkServer.reason
    record.states = render.states
    record.transitions = render.transitions
    record.steps = render.steps
    record.filmstrip = filmstrip
    if render.isComposited { render.clock.noteNondeterminism(.compositor) }
    record.nondeterminism = render.clock.nondeterminism
    record.screenshots = render.capturer.screenshots
    record.warnings += render.warnings
    if let warning = render.recorder.warning { record.warnings.append(warning) }
    record.warnings += render.capturer.boxes.boxWarnings
    record.eventCount = render.recorder.events.count
    if let failure = render.failure { record.fail(failure) }
  }

  /// Lets the recorder, if there is one, write the data that it keeps; returns its warnings.
  func endTraffic() async -> [String] { await render.traffic?.end() ?? [] }

  /// Returns once everything is on disk; the fault of the first file that couldn't be written, if any.
  func finishWriting() async -> Fault? {
    let screenshotFault = await render.capturer.finish()
    let logError = await writer.finish()
    var listFault = job.options.explores ? await folder.write(observations) : nil
    if let meter = render.meter {
      listFault = await folder.write(meter.measurements(of: context)) ?? listFault
    }
    return screenshotFault ?? (logError == 0 ? listFault : .writing("events.ndjson", SystemError(logError)))
  }
}

extension RenderRun {
  private func passDeadline() async {
    // A process that has only just begun answers no sooner than a busy one.
    let hung = job.limits.timeout >= Self.beginning ? await isHung() : false
    render.fail(
      .deadline(
        "deadline-exceeded",
        "not finished after \(job.limits.timeout.plain) s: "
          + "\(hung ? "the page keeps its web process busy" : whatIsAwaited)")
    )
  }

  /// Description of the thing that a render was waiting for when its time ran out.
  private var whatIsAwaited: String {
    if context.loadEnd == nil { return "it was still loading" }
    if let video = ad?.video, !video.isOver { return video.progress }
    return job.scenario == nil ? "it was still being observed" : "its scenario hadn't ended"
  }

  /// Seconds that a web process has for its start before it counts as busy.
  private static let beginning = 1.0

  /// Indicates if the page's web process hasn't answered for the last quarter second, as a script keeps it busy.
  private func isHung() async -> Bool {
    guard let view = render.stage.pages[feed == nil ? context.views.page : .feed]?.view else { return false }
    var answered = false
    let ping = Task { @EngineActor in
      if (try? await view.call("return 1")) != nil { answered = true }
    }
    defer { ping.cancel() }
    // Of the machine's time: the creative's own may stand still for ever.
    try? await Task.sleep(for: .milliseconds(250))
    return !answered
  }

  /// Ends everything that waits: tasks by cancellation, calls into a web process by ending the process.
  func unwind() {
    work?.cancel()
    terminate()
  }

  /// Ends the web processes of pages that may never answer again.
  private func terminate() {
    for page in render.stage.pages.values { page.view.terminate() }
  }

  /// Marks the render as over, so that nothing happens any more.
  private func end() {
    render.isOver = true
    context.isOver = true
  }

  /// Releases every page; unless the web process is shared, no part of the creative continues to run.
  private func tearDown() {
    end()
    let html = ad?.html
    html?.failLoading(AdError("the render is over"))
    feed?.end()
    feed = nil
    if !lease.isShared { terminate() }
    for page in render.stage.pages.values {
      page.view.onEvent = nil
      page.view.decideNavigation = nil
      render.stage.remove(page.id)
    }
    render.webSession.stopServing(host: context.addresses.host)
    render.webSession.stopServing(host: PageAddresses.containerHost)
    render.webSession.onDownload = nil
    html?.end()
    render.run = nil
  }
}

extension AdConfiguration {
  /// Configuration of a render's only ad, by its placement and its container.
  fileprivate init(_ job: RenderJob, size: Size) {
    self.init(
      kind: job.placement.kind == .interstitial ? .interstitial : .banner, size: size,
      closeDelay: job.container?.behaviour.closeDelay ?? 0)
  }
}
