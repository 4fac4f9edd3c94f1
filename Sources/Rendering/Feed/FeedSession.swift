internal import AdManager
internal import Core
internal import Device
internal import Feed
internal import RenderModel
internal import WebKitRuntime

/// The feed around the ads while it is on the screen: puts it together for the app's situation, and hears what happens.
@WebKitActor final class FeedSession: RenderContent {
  /// Makes its own page.
  let pages: PageFactory
  let tour: FeedTour
  let watch: FeedAdWatch
  private let sources: FeedSources
  private let window: FeedWindow
  private let supply: FeedAdSupply
  private let cells: FeedCells

  /// - Parameter context: of its own page.
  init(
    _ context: AdContext, reference: FeedReference, stability: StabilityWaiter, screenshots: ScreenshotTaker
  ) {
    let render = context.render
    pages = PageFactory(context: context)
    sources = FeedSources(context, reference)
    window = FeedWindow(pages)
    supply = FeedAdSupply(context, sources, screenshots)
    cells = FeedCells(render, window, supply)
    watch = FeedAdWatch(render, cells)
    tour = FeedTour(render, window, cells, line: supply.line, watch: watch, stability: stability)
    cells.onLook = { [weak self] in self?.meetNotification() }
  }

  private var render: RenderContext { context.render }

  var sessions: [AdSession] { cells.sessions }

  var activeAd: AdSession? { cells.active }

  /// Ads that are shown, without those that come.
  var shownAds: [AdSession] { cells.ads.compactMap(\.session) }

  /// Whether each ad has a web process of its own.
  var hasProcesses: Bool { cells.hasProcesses }

  /// Whether nothing of the feed's is under way.
  var isAtRest: Bool {
    context.loadEnd != nil && context.scheduledCount == 0 && supply.line.isEmpty && window.pendingChanges == 0
      && cells.ads.allSatisfy { ad in !ad.machine.isLoading && ad.sessions.allSatisfy(\.isAtRest) }
  }

  func flushNetwork() {
    for session in sessions { session.flushNetwork() }
  }

  /// Reads rules, creatives and sources, and has the feed drawn at its top; `progress` hears of phases.
  func load(progress: @escaping (String) -> Void) async throws(Fault) {
    cells.onProgress = progress
    try await sources.read()
    try await sources.loadPosts(by: supply.sender)
    sources.serve()
    try await build()
    watch.begin()
    render.capture.seenAds = { [weak cells] in cells?.inSight.map(\.context.views.page.rawValue) ?? [] }
    context.loadEnd = .success(())
    render.recorder.wakeWaiters()
  }

  /// Puts the feed together for the situation as it is, and draws it anew.
  private func build() async throws(Fault) {
    guard let contents = sources.contents() else { return }
    let rules = sources.spec?.ads
    let ads = contents.cells.compactMap { cell in
      cell.ad.map { FeedAd(id: cell.id, place: $0, rotation: rules?.rotation) }
    }
    cells.replace(by: ads, distance: rules?.distance ?? 0)
    sources.show(contents)
    try await window.draw()
  }

  /// What the feed's requests came to, at the end of the log.
  func reportMetrics() { supply.reportMetrics() }

  /// Nothing of it happens any more.
  func end() {
    watch.end()
    cells.removeAll()
  }

  private func logEvent(_ name: String, _ detail: JSONValue = .object([:])) {
    render.recorder.record(.feed, name, detail)
  }
}

extension FeedSession {
  /// What happens to the app.
  func applyAppEvent(_ event: AppEvent) async throws(Fault) {
    let recorder = render.recorder
    switch event {
    case .launch:
      sources.situation.history.launch()
      recorder.record(.host, "launch", ["launches": .number(Double(sources.situation.history.launches))])
      render.modalManager.clearStates()
      supply.clear()
      try await build()
      try await tour.begin()
    case .days(let days):
      sources.situation.history.advance(days: days)
      recorder.record(.host, "advance", ["days": .number(days), "day": .number(sources.situation.history.day)])
    case .update(let version):
      sources.situation.history.update(to: version)
      recorder.record(.host, "update", ["version": .string(version)])
    case .register(let isRegistered):
      sources.situation.history.register(isRegistered)
      recorder.record(.host, "register", ["registered": .bool(isRegistered)])
      removeWhatIsNotDue()
    case .failNextRequest:
      sources.network.failures += 1
      recorder.record(.host, "failNextRequest")
    case .offline, .online:
      sources.network.isOffline = event == .offline
      recorder.record(.host, sources.network.isOffline ? "offline" : "online")
    }
  }

  /// A finger on the feed's own page.
  func tap(_ point: Point) async throws(Fault) {
    let does = try await window.document?.tap(point)
    switch does {
    case "dismiss": sources.situation.history.dismissNotification()
    case "follow": sources.situation.history.followNotification(registers: false)
    default: return
    }
    logEvent(does == "dismiss" ? "notificationDismissed" : "notificationFollowed")
    removeWhatIsNotDue()
  }

  /// Takes cells away that the situation has no place for any more; all others stay as they are.
  private func removeWhatIsNotDue() {
    guard let contents = sources.contents() else { return }
    let kept = Set(contents.cells.map(\.id))
    for cell in window.geometry.cells where !kept.contains(cell.id) { window.remove(cell.id) }
  }

  /// The notification counts as met as soon as something of it is on the screen.
  private func meetNotification() {
    guard window.isSeen, window.cells.contains(where: { $0.id == "notification" }),
      sources.situation.history.encounter?.launch != sources.situation.history.launches
    else { return }
    sources.situation.history.meetNotification()
    logEvent("notificationSeen", ["launch": .number(Double(sources.situation.history.launches))])
  }

  /// Where a selector's first match stands on the screen: the feed's page is looked through before the ads on it.
  func find(_ selector: String) async -> Point? { await window.find(selector) }

  /// The ad whose view this is.
  func ad(showing view: AdViewID) -> AdSession? { cells.ad(showing: view) }

  /// A modal comes or goes, or the app does: turns end before the screen changes.
  func screenWillChange(to transition: ModalTransition) {
    if transition.top != nil { cells.leaveAll() }
  }

  /// The screen has changed.
  func screenDidChange() {
    cells.notifyOthers()
    cells.updateVisibility()
  }

  /// The device was turned: what stood at the window's top stays there.
  func preserveScrollPosition() async throws(Fault) { try await window.preserveScrollPosition() }
}
