internal import AdManager
internal import Core
internal import Creatives
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// One ad while it is there, the only one of a render or one of a feed's: its manager, its pages and its films.
@WebKitActor final class AdSession: RenderContent {
  let context: AdContext
  let manager: AdViewManager
  let html: HTMLAd
  let video: VideoAd
  /// Hears what the ad manager tells.
  let log: DelegateLogger
  let pages: PageFactory
  private let tracker: AdTracker

  /// Told when a person is at this ad, and when its web process has ended, where that costs no other ad anything.
  var onActive: (() -> Void)?
  var onProcessEnded: ((ProcessEnd) -> Void)?
  /// Whether it was asked whether it lives, and hasn't said.
  var isAsked = false

  /// - Parameter slot: where the ad goes as a banner.
  init(_ context: AdContext, _ configuration: AdConfiguration, slot: any AdSlot) {
    self.context = context
    pages = PageFactory(context: context)
    tracker = AdTracker(context: context)
    html = HTMLAd(pages: pages)
    video = VideoAd(pages: pages, tracker: tracker)
    log = DelegateLogger(recorder: context.render.recorder, ad: context.name)
    let loader = AdLoader(pages: pages, html: html, video: video, tracker: tracker, log: log)
    manager = AdViewManager(
      configuration: configuration, transactionManager: TransactionManager(loader: loader),
      modalManager: context.render.modalManager, slot: slot)
    manager.delegate = log
    manager.observer = log
    context.delegate = self
  }

  var sessions: [AdSession] { [self] }

  var activeAd: AdSession? { self }

  /// Whether nothing of it is under way, from the end of its load on.
  var isAtRest: Bool {
    context.loadEnd != nil && context.scheduledCount == 0 && !(html.creative?.session.isTransitioning ?? false)
  }

  /// Every view that it has, or may have.
  var views: [AdViewID] { [context.views.page, context.views.secondPart, html.measuringView] + video.views }

  /// Pages of it that are there.
  var pagesThere: [AdPage] { views.compactMap { context.render.stage.pages[$0] } }

  /// The page of an ad of HTML; nil of any other.
  var htmlPage: AdPage? { html.creative.flatMap { _ in context.render.stage.pages[context.views.page] } }

  /// Begins what waits for another page's rest; the screen has changed.
  func screenIsReady() { html.startSecondPart() }

  /// Lets go of everything that it has on the screen; its web process ends where it is its own.
  func leave(endsProcess: Bool) {
    context.finishMeasuring()
    flushNetwork()
    context.isOver = true
    context.endAwaitingShow()
    for page in pagesThere { context.render.stage.remove(page.id) }
    pages.close(endsProcess: endsProcess)
    context.render.webSession.stopServing(host: context.addresses.host)
  }
}

extension AdSession: AdContextDelegate {
  func wasClicked(to url: String, on view: AdViewID) {
    if let card = video.card(in: view) { return card.clicked(to: url) }
    if video.playedVideos[view] != nil { return video.leaves(to: url, from: view) }
    html.creative?.clickedThrough(to: url)
  }

  func becameActive() { onActive?() }

  func flushNetwork() {
    for page in pagesThere { page.network?.flush() }
  }

  func processEnded(_ end: ProcessEnd) -> Bool {
    guard let onProcessEnded else { return false }
    onProcessEnded(end)
    return true
  }
}
