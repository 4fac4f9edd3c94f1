internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Foundation
internal import Hosting
internal import MRAID
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Measures a render while it runs, if the job asks for it: the engine's reports, the processor, the page and its
/// motion.
@EngineActor final class Meter {
  /// Default number of seconds for which the ad's motion is watched.
  static let measureTime = 3.0

  private weak var render: RenderContext?
  let processor: ProcessorMeter
  private(set) var loads: [ResourceMeter.Load] = []
  /// Start of the ad's load, in milliseconds since 1970 and since the render began.
  private(set) var started: (date: Double, t: Double)?
  private(set) var timeline: PageTimeline?
  private(set) var beforeShown: EarlyPlayback?
  private(set) var pages: [PageAudit] = []
  private(set) var motion: MotionMeasure?
  /// Animated images, each once.
  private(set) var images: [ImageMotion] = []
  private static let mostImages = 100
  private(set) var late: LateWatch?
  /// Indicates that everything is measured except the ad's late behaviour without user actions.
  private var isDone = false
  /// Timestamps of the first user action on the ad and of the end of the measurement.
  private(set) var activation: Double?
  private(set) var end = 0.0
  /// Number of seconds for which the ad was measured and stayed in its state.
  private(set) var rested = 0.0

  init(clock: RenderClock) { processor = ProcessorMeter(clock: clock) }

  /// Stores the render to be measured.
  func attach(to render: RenderContext) { self.render = render }

  /// Receives all events of the ad's pages.
  func receive(_ event: WebViewEvent, of page: AdPage) {
    guard let part = page.part, let render, !isDone else { return }
    switch event {
    case .loadStarted where part == .one:
      if started == nil { started = (Date().timeIntervalSince1970 * 1_000, render.recorder.now) }
      processor.begin()
    case .loadCommitted where part == .one: processor.begin()
    case .resource(let load) where !page.wasRefused(load) && loads.count < Recorder.capacity:
      note(load, of: render)
      loads.append(placed(load, part, of: page))
    default: break
    }
  }

  private func note(_ load: ResourceLoad, of render: RenderContext) {
    guard let animation = load.animation, images.count < Self.mostImages else { return }
    let isWithin = load.url.hasPrefix("data:")
    let image = ImageMotion(
      url: isWithin ? "data:\(load.mimeType)" : render.addresses.display(load.url), frames: animation.frames,
      plays: animation.plays, loop: Double(animation.loop))
    if !images.contains(image) { images.append(image) }
  }

  /// Notes a user action on the ad, by touch or keyboard.
  func noteInput() { activation = activation ?? render?.recorder.now }

  /// Checks for media that play before the ad is visible.
  func beforeShow() async {
    guard let render, let page = render.stage.pages[.creative] else { return }
    beforeShown = await PageQuestion(page: page, clock: render.clock).ask(PackageResources.playback_js)
  }

  /// Audits the page once in each state, just after its screenshot.
  func pictured(_ state: MRAIDState) async {
    guard let render, !isDone, !pages.contains(where: { $0.state == state }), render.failure == nil else { return }
    if timeline == nil { await readTimeline() }
    let capturer = render.capturer
    let name = capturer.screenshots.last?.name
    guard let audit = await PageAuditor(render: render).audit(state, picture: name, of: capturer.lastAd) else {
      return
    }
    if !pages.contains(where: { $0.state == state }) { pages.append(audit) }
  }

  /// Watches the ad's motion without user actions.
  func watchMotion() async {
    guard let render, let page = render.stage.topAdPage else { return }
    let time = render.job.options.measureTime ?? Self.measureTime
    guard time > 0, render.failure == nil else { return }
    let before = render.transitions.count
    let watch = MotionWatch(page: page, clock: render.clock, scale: render.stage.screen.device.renderScale)
    let holds: @EngineActor () -> Bool = { [weak render] in
      guard let render, render.failure == nil, !render.isOver, !Task.isCancelled else { return false }
      return render.transitions.count == before && render.stage.topPage?.id == page.id
    }
    motion = await watch.watch(for: Bounded.seconds(time), while: holds)
    guard holds() else { return }
    rested = time
    await measureAgain(at: page, of: render)
  }

  /// Corrects the first audit: drops text that is no longer clipped, and takes the later state of animations.
  private func measureAgain(at page: AdPage, of render: RenderContext) async {
    guard let index = pages.indices.last, pages[index].state == render.activeState,
      let first = pages[index].document, !first.clipped.isEmpty || motion?.steps.isEmpty == false,
      let now = await PageAuditor(render: render).document(of: page)
    else { return }
    pages[index].document?.clipped = first.clipped.still(in: now.clipped)
    pages[index].document?.animations = first.animations.followed(by: now.animations)
  }

  /// Reads the page's timeline a last time, while the page exists.
  func pageEnds() async {
    guard render?.failure == nil else { return }
    await readTimeline()
  }

  /// Ends the other measurements and observes the ad's late behaviour, which doesn't affect them.
  func watchLate(until last: ContinuousClock.Instant) async {
    guard let render else { return }
    stop()
    late = await LateWatcher(render: render).watch(until: last)
  }

  /// Measures a last time; called before the web process is ended.
  func stop() {
    guard let render, !isDone else { return }
    isDone = true
    processor.end()
    end = render.recorder.now
  }

  /// Resource with its times in the render's time. In virtual time a load has no duration, as time stands still
  /// meanwhile.
  private func placed(_ load: ResourceLoad, _ part: AdPart, of page: AdPage) -> ResourceMeter.Load {
    let now = render?.recorder.now ?? 0
    guard render?.clock.isVirtual == false else {
      return ResourceMeter.Load(load: load, part: part, start: now, end: now)
    }
    let zero = now - page.view.resources.secondsSinceLoad * 1_000
    return ResourceMeter.Load(
      load: load, part: part, start: max(0, zero + load.start * 1_000), end: max(0, zero + load.end * 1_000))
  }

  private func readTimeline() async {
    guard let render, let page = render.stage.pages[.creative] else { return }
    timeline = await PageQuestion(page: page, clock: render.clock).ask(PackageResources.timeline_js) ?? timeline
  }
}

extension Meter {
  /// Results of all measurements; reads and compresses the creative's files.
  func measurements(of ad: AdContext) async -> Measurements {
    let render = ad.render
    let meter = ResourceMeter(bundle: ad.bundle, addresses: ad.addresses)
    let loads = loads.sorted { ($0.part == .one ? 0 : 1, $0.load.index) < ($1.part == .one ? 0 : 1, $1.load.index) }
    let resources = await meter.measure(loads, timeline?.resources ?? [], offset: offset(render))
    return Measurements(
      clock: render.clock.isVirtual ? .virtual : .real, load: boundaries(dividing: resources, render),
      firstPaint: timestamp(timeline?.firstPaint, render), resources: resources,
      heavyAd: HeavyAdBudget(resources: resources, samples: processor.samples, activation: activation, end: end),
      beforeShown: beforeShown, pages: pages, images: images.isEmpty ? nil : images, motion: motion, late: late,
      timesNetwork: render.traffic?.isScheduled == true)
  }

  /// Boundaries of the ad's load. The load of its second part is separate and comes long after, so it isn't included.
  private func boundaries(dividing resources: [MeasuredResource], _ render: RenderContext) -> [LoadBoundary] {
    LoadBoundary.all(
      domContentLoaded: timestamp(timeline?.domContentLoaded, render),
      windowLoad: timestamp(timeline?.windowLoad, render), complete: timestamp(timeline?.complete, render),
      dividing: resources.filter { $0.part == nil })
  }

  /// Converts an instant of the page's timeline to the render's time.
  private func timestamp(_ value: Double?, _ render: RenderContext) -> Double? {
    let offset = offset(render) ?? started?.t ?? 0
    return value.map { (($0 + offset) * 10).rounded() / 10 }
  }

  /// Milliseconds of the render at which the page's timeline begins; nil in virtual time or without a timeline.
  private func offset(_ render: RenderContext) -> Double? {
    guard let started, let timeline, !render.clock.isVirtual else { return nil }
    // The document begins while the host hears that its load has started.
    return max(0, started.t + timeline.origin - started.date)
  }
}

/// Question to a page in a separate script world; a page that doesn't answer is given up. No virtual time passes
/// meanwhile.
@EngineActor struct PageQuestion {
  let page: AdPage
  let clock: RenderClock
  /// Machine time that a page has to answer.
  private static let patience = Duration.seconds(3)

  /// Returns the answer to a script; nil if none comes.
  ///
  /// The script ends in `return` and sees `filmsEvent`, which may be empty, and `soundsEvent`.
  func ask<Answer: Decodable & Sendable>(_ script: [UInt8], for type: Answer.Type = Answer.self) async -> Answer? {
    try? await answer(to: script)
  }

  /// Returns the answer to a script; nil if it can't be decoded. Throws the script's error.
  func answer<Answer: Decodable & Sendable>(
    to script: [UInt8], for type: Answer.Type = Answer.self
  ) async throws(ScriptError) -> Answer? {
    let text = try await clock.hold { () async throws(ScriptError) in try await reply(to: script) }
    return PageAnswer.decode(from: text)
  }

  private func reply(to script: [UInt8]) async throws(ScriptError) -> String {
    let (view, event) = (page.view, page.videosEvent ?? "")
    let text = String(decoding: script, as: UTF8.self)
    let question = Task { @EngineActor in
      try await view.call(text, ["filmsEvent": event, "soundsEvent": page.soundsEvent])
    }
    let patience = Task {
      try await Task.sleep(for: Self.patience)
      question.cancel()
    }
    defer { patience.cancel() }
    let outcome = await withTaskCancellationHandler {
      await question.result
    } onCancel: {
      question.cancel()
    }
    return try outcome.mapError { $0 as? ScriptError ?? ScriptError(description: "\($0)") }.get()
  }
}

extension AnimationAudit {
  /// Combines two audits: animations of both count as run, but only the later one's as endless, since a loading sign
  /// may have gone.
  fileprivate func followed(by later: AnimationAudit) -> AnimationAudit {
    var all = later
    all.running = max(running, later.running)
    all.end = max(end, later.end)
    all.loops = [loops, later.loops].compactMap(\.self).max()
    return all
  }
}
