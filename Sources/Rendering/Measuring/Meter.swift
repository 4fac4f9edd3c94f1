internal import AdManager
internal import Core
internal import Device
internal import Foundation
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// Measures a render while it runs, when it was asked to: what the engine tells, the processor, the page, its motion.
@WebKitActor final class Meter {
  /// What a caller who doesn't say otherwise has the ad watched for, in seconds.
  static let measureTime = 3.0

  private weak var render: RenderContext?
  let processor: ProcessorMeter
  private(set) var loads: [ResourceMeter.Load] = []
  /// The same instant, when the ad's load had started, in milliseconds since 1970 and since the render began.
  private(set) var started: (date: Double, t: Double)?
  private(set) var timeline: PageTimeline?
  private(set) var beforeShown: EarlyPlayback?
  private(set) var pages: [PageAudit] = []
  private(set) var motion: MotionMeasure?
  /// When somebody first touched the ad, and when the measuring ended.
  private(set) var activation: Double?
  private(set) var end = 0.0
  /// Seconds for which the ad was measured and stayed in its state.
  private(set) var rested = 0.0

  init(clock: RenderClock) { processor = ProcessorMeter(clock: clock) }

  /// Begins with the render that it measures.
  func attach(to render: RenderContext) { self.render = render }

  /// Everything a page of the ad tells comes by here.
  func receive(_ event: WebViewEvent, of page: AdPage) {
    guard let part = page.part, let render else { return }
    switch event {
    case .loadStarted where part == .one:
      if started == nil { started = (Date().timeIntervalSince1970 * 1_000, render.recorder.now) }
      processor.begin()
    case .loadCommitted where part == .one: processor.begin()
    case .resource(let load) where !page.wasRefused(load) && loads.count < Recorder.capacity:
      loads.append(placed(load, part, of: page))
    default: break
    }
  }

  /// Somebody touches the ad, or types into it.
  func noteInput() { activation = activation ?? render?.recorder.now }

  /// Looks at what plays before anybody can see it.
  func beforeShow() async {
    guard let render, let page = render.stage.pages[.creative] else { return }
    beforeShown = await PageQuestion(page: page, clock: render.clock).ask(PackageResources.playback_js)
  }

  /// Looks the page over, once in each state, just after its picture was taken.
  func pictured(_ state: MRAIDState) async {
    guard let render, !pages.contains(where: { $0.state == state }), render.failure == nil else { return }
    if timeline == nil { await readTimeline() }
    let capture = render.capture
    let name = capture.screenshots.last?.name
    guard let audit = await PageAuditor(render: render).audit(state, picture: name, of: capture.lastAd) else {
      return
    }
    if !pages.contains(where: { $0.state == state }) { pages.append(audit) }
  }

  /// Watches the untouched ad move.
  func watchMotion() async {
    guard let render, let page = render.stage.topAdPage else { return }
    let time = render.job.options.measureTime ?? Self.measureTime
    guard time > 0, render.failure == nil else { return }
    let before = render.transitions.count
    let watch = MotionWatch(page: page, clock: render.clock, scale: render.stage.screen.device.renderScale)
    let holds: @WebKitActor () -> Bool = { [weak render] in
      guard let render, render.failure == nil, !render.isOver, !Task.isCancelled else { return false }
      return render.transitions.count == before && render.stage.topPage?.id == page.id
    }
    motion = await watch.watch(for: Bounded.seconds(time), while: holds)
    guard holds() else { return }
    rested = time
    await measureAgain(at: page, of: render)
  }

  /// Text that was cut through at first and isn't where the ad has come to counts no more; nor does what ran then.
  private func measureAgain(at page: AdPage, of render: RenderContext) async {
    guard let index = pages.indices.last, pages[index].state == render.activeState,
      let first = pages[index].document, !first.clipped.isEmpty || motion?.steps.isEmpty == false,
      let now = await PageAuditor(render: render).document(of: page)
    else { return }
    pages[index].document?.clipped = first.clipped.still(in: now.clipped)
    pages[index].document?.animations = first.animations.followed(by: now.animations)
  }

  /// Asks the page a last time, while there is one.
  func pageEnds() async {
    guard render?.failure == nil else { return }
    await readTimeline()
  }

  /// Measures a last time; before the web process is ended.
  func stop() {
    guard let render else { return }
    processor.end()
    end = render.recorder.now
  }
  /// The resource in the render's time; where that stands still while anything loads, it takes none.
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
  /// What came of it all; the creative's files are read and compressed on the way.
  func measurements(of ad: AdContext) async -> Measurements {
    let render = ad.render
    let meter = ResourceMeter(bundle: ad.bundle, addresses: ad.addresses)
    let loads = loads.sorted { ($0.part == .one ? 0 : 1, $0.load.index) < ($1.part == .one ? 0 : 1, $1.load.index) }
    let resources = await meter.measure(loads, timeline?.resources ?? [], offset: offset(render))
    return Measurements(
      clock: render.clock.isVirtual ? .virtual : .real, load: boundaries(dividing: resources, render),
      firstPaint: timestamp(timeline?.firstPaint, render), resources: resources,
      heavyAd: HeavyAdBudget(resources: resources, samples: processor.samples, activation: activation, end: end),
      beforeShown: beforeShown, pages: pages, motion: motion)
  }

  /// The second part's load is one of its own, long after the ad's.
  private func boundaries(dividing resources: [MeasuredResource], _ render: RenderContext) -> [LoadBoundary] {
    LoadBoundary.all(
      domContentLoaded: timestamp(timeline?.domContentLoaded, render),
      windowLoad: timestamp(timeline?.windowLoad, render), complete: timestamp(timeline?.complete, render),
      dividing: resources.filter { $0.part == nil })
  }

  /// An instant of the page's timeline in the render's time.
  private func timestamp(_ value: Double?, _ render: RenderContext) -> Double? {
    let offset = offset(render) ?? started?.t ?? 0
    return value.map { (($0 + offset) * 10).rounded() / 10 }
  }

  /// Milliseconds of the render at which the page's timeline begins; nil where time is stepped or there is none.
  private func offset(_ render: RenderContext) -> Double? {
    guard let started, let timeline, !render.clock.isVirtual else { return nil }
    // The document begins while the host hears that its load has started.
    return max(0, started.t + timeline.origin - started.date)
  }
}

/// Asks a page something in a world of its own; a page that doesn't answer is given up. No time passes meanwhile.
@WebKitActor struct PageQuestion {
  let page: AdPage
  let clock: RenderClock
  /// How long, of the machine's time, a page may take.
  private static let patience = Duration.seconds(3)

  /// The answer to a script that ends in `return` and sees `videosEvent`, or nothing in it; nil when none comes.
  func ask<Answer: Decodable & Sendable>(_ script: [UInt8], for type: Answer.Type = Answer.self) async -> Answer? {
    let text = await clock.hold { await reply(to: script) }
    return text.flatMap { PageAnswer.decode(from: $0) }
  }

  private func reply(to script: [UInt8]) async -> String? {
    let (view, event) = (page.view, page.videosEvent ?? "")
    let text = String(decoding: script, as: UTF8.self)
    let question = Task { @WebKitActor in try await view.call(text, ["filmsEvent": event]) }
    let patience = Task {
      try await Task.sleep(for: Self.patience)
      question.cancel()
    }
    defer { patience.cancel() }
    return await withTaskCancellationHandler {
      try? await question.value
    } onCancel: {
      question.cancel()
    }
  }
}

extension AnimationAudit {
  /// What ran at some time, and without an end what runs later: a loading sign that has gone isn't endless.
  fileprivate func followed(by later: AnimationAudit) -> AnimationAudit {
    var all = later
    all.running = max(running, later.running)
    all.end = max(end, later.end)
    all.loops = [loops, later.loops].compactMap(\.self).max()
    return all
  }
}
