internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Engine
internal import Feed
internal import Hosting
internal import RenderModel

/// Supplies a feed's ads from its creatives: on request, one after the other, and none while the feed scrolls.
@EngineActor final class FeedAdSupply {
  private let context: AdContext
  private let sources: FeedSources
  private let screenshots: ScreenshotScheduler
  /// Queue of ads that wait to load.
  let line = AdLoadQueue()
  private let timer: FeedTimer
  /// Counters of the feed's requests.
  private let metrics = MetricsBehaviour()
  private var turns = CreativeTurns()
  /// Number of ads that have begun to load.
  private var loads = 0
  /// Cells that the ads are for.
  weak var cells: (any FeedAdSupplyDelegate)?

  private(set) lazy var sender = makeSender()
  private lazy var service = AdService(sender: sender) { [weak self] unit, request in
    self?.load(unit, request) ?? Promise(error: PromiseCancelled())
  }

  init(_ context: AdContext, _ sources: FeedSources, _ screenshots: ScreenshotScheduler) {
    self.context = context
    self.sources = sources
    self.screenshots = screenshots
    timer = FeedTimer(context)
  }

  private var render: RenderContext { context.render }

  private func logEvent(_ name: Event.Name, _ detail: JSONValue) { render.recorder.record(.feed, name, detail) }

  /// Forgets the assignment of creatives to cells, before the feed gets other cells.
  func forgetCells() { turns.forgetUnits() }

  /// Discards loaded ads, since the app has been launched again.
  func clear() { service.clear() }

  /// Asks the service for the cell's ad, which is available at once; calls `then` with true if there is one.
  func obtain(_ ad: FeedAd, then: @escaping (Bool) -> Void) {
    logEvent(.adRequested, ["cell": .string(ad.id), "unit": .string(ad.place.unit.description)])
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

  /// Loads the cell's next ad behind the present one, which stays if that fails; `then` shows it.
  func obtainNext(_ ad: FeedAd, then: @escaping () -> Void) {
    logEvent(.rotated, ["cell": .string(ad.id)])
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
    logEvent(.adPromise, .object(detail))
  }

  /// Loader of the service: creates a page for the next creative, which loads in its turn.
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
      logEvent(
        .adLoading, ["ad": .string(name), "cell": .string(ad.id), "creative": .string(creative.reference.name)])
      switch creative.bundle {
      case .failure(let fault):
        render.recorder.record(
          .ad, .failedToLoad, ["ad": .string(name), "error": .string(fault.message), "code": .string(fault.code)])
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
    let slot = FeedCellSlot(of: ad, stage: render.stage, cells: cells, screenshots: screenshots)
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

  /// Time after which an ad that is still loading counts as failed, as in SDKs.
  private static let longestLoad = Duration.seconds(10)

  /// Fails the ad if it hasn't loaded in that time.
  private func limit(_ child: AdSession) {
    Task { @EngineActor [weak child, clock = render.clock] in
      await clock.sleep(for: Self.longestLoad)
      child?.log.onLoaded?(
        AdError("not loaded after \((Self.longestLoad / .seconds(1)).plain) s", code: "ad-timed-out"))
    }
  }

  /// Sender with the behaviours that accompany the feed's requests, in this order.
  private func makeSender() -> RequestSender {
    let rules = sources.spec?.requests ?? RequestRules()
    var behaviours: [any RequestBehaviour] = []
    if let token = rules.token { behaviours.append(AuthorizationBehaviour { token }) }
    behaviours.append(
      ActivityBehaviour(
        show: { [weak self] in self?.cells?.setSpinner($0, true) },
        hide: { [weak self] in self?.cells?.setSpinner($0, false) }))
    behaviours.append(RetryBehaviour(rules.backOff) { ($0 as? AdError)?.isPassing ?? !($0 is Fault) })
    behaviours.append(LogBehaviour { [weak self] name, detail in self?.logEvent(Event.Name(rawValue: name), detail) })
    behaviours.append(metrics)
    return RequestSender(behaviour: CombinedBehaviour(behaviours), timer: timer)
  }

  /// Logs the counts of the feed's requests, at the end of the log.
  func reportMetrics() {
    let metrics = metrics.metrics
    logEvent(
      .requests,
      [
        "sent": .number(Double(metrics.sent)), "succeeded": .number(Double(metrics.succeeded)),
        "failed": .number(Double(metrics.failed)), "retried": .number(Double(metrics.retried)),
        "cancelled": .number(Double(metrics.cancelled)), "bytes": .number(Double(metrics.bytes)),
      ])
  }
}

/// Cells that a supply's ads are for.
@EngineActor protocol FeedAdSupplyDelegate: AnyObject {
  /// Cell with this ad unit, while the feed has it.
  func cell(of unit: AdUnit) -> FeedAd?
  /// Called when an ad is about to load for a cell.
  func comes(_ child: AdSession, into ad: FeedAd)
  /// Called when an ad has failed to load.
  func loadDidFail(_ child: AdSession, into ad: FeedAd)
  /// Called when the present ad of a cell has removed itself.
  func wantsNextAd(_ ad: FeedAd)
  /// Called when a request has begun or ended.
  func setSpinner(_ request: AdRequest, _ isShown: Bool)
}

/// Timer in the render's time; the ad doesn't count as at rest meanwhile.
@EngineActor private final class FeedTimer: @EngineActor AdTimer {
  private weak var context: AdContext?

  init(_ context: AdContext) { self.context = context }

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    context?.schedule(after: milliseconds, action)
  }
}
