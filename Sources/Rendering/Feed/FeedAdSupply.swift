internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Feed
internal import RenderModel
internal import WebKitRuntime

/// Gets a feed's ads of its creatives: each as it is asked for, one after the other, and none while the feed scrolls.
@WebKitActor final class FeedAdSupply {
  private let context: AdContext
  private let sources: FeedSources
  private let screenshots: ScreenshotTaker
  /// In which ads wait for their turn to load.
  let line = AdLoadQueue()
  private let timer: FeedTimer
  /// Counts the feed's requests.
  private let metrics = MetricsBehaviour()
  private var turns = CreativeTurns()
  /// How many ads have begun to load.
  private var loads = 0
  /// The cells that ads are for.
  weak var cells: (any FeedAdSupplyDelegate)?

  private(set) lazy var sender = makeSender()
  private lazy var service = AdService(sender: sender) { [weak self] unit, request in
    self?.load(unit, request) ?? Promise(error: PromiseCancelled())
  }

  init(_ context: AdContext, _ sources: FeedSources, _ screenshots: ScreenshotTaker) {
    self.context = context
    self.sources = sources
    self.screenshots = screenshots
    timer = FeedTimer(context)
  }

  private var render: RenderContext { context.render }

  private func logEvent(_ name: String, _ detail: JSONValue) { render.recorder.record(.feed, name, detail) }

  /// The feed's cells are about to be others, which get creatives of their own.
  func forgetCells() { turns.forgetUnits() }

  /// The app was launched anew: what was loaded before is of no use.
  func clear() { service.clear() }

  /// Asks the service for the cell's ad, which is handed out at once; `then` hears whether there is one.
  func obtain(_ ad: FeedAd, then: @escaping (Bool) -> Void) {
    logEvent("adRequested", ["cell": .string(ad.id), "unit": .string(ad.place.unit.description)])
    service.obtainAd(ad.place.unit).show { [weak self, weak ad] _ in
      guard let self, let ad else { return }
      reportPromise(ad, ["outcome": "resolved"])
      then(true)
    }.error { [weak self, weak ad] error in
      guard let self, let ad else { return }
      reportPromise(ad, ["outcome": "rejected", "error": .string("\(error)")])
      then(false)
    }
  }

  /// Loads the cell's next ad behind the one that is there, which stays where that fails; `then` shows it.
  func obtainNext(_ ad: FeedAd, then: @escaping () -> Void) {
    logEvent("rotated", ["cell": .string(ad.id)])
    let next = service.nextAd(ad.place.unit)
    next.show { [weak self, weak ad] _ in
      guard let self, let ad else { return }
      reportPromise(ad, ["outcome": "resolved", "rotation": true])
      service.keep(next)
      then()
    }.error { [weak self, weak ad] error in
      guard let self, let ad else { return }
      reportPromise(ad, ["outcome": "rejected", "rotation": true, "error": .string("\(error)")])
    }
  }

  private func reportPromise(_ ad: FeedAd, _ detail: [String: JSONValue]) {
    var detail = detail
    detail["cell"] = .string(ad.id)
    detail["unit"] = .string(ad.place.unit.description)
    logEvent("adPromise", .object(detail))
  }

  /// What the service gets its ads by: a page for the next creative, loaded when it is its turn.
  private func load(_ unit: AdUnit, _ request: AdRequest) -> Promise<AdViewManager> {
    let (promise, resolver) = Promise<AdViewManager>.pending()
    line.add { [weak self] done in
      guard promise.isPending, let self, let ad = cells?.cell(of: unit) else { return done() }
      if let refusal = sources.network.refusal() {
        resolver.reject(refusal)
        return done()
      }
      let isFirstTry = request.attempt == 1
      let creative = sources.creatives[turns.next(for: unit, isFirstTry: isFirstTry, of: sources.creatives.count)]
      loads += 1
      let name = CreativeViews(number: loads).page.rawValue
      logEvent("adLoading", ["ad": .string(name), "cell": .string(ad.id), "creative": .string(creative.reference.name)])
      switch creative.bundle {
      case .failure(let fault):
        render.recorder.record(
          .ad, "failedToLoad", ["ad": .string(name), "error": .string(fault.message), "code": .string(fault.code)])
        resolver.reject(fault)
        done()
      case .success(let bundle): load(bundle, creative.reference, into: ad, resolver, done)
      }
    }
    return promise
  }

  private func load(
    _ bundle: CreativeBundle, _ reference: CreativeReference, into ad: FeedAd,
    _ resolver: Promise<AdViewManager>.Resolver,
    _ done: @escaping () -> Void
  ) {
    let slot = FeedCellSlot(stage: render.stage) { [weak self, weak ad] in
      if let ad { self?.cells?.wantsNextAd(ad) }
    } onReplaced: { [weak screenshots] in
      screenshots?.request("end-card")
    }
    let size = ad.place.size
    let child = AdSession(
      AdContext(in: context, bundle: bundle, argument: reference.argument, number: loads, size: size),
      AdConfiguration(kind: .banner, size: size), slot: slot)
    child.log.onUnload = { [weak screenshots] in screenshots?.request("unloaded") }
    cells?.comes(child, into: ad)
    child.log.onLoaded = { [weak self, weak ad, weak child] error in
      guard let self, let ad, let child else { return done() }
      child.log.onLoaded = nil
      child.context.loadEnd = error.map { .failure($0) } ?? .success(())
      if let error {
        cells?.loadDidFail(child, into: ad)
        resolver.reject(error)
      } else {
        resolver.resolve(child.manager)
      }
      done()
      render.recorder.wakeWaiters()
    }
    child.manager.load()
    limit(child)
  }

  /// After this an ad that still loads counts as failed, as SDKs have it.
  private static let longestLoad = Duration.seconds(10)

  /// Fails the ad if it hasn't loaded by then.
  private func limit(_ child: AdSession) {
    Task { @WebKitActor [weak child, clock = render.clock] in
      await clock.sleep(for: Self.longestLoad)
      child?.log.onLoaded?(
        AdError("not loaded after \((Self.longestLoad / .seconds(1)).plain) s", code: "ad-timed-out"))
    }
  }

  /// What goes along with the feed's requests, in this order.
  private func makeSender() -> RequestSender {
    let rules = sources.spec?.requests ?? RequestRules()
    var behaviours: [any RequestBehaviour] = []
    if let token = rules.token { behaviours.append(AuthorizationBehaviour { token }) }
    behaviours.append(
      ActivityBehaviour(
        show: { [weak self] in self?.cells?.setSpinner($0, true) },
        hide: { [weak self] in self?.cells?.setSpinner($0, false) }))
    behaviours.append(RetryBehaviour(rules.backOff) { ($0 as? AdError)?.isPassing ?? !($0 is Fault) })
    behaviours.append(LogBehaviour { [weak self] name, detail in self?.logEvent(name, detail) })
    behaviours.append(metrics)
    return RequestSender(behaviour: CombinedBehaviour(behaviours), timer: timer)
  }

  /// What the feed's requests came to, at the end of the log.
  func reportMetrics() {
    let metrics = metrics.metrics
    logEvent(
      "requests",
      [
        "sent": .number(Double(metrics.sent)), "succeeded": .number(Double(metrics.succeeded)),
        "failed": .number(Double(metrics.failed)), "retried": .number(Double(metrics.retried)),
        "cancelled": .number(Double(metrics.cancelled)), "bytes": .number(Double(metrics.bytes)),
      ])
  }
}

/// The cells that a supply's ads are for.
@WebKitActor protocol FeedAdSupplyDelegate: AnyObject {
  /// The cell with this place, while the feed has it.
  func cell(of unit: AdUnit) -> FeedAd?
  /// An ad is about to load for a cell.
  func comes(_ child: AdSession, into ad: FeedAd)
  /// It failed.
  func loadDidFail(_ child: AdSession, into ad: FeedAd)
  /// The ad that is there took itself away.
  func wantsNextAd(_ ad: FeedAd)
  /// A request begins to be under way, or isn't any more.
  func setSpinner(_ request: AdRequest, _ isShown: Bool)
}

/// Whose turn it is among a feed's creatives: they fill its places in turn, also those of rotations.
struct CreativeTurns {
  private var turns = 0
  /// Whose turn it is where a request is under way: another try is for the same creative.
  private var chosen: [AdUnit: Int] = [:]

  /// Which of so many creatives a place gets; one that fails is not replaced by another.
  mutating func next(for unit: AdUnit, isFirstTry: Bool, of count: Int) -> Int {
    if isFirstTry || chosen[unit] == nil {
      chosen[unit] = turns
      turns += 1
    }
    return (chosen[unit] ?? 0) % count
  }

  /// The places are others from now on; the turns go on.
  mutating func forgetUnits() { chosen = [:] }
}

/// Has ads load one after the other, and none while the feed scrolls: which of two came first would be chance.
@WebKitActor final class AdLoadQueue {
  private var waiting: [(_ done: @escaping () -> Void) -> Void] = []
  private var isBusy = false
  private var isHeld = false

  /// Whether none loads or waits.
  var isEmpty: Bool { waiting.isEmpty && !isBusy }

  /// Runs `load` in its turn; the next has its turn when `done` is called.
  func add(_ load: @escaping (_ done: @escaping () -> Void) -> Void) {
    waiting.append(load)
    continueLoading()
  }

  /// Lets no other begin.
  func hold() { isHeld = true }

  /// Goes on where it was held.
  func release() {
    isHeld = false
    continueLoading()
  }

  private func continueLoading() {
    guard !isBusy, !isHeld, !waiting.isEmpty else { return }
    isBusy = true
    var isDone = false
    let load = waiting.removeFirst()
    load { [weak self] in
      guard let self, !isDone else { return }
      isDone = true
      isBusy = false
      continueLoading()
    }
  }
}

/// Waits in the render's time; nothing is at rest meanwhile.
@WebKitActor private final class FeedTimer: @WebKitActor AdTimer {
  private weak var context: AdContext?

  init(_ context: AdContext) { self.context = context }

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    context?.schedule(after: milliseconds, action)
  }
}
