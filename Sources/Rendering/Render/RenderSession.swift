internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// One render while it runs: the creative's pages, the ad manager, the screen, and the log of it all.
@WebKitActor final class RenderSession {
  let job: RenderJob
  /// What the caller called the creative.
  let argument: String
  /// What was opened; once a response is understood, what it turned out to show.
  var bundle: CreativeBundle
  /// Where a response came from, to which addresses in it refer; nil for files.
  let responseAddress: String?
  let recorder: Recorder
  /// What the pages do by themselves.
  let pageLog: PageLog
  let clock: RenderClock
  let addresses: PageAddresses
  let webSession: WebSession
  /// The way to the network; nil where pages go by themselves.
  let outlet: Outlet?
  let scripts: PageScripts
  let stage: StageController
  let photographer: Photographer
  let gate: CommandGate
  let adLog: AdLog
  /// Nil unless the job measures.
  let meter: Meter?
  let placement: PlacementSummary
  let modalManager: ModalManager
  let transactionManagerLoader: SessionTransactionLoader
  let manager: AdViewManager

  /// Whether a compositor draws the creative's pages.
  let isComposited: Bool
  /// What shows the ad.
  let views: CreativeViews
  /// The render whose feed this is an ad of; nil for a render's own session.
  private(set) weak var host: RenderSession?
  /// The first view of a feed's ad, which lends its web process to those that follow.
  var lender: WebView?
  /// Whether the gate waits for the ad to be shown.
  var awaitsShow = false
  /// The feed around the ads, for that placement.
  var feed: FeedSession?
  /// Set when it should but doesn't: the render is of no use then.
  private(set) var wantsCompositor = false

  /// Counts the container's close delay.
  let closeTimer = CloseTimer()
  /// The call that is carried out, when its page has raised its `error` already.
  var errorTold: String?

  /// Whether it was asked whether it lives, and hasn't said.
  var isAsked = false
  /// Nil until the transaction is made.
  var creative: HTMLCreative?
  var states: [MRAIDState] = []
  var transitions: [RenderRecord.Transition] = []
  var warnings: [String] = []
  var filmstrip: RenderRecord.Filmstrip?
  /// Why the render can't go on; the first reason counts.
  private(set) var failure: RenderFailure?
  /// Told of the failure at once, to unwind what waits.
  var onFailure: (() -> Void)?
  /// Ends the ad's load, once.
  var onCreativeLoaded: ((AdError?) -> Void)?
  /// A view whose web process was started ahead.
  let starter: WebView?
  /// Where the second part is, until it begins to load.
  var secondPartAddress: CreativeAddress?
  /// What has become of the ad's films.
  var video = VideoState()
  /// What the browser's page shows when it isn't the advertiser's own.
  var browserPage = SchemeResponse.notFound
  /// What stands in the ad's place when there is none.
  var failurePage = SchemeResponse.notFound
  /// Set when nothing may happen any more.
  var isOver = false
  /// How the ad's load ended: nil while it hasn't.
  var loadEnd: Result<Void, AdError>?
  /// Where the creative's pages may go.
  var navigation: NavigationPolicy
  /// Whether the creative has called the bridge, or told it something.
  var hasSpoken = false
  /// How many films of the render have passed their middle.
  var midpoints = 0
  /// What the log says of the ad's films, and whom they ask.
  var tracking: TrackingReporter
  var dialogs = 0
  /// Actions the session has scheduled: exposure events that may not come sooner.
  var scheduled = Schedule()
  /// Pictures asked for and not taken yet.
  var picturesPending = 0
  /// 0–100, nil for unknown.
  var volume: Double? = 100
  /// Whether a page has loaded an image that may move by itself.
  var mayHaveMovingImage = false
  /// What the scenario's `observe` steps noted.
  var observations: [Observation] = []

  typealias PlacementSummary = RenderRecord.PlacementSummary

  init(
    job: RenderJob, bundle: CreativeBundle, addresses: PageAddresses, webSession: WebSession, outlet: Outlet?,
    starter: WebView?, folder: OutputFolder, writer: EventWriter, clock: RenderClock, isComposited: Bool
  ) {
    self.isComposited = isComposited
    views = .only
    self.clock = clock
    self.starter = starter
    self.job = job
    self.bundle = bundle
    argument = job.creative.argument
    responseAddress = bundle.url
    self.addresses = addresses
    self.webSession = webSession
    self.outlet = outlet
    recorder = Recorder(writer: writer, addresses: addresses, clock: clock)
    pageLog = PageLog(recorder: recorder)
    scripts = PageScripts(
      device: job.device, explores: job.options.explores, seed: job.options.seed, isStepped: clock.isVirtual)
    let place = StartingPlace(job, meant: bundle.meta.size)
    placement = place.summary
    navigation = NavigationPolicy(origin: addresses.origin)
    tracking = TrackingReporter(of: job, width: placement.width, height: placement.height, namesAds: false)
    stage = StageController(screen: place.screen, clock: clock)
    photographer = Photographer(
      stage: stage, recorder: recorder, folder: folder, clock: clock,
      mindsDepth: job.options.compositing == .automatic)
    gate = CommandGate()
    adLog = AdLog(recorder: recorder)
    meter = job.options.measures && job.placement.kind != .feed ? Meter(clock: clock) : nil
    modalManager = ModalManager(presenter: stage)
    modalManager.add(adLog)
    transactionManagerLoader = SessionTransactionLoader()
    manager = AdViewManager(
      configuration: AdConfiguration(
        kind: job.placement.kind == .interstitial ? .interstitial : .banner, size: place.size,
        closeDelay: job.container?.behaviour.closeDelay ?? 0),
      transactionManager: TransactionManager(loader: transactionManagerLoader), modalManager: modalManager, slot: stage)
    manager.delegate = adLog
    manager.observer = adLog
    meter?.attach(to: self)
    if let feed = job.feed, job.placement.kind == .feed { self.feed = FeedSession(session: self, reference: feed) }
    connect()
  }

  /// One of the ads in the feed of `host`: it has its own page and manager, and the screen and the log in common.
  init(
    in host: RenderSession, bundle: CreativeBundle, argument: String, number: Int, size: Size, slot: any AdSlot
  ) {
    self.argument = argument
    self.host = host
    isComposited = host.isComposited
    views = CreativeViews(number: number)
    clock = host.clock
    starter = nil
    job = host.job
    self.bundle = bundle
    addresses = PageAddresses(host: "\(host.addresses.host)-\(number)", shownHost: views.page.rawValue)
    responseAddress = bundle.url
    webSession = host.webSession
    outlet = host.outlet
    recorder = host.recorder
    pageLog = host.pageLog
    scripts = PageScripts(device: job.device, seed: job.options.seed, isStepped: clock.isVirtual)
    placement = PlacementSummary(kind: .feed, width: size.width, height: size.height, position: nil)
    navigation = NavigationPolicy(origin: addresses.origin)
    tracking = TrackingReporter(of: job, width: placement.width, height: placement.height, namesAds: true)
    stage = host.stage
    photographer = host.photographer
    gate = host.gate
    adLog = AdLog(recorder: recorder, ad: views.page)
    meter = nil
    modalManager = host.modalManager
    transactionManagerLoader = SessionTransactionLoader()
    manager = AdViewManager(
      configuration: AdConfiguration(kind: .banner, size: size),
      transactionManager: TransactionManager(loader: transactionManagerLoader), modalManager: modalManager, slot: slot)
    manager.delegate = adLog
    manager.observer = adLog
    transactionManagerLoader.session = self
    adLog.onUnload = { [weak host] in host?.requestPicture("unloaded") }
  }

  private func connect() {
    warnings = job.warnings
    transactionManagerLoader.session = self
    closeTimer.session = self
    manager.timer = closeTimer
    pageLog.hostRests = { [weak self] in self?.isAtRest ?? true }
    adLog.onLoaded = { [weak self] error in
      self?.loadEnd = error.map { .failure($0) } ?? .success(())
      self?.recorder.wakeWaiters()
    }
    photographer.onDepth = { [weak self] in
      self?.wantsCompositor = true
      self?.fail(.failed, .engine("compositor-needed", "the creative has depth, which only a compositor draws"))
    }
    adLog.onUnload = { [weak self] in self?.requestPicture("unloaded") }
    stage.onPresenting = { [weak self] transition in
      guard let self else { return }
      gate.hold()
      (feed?.active ?? self).preparePages(for: transition)
      feed?.screenWillChange(to: transition)
    }
    stage.onPresented = { [weak self] in
      guard let self else { return }
      (feed?.active ?? self).startSecondPart()
      feed?.screenDidChange()
      // Of an ad that unloaded itself its own picture is taken.
      if activeCreative?.session.isUnloaded != true { requestPicture(nameOfScreen) }
      gate.release()
    }
    stage.onReplaced = { [weak self] in
      guard let self else { return }
      requestPicture(nameOfScreen)
    }
    if job.options.clock == .virtual, !clock.isVirtual {
      warnings.append("no virtual clock could be made: the creative lived in the machine's time")
    }
    if placement.width > stage.screen.contentArea.width || placement.height > stage.screen.contentArea.height {
      warnings.append(
        "the slot \(placement.width.plain)x\(placement.height.plain) is larger than the device's content area")
    }
  }

  /// Ends the render for this reason, unless it has ended for another.
  func fail(_ outcome: RenderRecord.Outcome, _ fault: Fault) {
    guard failure == nil else { return }
    if let host { return host.fail(outcome, fault) }
    failure = RenderFailure(outcome: outcome, fault: fault)
    pageLog.close()
    recorder.record(.host, "failure", ["code": .string(fault.code), "message": .string(fault.message)])
    onFailure?()
  }

  /// What pictures of the screen as it is now are called.
  var nameOfScreen: String {
    switch modalManager.stack.top?.kind {
    case .browser: "browser"
    case .video: "video"
    default: nameOfAd
    }
  }

  private var nameOfAd: String {
    guard let view = stage.topAdPage?.id else { return (activeCreative?.session.state ?? .default).rawValue }
    if film(view) != nil { return "film" }
    return video.cards[view] == nil ? (activeCreative?.session.state ?? .default).rawValue : "end-card"
  }
}

/// How a render ended that didn't complete.
struct RenderFailure: Error {
  var outcome: RenderRecord.Outcome
  var fault: Fault
}

/// Where an ad stands on its device when it begins.
struct StartingPlace {
  let screen: Screen
  /// What the ad is given, in dip.
  let size: Size
  let summary: RenderRecord.PlacementSummary

  /// - Parameter meant: the size the creative says it is made for; a banner's own when the job has none.
  init(_ job: RenderJob, meant: Size?) {
    var screen = Screen(device: job.device, orientation: job.orientation)
    let placement = job.placement
    switch placement.kind {
    case .banner:
      size = placement.size ?? meant ?? Size(width: 320, height: 50)
      screen.slot = Slot(size: size, position: placement.position)
    case .interstitial:
      size = screen.contentArea.size
    case .feed:
      size = screen.contentArea.size
      screen.feed = FeedPlaces(view: .feed)
    }
    self.screen = screen
    summary = RenderRecord.PlacementSummary(
      kind: placement.kind, width: size.width, height: size.height,
      position: placement.kind == .banner ? placement.position : nil,
      isAssumed: placement.kind == .banner && placement.size == nil && meant == nil)
  }
}
