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
  static let watch = 3.0

  private weak var session: RenderSession?
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
  /// Whether the ad stayed as it was for as long as it was watched.
  private(set) var hasRested = false

  init(clock: RenderClock) { processor = ProcessorMeter(clock: clock) }

  /// Begins with the session whose render it is.
  func attach(to session: RenderSession) { self.session = session }

  /// Everything a page of the ad tells comes by here.
  func hear(_ event: WebViewEvent, of page: AdPage) {
    guard let part = page.part, let session else { return }
    switch event {
    case .loadStarted where part == .one:
      if started == nil { started = (Date().timeIntervalSince1970 * 1_000, session.recorder.now) }
      processor.begin()
    case .loadCommitted where part == .one: processor.begin()
    case .resource(let load) where !page.wasRefused(load) && loads.count < Recorder.capacity:
      loads.append(placed(load, part, of: page))
    default: break
    }
  }

  /// Somebody touches the ad, or types into it.
  func noteInput() { activation = activation ?? session?.recorder.now }

  /// Looks at what plays before anybody can see it.
  func beforeShow() async {
    guard let session, let page = session.stage.pages[.creative] else { return }
    beforeShown = await PageQuestion(page: page, clock: session.clock).ask(PackageResources.playback_js)
  }

  /// Looks the page over, once in each state, just after its picture was taken.
  func pictured(_ state: MRAIDState) async {
    guard let session, !pages.contains(where: { $0.state == state }), session.failure == nil else { return }
    if timeline == nil { await readTimeline() }
    let photographer = session.photographer
    let name = photographer.screenshots.last?.name
    guard let audit = await PageAuditor(session: session).audit(state, picture: name, of: photographer.lastAd) else {
      return
    }
    if !pages.contains(where: { $0.state == state }) { pages.append(audit) }
  }

  /// Watches the untouched ad move.
  func watchMotion() async {
    guard let session, let page = session.stage.topAdPage else { return }
    let time = session.job.options.watch ?? Self.watch
    guard time > 0, session.failure == nil else { return }
    let before = session.transitions.count
    let watch = MotionWatch(page: page, clock: session.clock, scale: session.stage.screen.device.renderScale)
    let holds: @WebKitActor () -> Bool = { [weak session] in
      guard let session, session.failure == nil, !session.isOver, !Task.isCancelled else { return false }
      return session.transitions.count == before && session.stage.topPage?.id == page.id
    }
    motion = await watch.watch(for: Bounded.seconds(time), while: holds)
    hasRested = holds()
    if hasRested { await lookAgain(at: page, of: session) }
  }

  /// Text that was cut through at first and isn't where the ad has come to counts no more; nor does what ran then.
  private func lookAgain(at page: AdPage, of session: RenderSession) async {
    guard let index = pages.indices.last, pages[index].state == session.creative?.session.state,
      let first = pages[index].document, !first.clipped.isEmpty || motion?.steps.isEmpty == false,
      let now = await PageAuditor(session: session).document(of: page)
    else { return }
    pages[index].document?.clipped = first.clipped.still(in: now.clipped)
    pages[index].document?.animations = first.animations.followed(by: now.animations)
  }

  /// Asks the page a last time, while there is one.
  func pageEnds() async {
    guard session?.failure == nil else { return }
    await readTimeline()
  }

  /// Measures a last time; before the web process is ended.
  func stop() {
    guard let session else { return }
    processor.end()
    end = session.recorder.now
  }
  /// The resource in the render's time; where that stands still while anything loads, it takes none.
  private func placed(_ load: ResourceLoad, _ part: AdPart, of page: AdPage) -> ResourceMeter.Load {
    let now = session?.recorder.now ?? 0
    guard session?.clock.isVirtual == false else {
      return ResourceMeter.Load(load: load, part: part, start: now, end: now)
    }
    let zero = now - page.view.secondsSinceLoad * 1_000
    return ResourceMeter.Load(
      load: load, part: part, start: max(0, zero + load.start * 1_000), end: max(0, zero + load.end * 1_000))
  }

  private func readTimeline() async {
    guard let session, let page = session.stage.pages[.creative] else { return }
    timeline = await PageQuestion(page: page, clock: session.clock).ask(PackageResources.timeline_js) ?? timeline
  }
}

extension Meter {
  /// What came of it all; the creative's files are read and compressed on the way.
  func measurements(of session: RenderSession) async -> Measurements {
    let meter = ResourceMeter(bundle: session.bundle, addresses: session.addresses)
    let loads = loads.sorted { ($0.part == .one ? 0 : 1, $0.load.index) < ($1.part == .one ? 0 : 1, $1.load.index) }
    let resources = await meter.measure(loads, timeline?.resources ?? [], offset: offset(session))
    return Measurements(
      clock: session.clock.isVirtual ? .virtual : .real, load: boundaries(dividing: resources, session),
      firstPaint: instant(timeline?.firstPaint, session), resources: resources,
      heavyAd: HeavyAdBudget(resources: resources, samples: processor.samples, activation: activation, end: end),
      beforeShown: beforeShown, pages: pages, motion: motion)
  }

  /// The second part's load is one of its own, long after the ad's.
  private func boundaries(dividing resources: [MeasuredResource], _ session: RenderSession) -> [LoadBoundary] {
    LoadBoundary.all(
      domContentLoaded: instant(timeline?.domContentLoaded, session),
      windowLoad: instant(timeline?.windowLoad, session), complete: instant(timeline?.complete, session),
      dividing: resources.filter { $0.part == nil })
  }

  /// An instant of the page's timeline in the render's time.
  private func instant(_ value: Double?, _ session: RenderSession) -> Double? {
    let offset = offset(session) ?? started?.t ?? 0
    return value.map { (($0 + offset) * 10).rounded() / 10 }
  }

  /// Milliseconds of the render at which the page's timeline begins; nil where time is stepped or there is none.
  private func offset(_ session: RenderSession) -> Double? {
    guard let started, let timeline, !session.clock.isVirtual else { return nil }
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

  /// The answer to a script that ends in `return` and sees `filmsEvent`, or nothing in it; nil when none comes.
  func ask<Answer: Decodable & Sendable>(_ script: [UInt8], for type: Answer.Type = Answer.self) async -> Answer? {
    let text = await clock.hold { await reply(to: script) }
    return text.flatMap { PageAnswer.decode(from: $0) }
  }

  private func reply(to script: [UInt8]) async -> String? {
    let (view, event) = (page.view, page.filmsEvent ?? "")
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
