internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// One ad during its lifetime, a render's only ad or one of a feed: its manager, its pages and its videos.
@EngineActor final class AdSession: AdContent {
  let context: AdContext
  let manager: AdViewManager
  let html: HTMLAd
  let video: VideoAd
  /// Logs the calls of the ad manager.
  let log: DelegateLogger
  let pages: PageFactory
  private let tracker: AdTracker

  /// Feed around the ad; nil for a render's only ad.
  weak var delegate: (any AdSessionDelegate)?
  /// Indicates that its page was asked for an answer, which hasn't come yet.
  var isAsked = false

  /// - Parameter slot: the place of the ad as a banner.
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

  var adsInSight: [String] { [] }

  /// Indicates that no work of the ad is pending, once its load has ended.
  var isAtRest: Bool {
    context.loadEnd != nil && context.scheduledCount == 0 && !(html.creative?.session.isTransitioning ?? false)
  }

  /// All views that the ad has or may have.
  var views: [AdViewID] { [context.views.page, context.views.secondPart, html.measuringView] + video.views }

  /// Existing pages of the ad.
  var pagesThere: [AdPage] { views.compactMap { context.render.stage.pages[$0] } }

  /// Page of an HTML ad; nil for other ads.
  var htmlPage: AdPage? { html.creative.flatMap { _ in context.render.stage.pages[context.views.page] } }

  /// Begins loads that waited for another page to come to rest; called after the screen has changed.
  func screenIsReady() { html.startSecondPart() }

  /// Removes everything of the ad from the screen; ends its web process if it has its own.
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

  func becameActive() { delegate?.becameActive(self) }

  func flushNetwork() {
    for page in pagesThere { page.network?.flush() }
  }

  func processEnded(_ end: ProcessEnd) -> Bool { delegate?.processEnded(end, of: self) ?? false }
}

/// Reactions of a feed to events of its ads.
@EngineActor protocol AdSessionDelegate: AnyObject {
  /// Called when a user acts on the ad.
  func becameActive(_ ad: AdSession)
  /// Called when the ad's web process has ended; returns false if other ads share it, which ends the whole render.
  func processEnded(_ end: ProcessEnd, of ad: AdSession) -> Bool
}
