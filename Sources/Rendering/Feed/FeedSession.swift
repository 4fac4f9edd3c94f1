internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Feed
internal import Hosting
internal import RenderModel
internal import WebKitRuntime

/// The feed around the ads while it is on the screen: builds it for the app's situation and handles its events.
@EngineActor final class FeedSession: AdContent {
  /// Factory of its own page.
  let pages: PageFactory
  let tour: FeedTour
  let watch: FeedAdWatch
  private let sources: FeedSources
  private let window: FeedWindow
  private let supply: FeedAdSupply
  private let cells: FeedCells
  /// Receiver of the phases for the terminal's progress line; nil before the feed loads.
  private var progress: ((String) -> Void)?

  /// - Parameter context: the context of its own page.
  init(
    _ context: AdContext, reference: FeedReference, stability: StabilityWaiter, screenshots: ScreenshotScheduler
  ) {
    let render = context.render
    pages = PageFactory(context: context)
    sources = FeedSources(context, reference)
    window = FeedWindow(pages)
    supply = FeedAdSupply(context, sources, screenshots)
    cells = FeedCells(render, window, supply)
    watch = FeedAdWatch(render, cells)
    tour = FeedTour(render, window, cells, line: supply.line, watch: watch, stability: stability)
    cells.delegate = self
  }

  private var render: RenderContext { context.render }

  var sessions: [AdSession] { cells.sessions }

  var activeAd: AdSession? { cells.active }

  var adsInSight: [String] { cells.inSight.map(\.context.views.page.rawValue) }

  /// Ads that are shown, without those that are loading.
  var shownAds: [AdSession] { cells.ads.compactMap(\.session) }

  /// Indicates that each ad has a web process of its own.
  var hasProcesses: Bool { cells.hasProcesses }

  /// Indicates that no work of the feed is pending.
  var isAtRest: Bool {
    context.loadEnd != nil && context.scheduledCount == 0 && supply.line.isEmpty && window.pendingChanges == 0
      && cells.ads.allSatisfy { ad in !ad.machine.isLoading && ad.sessions.allSatisfy(\.isAtRest) }
  }

  func flushNetwork() {
    for session in sessions { session.flushNetwork() }
  }

  /// Reads rules, creatives and sources, and draws the feed at its top; `progress` receives the phases.
  func load(progress: @escaping (String) -> Void) async throws(Fault) {
    self.progress = progress
    try await sources.read()
    try await sources.loadPosts(by: supply.sender)
    sources.serve()
    try await build()
    watch.begin()
    context.loadEnd = .success(())
    render.recorder.wakeWaiters()
  }

  /// Builds the feed for the present situation and draws it again.
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

  /// Logs the counts of the feed's requests, at the end of the log.
  func reportMetrics() { supply.reportMetrics() }

  /// Ends all activity of the feed.
  func end() {
    watch.end()
    cells.removeAll()
  }

  private func logEvent(_ name: Event.Name, _ detail: JSONValue = .object([:])) {
    render.recorder.record(.feed, name, detail)
  }
}

extension FeedSession {
  /// Applies an event of the app.
  func applyAppEvent(_ event: AppEvent) async throws(Fault) {
    let recorder = render.recorder
    switch event {
    case .launch:
      sources.situation.history.launch()
      recorder.record(.host, .launch, ["launches": .number(Double(sources.situation.history.launches))])
      render.modalManager.clearStates()
      supply.clear()
      try await build()
      try await tour.begin()
    case .days(let days):
      sources.situation.history.advance(days: days)
      recorder.record(.host, .advance, ["days": .number(days), "day": .number(sources.situation.history.day)])
    case .update(let version):
      sources.situation.history.update(to: version)
      recorder.record(.host, .update, ["version": .string(version)])
    case .register(let isRegistered):
      sources.situation.history.register(isRegistered)
      recorder.record(.host, .register, ["registered": .bool(isRegistered)])
      removeWhatIsNotDue()
    case .failNextRequest:
      sources.network.failures += 1
      recorder.record(.host, .failNextRequest)
    case .offline, .online:
      sources.network.isOffline = event == .offline
      recorder.record(.host, sources.network.isOffline ? .offline : .online)
    }
  }

  /// Handles a tap on the feed's own page.
  func tap(_ point: Point) async throws(Fault) {
    let does = try await window.document?.tap(point)
    switch does {
    case "dismiss": sources.situation.history.dismissNotification()
    case "follow": sources.situation.history.followNotification(registers: false)
    default: return
    }
    logEvent(does == "dismiss" ? .notificationDismissed : .notificationFollowed)
    removeWhatIsNotDue()
  }

  /// Removes cells that the situation no longer allows; all others stay as they are.
  private func removeWhatIsNotDue() {
    guard let contents = sources.contents() else { return }
    let kept = Set(contents.cells.map(\.id))
    for cell in window.geometry.cells where !kept.contains(cell.id) { window.remove(cell.id) }
  }

  /// Notes the notification as seen as soon as part of it is on the screen.
  private func meetNotification() {
    guard window.isSeen, window.cells.contains(where: { $0.id == "notification" }),
      sources.situation.history.encounter?.launch != sources.situation.history.launches
    else { return }
    sources.situation.history.meetNotification()
    logEvent(.notificationSeen, ["launch": .number(Double(sources.situation.history.launches))])
  }

  /// Point on the screen of a selector's first match in the feed's own page, which is searched before the ads; nil for
  /// none.
  func find(_ selector: String) async -> Point? { await window.find(selector) }

  /// Ad that this view belongs to; nil for none.
  func ad(showing view: AdViewID) -> AdSession? { cells.ad(showing: view) }

  /// Ends the ads' turns before the screen changes to a modal.
  func screenWillChange(to transition: ModalTransition) {
    if transition.top != nil { cells.leaveAll() }
  }

  /// Handles a change of the screen.
  func screenDidChange() {
    cells.notifyOthers()
    cells.updateVisibility()
  }

  /// Keeps the content at the window's top in place after a rotation.
  func preserveScrollPosition() async throws(Fault) { try await window.preserveScrollPosition() }
}

extension FeedSession: FeedCellsDelegate {
  func cellsWereChecked() { meetNotification() }

  func processEnded(_ end: ProcessEnd, of ad: AdSession) { watch.lose(ad, end) }

  func progressed(to phase: String) { progress?(phase) }
}
