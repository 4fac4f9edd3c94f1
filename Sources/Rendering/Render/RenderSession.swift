internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// One render while it runs: the ad or the feed that it shows, and who looks at the screen.
@WebKitActor final class RenderSession {
  let render: RenderContext
  /// Of the ad, or of the feed's own page.
  let context: AdContext
  /// The only ad; nil for a feed.
  let ad: AdSession?
  /// The feed around the ads, for that placement.
  private(set) var feed: FeedSession?
  let stability: StabilityWaiter
  let screenshots: ScreenshotTaker
  /// Counts the container's close delay.
  private let closeTimer: CloseTimer
  /// What stands in the ad's place when there is none.
  private var failurePage = SchemeResponse.notFound
  var filmstrip: RenderRecord.Filmstrip?
  /// What the scenario's `observe` steps noted.
  var observations: [PageSnapshot] = []

  /// - Parameter addresses: those that the context's log knows; `place` is where the ad stands at first.
  init(_ render: RenderContext, bundle: CreativeBundle, addresses: PageAddresses, place: InitialPlacement) {
    self.render = render
    context = AdContext(render, bundle: bundle, addresses: addresses, placement: place.summary)
    stability = StabilityWaiter(render)
    screenshots = ScreenshotTaker(render, stability)
    closeTimer = CloseTimer(render)
    let job = render.job
    if let reference = job.feed, job.placement.kind == .feed {
      feed = FeedSession(context, reference: reference, stability: stability, screenshots: screenshots)
      ad = nil
    } else {
      let kind: AdConfiguration.Kind = job.placement.kind == .interstitial ? .interstitial : .banner
      ad = AdSession(
        context,
        AdConfiguration(kind: kind, size: place.size, closeDelay: job.container?.behaviour.closeDelay ?? 0),
        slot: render.stage)
    }
    render.content = feed ?? ad
    render.turns.hostRests = { [weak stability] in stability?.isAtRest ?? true }
    if let ad { connect(ad) }
    connectStage()
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

  private func connectStage() {
    render.stage.onPresenting = { [weak self] transition in
      guard let self else { return }
      render.turns.hold()
      if let content = render.content {
        render.browser.prepare(for: transition, with: content.activeAd?.pages ?? content.pages)
      }
      feed?.screenWillChange(to: transition)
    }
    render.stage.onPresented = { [weak self] in
      guard let self else { return }
      let ad = render.content?.activeAd
      ad?.html.startSecondPart()
      feed?.screenDidChange()
      // Of an ad that unloaded itself its own picture is taken.
      if render.content?.activeAd?.html.creative?.session.isUnloaded != true { screenshots.request(nameOfScreen) }
      render.turns.release()
    }
    render.stage.onReplaced = { [weak self] in
      guard let self else { return }
      screenshots.request(nameOfScreen)
    }
  }

  private func warn() {
    if render.job.options.clock == .virtual, !render.clock.isVirtual {
      render.warnings.append(MachineWarning.clockMissing)
    }
    let (area, slot) = (render.stage.screen.contentArea, context.placement)
    if slot.width > area.width || slot.height > area.height {
      render.warnings.append(
        "the slot \(slot.width.plain)x\(slot.height.plain) is larger than the device's content area")
    }
  }

  /// Ads that are shown, or are about to be.
  var shownAds: [AdSession] { feed?.shownAds ?? ad.map { [$0] } ?? [] }

  /// What pictures of the screen as it is now are called.
  var nameOfScreen: String {
    switch render.modalManager.stack.top?.kind {
    case .browser: "browser"
    case .video: "video"
    default: nameOfAd
    }
  }

  private var nameOfAd: String {
    let state = (render.activeState ?? .default).rawValue
    guard let view = render.stage.topAdPage?.id else { return state }
    let videos = (render.content?.sessions ?? []).map(\.video)
    if videos.contains(where: { $0.playedVideos[view] != nil }) { return "video" }
    return videos.contains { $0.card(in: view) != nil } ? "end-card" : state
  }

  /// Nothing may happen any more.
  func end() {
    render.isOver = true
    context.isOver = true
  }

  /// Whether a script of the creative has kept its web process busy for the last quarter second.
  func isHung() async -> Bool {
    guard let view = render.stage.pages[feed == nil ? context.views.page : .feed]?.view else { return false }
    var answered = false
    let ping = Task { @WebKitActor in
      if (try? await view.call("return 1")) != nil { answered = true }
    }
    defer { ping.cancel() }
    // Of the machine's time: the creative's own may stand still for ever.
    try? await Task.sleep(for: .milliseconds(250))
    return !answered
  }

  /// Ends the web process under pages that may never answer again.
  func terminate() {
    for page in render.stage.pages.values { page.view.terminate() }
  }

  /// Lets go of every page; with `endsWebProcess` nothing of the creative runs on.
  func tearDown(endsWebProcess: Bool) {
    end()
    let html = ad?.html
    html?.failLoading(AdError("the render is over"))
    feed?.end()
    feed = nil
    if endsWebProcess { terminate() }
    for page in render.stage.pages.values {
      page.view.onEvent = nil
      page.view.decideNavigation = nil
      render.stage.remove(page.id)
    }
    render.webSession.stopServing(host: context.addresses.host)
    render.webSession.stopServing(host: PageAddresses.containerHost)
    render.webSession.onDownload = nil
    html?.end()
    render.onFailure = nil
  }

  /// Shows in the ad's place that there is no ad, as an app under test does, and takes a picture of it.
  func showFailure(_ error: AdError) async {
    guard render.failure == nil else { return }
    let page = PageScripts.failurePage(code: error.code, message: error.description)
    failurePage = SchemeResponse(mimeType: "text/html; charset=utf-8", body: page)
    render.webSession.serve(host: PageAddresses.containerHost) { [weak self] _ in self?.failurePage ?? .notFound }
    guard let shown = ad?.pages.make(.failure, .host, owner: nil) else { return }
    shown.view.load(PageAddresses.containerPage("failure.html"))
    _ = await render.recorder.wait(.seconds(10)) { shown.isLoaded }
    render.stage.show(.failure)
    await render.stage.layOutPages()
    do {
      try await render.capture.takeScreenshot("failed", state: render.activeState ?? .default)
    } catch {
      render.warnings.append("no picture of the failure: \(error)")
    }
  }
}

extension AdViewID {
  /// What stands where the ad would have been.
  fileprivate static let failure = AdViewID(rawValue: "failure")
}

/// Withholds an interstitial's close control as long as the container does; the log says so.
///
/// It isn't among the ad's scheduled actions: a render needn't wait until an ad can be closed.
@WebKitActor private final class CloseTimer: @WebKitActor AdTimer {
  private weak var render: RenderContext?

  init(_ render: RenderContext) { self.render = render }

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    guard let render else { return }
    render.recorder.record(
      .host, "closeDelayed",
      ["seconds": .number(milliseconds / 1000), "reason": "the container shows it after a delay"])
    let action = CloseAction(action)
    Task { @WebKitActor [weak render, clock = render.clock] in
      await clock.sleep(for: Bounded.milliseconds(milliseconds))
      guard let render, !render.isOver else { return }
      render.recorder.record(.host, "closeShown")
      action.run()
    }
  }
}

/// What shows the control, on its way through a task of the same actor.
@WebKitActor private final class CloseAction {
  private let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  func run() { body() }
}

