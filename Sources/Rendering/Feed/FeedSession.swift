internal import AdManager
internal import Core
internal import Feed
internal import RenderModel
internal import WebKitRuntime

/// The feed around the ads while it is on the screen: its page, its cells, the ads in them, and the app's history.
@WebKitActor final class FeedSession: RenderContent {
  /// Of its own page.
  let context: AdContext
  /// Makes its own page.
  let pages: PageFactory
  let stability: StabilityWaiter
  let screenshots: ScreenshotTaker
  let reference: FeedReference
  /// Where the feed's file is, and what it names.
  let folder: String
  let network: AppNetwork
  /// In which ads wait for their turn to load.
  let line = LoadLine()
  private let timer = FeedTimer()
  private(set) lazy var sender = makeSender()
  private(set) lazy var service = AdService(sender: sender) { [weak self] unit, request in
    self?.loadAd(unit, request) ?? Promise(error: PromiseCancelled())
  }
  /// Counts the feed's requests.
  let metrics = MetricsBehaviour()

  /// Told of phases, as the terminal's progress line has them.
  var onProgress: ((String) -> Void)?

  /// What the feed's file says, once it is read.
  var spec: FeedSpec?
  /// All that the sources have, whether or not the rules show it.
  var posts: [Post] = []
  /// The files of the feed's folder that its page may load.
  var pictures: Set<String> = []
  /// What the rules go by.
  var situation = FeedSituation(kind: "feed")
  /// The creatives, or why one can't be opened, in the order in which they fill slots.
  var creatives: [FeedCreative] = []
  /// How many creatives have had their turn, and how many ads have begun to load.
  var turns = 0
  var loads = 0
  /// Whose turn it is where a request is under way: another try is for the same creative.
  var chosen: [AdUnit: Int] = [:]
  /// What the page is, as it is served.
  var markup = ""
  var document: FeedDocument?
  /// Where everything stood when it was last looked at.
  var geometry = FeedGeometry()
  /// By their cells' ids, in the feed's order.
  var ads: [FeedAd] = []
  /// The ad that did something last, or is on top.
  weak var active: AdSession?
  /// What is done to the page one after the other: cells that change their size.
  let changes = WorkLine()
  var pendingChanges = 0
  /// Ads lost so far, and web processes that were ended for their memory.
  var losses = 0
  var memoryEnds = 0
  /// Looks for ads that don't answer any more.
  var watch: Task<Void, Never>?
  /// Stops pictured so far.
  var stops = 0

  init(
    _ context: AdContext, reference: FeedReference, stability: StabilityWaiter, screenshots: ScreenshotTaker
  ) {
    self.context = context
    self.stability = stability
    self.screenshots = screenshots
    pages = PageFactory(context: context)
    self.reference = reference
    folder = reference.path.lastIndex(of: "/").map { String(reference.path[..<$0]) } ?? "."
    network = AppNetwork(folder: folder, proxy: context.render.webSession.proxy, clock: context.render.clock)
    timer.context = context
  }

  /// Notes something in the event log.
  func note(_ name: String, _ detail: JSONValue) { render.recorder.record(.feed, name, detail) }

  var render: RenderContext { context.render }

  /// The ads that are there or load, in the feed's order.
  var sessions: [AdSession] { ads.flatMap(\.sessions) }

  var activeAd: AdSession? { active }

  /// Whether nothing of the feed's is under way.
  var isAtRest: Bool {
    context.loadEnd != nil && context.scheduledCount == 0 && line.isEmpty && pendingChanges == 0
      && ads.allSatisfy { ad in !ad.machine.isLoading && ad.sessions.allSatisfy(\.isAtRest) }
  }

  /// Logs what the ads' pages have loaded since the last fixed point.
  func flushNetwork() {
    for session in sessions { session.flushNetwork() }
  }

  /// Nothing of it happens any more.
  func end() {
    watch?.cancel()
    tearDown()
  }

  /// Lets go of every ad.
  func tearDown() {
    for ad in ads { discard(ad) }
    ads = []
  }

  /// Whether each ad has a web process of its own.
  var hasProcesses: Bool { !render.clock.isVirtual }

  /// What goes along with the feed's requests, in this order.
  private func makeSender() -> RequestSender {
    let rules = spec?.requests ?? RequestRules()
    var behaviours: [any RequestBehaviour] = []
    if let token = rules.token { behaviours.append(AuthorizationBehaviour { token }) }
    behaviours.append(
      ActivityBehaviour(
        show: { [weak self] in self?.indicate($0, true) }, hide: { [weak self] in self?.indicate($0, false) }))
    behaviours.append(RetryBehaviour(rules.backOff) { ($0 as? AdError)?.isPassing ?? !($0 is Fault) })
    behaviours.append(LogBehaviour { [weak self] name, detail in self?.note(name, detail) })
    behaviours.append(metrics)
    return RequestSender(behaviour: CombinedBehaviour(behaviours), timer: timer)
  }
}

/// Has ads load one after the other, and none while the feed scrolls: which of two came first would be chance.
@WebKitActor final class LoadLine {
  private var waiting: [(_ done: @escaping () -> Void) -> Void] = []
  private var isBusy = false
  private var isHeld = false

  /// Whether none loads or waits.
  var isEmpty: Bool { waiting.isEmpty && !isBusy }

  /// Runs `load` in its turn; the next has its turn when `done` is called.
  func add(_ load: @escaping (_ done: @escaping () -> Void) -> Void) {
    waiting.append(load)
    goOn()
  }

  /// Lets no other begin.
  func hold() { isHeld = true }

  /// Goes on where it was held.
  func release() {
    isHeld = false
    goOn()
  }

  private func goOn() {
    guard !isBusy, !isHeld, !waiting.isEmpty else { return }
    isBusy = true
    var isDone = false
    let load = waiting.removeFirst()
    load { [weak self] in
      guard let self, !isDone else { return }
      isDone = true
      isBusy = false
      goOn()
    }
  }
}

/// Waits in the render's time; nothing is at rest meanwhile.
@WebKitActor final class FeedTimer {
  weak var context: AdContext?
}

extension FeedTimer: @WebKitActor AdTimer {
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    context?.schedule(after: milliseconds, action)
  }
}
