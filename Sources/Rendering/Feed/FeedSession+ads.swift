internal import AdExperience
internal import Bundles
internal import Feed
internal import Jobs
internal import MRAID
internal import Stage
internal import WebKitRuntime

extension FeedSession {
  /// Asks the service for the cell's ad, which is handed out at once.
  func obtain(_ ad: FeedAd) {
    note("adRequested", ["cell": .string(ad.id), "unit": .string(ad.place.unit.description)])
    service.obtainAd(ad.place.unit).show { [weak self, weak ad] _ in
      guard let self, let ad else { return }
      tellPromise(ad, ["outcome": "kept"])
      handle(.loaded(at: session.now), ad)
    }.error { [weak self, weak ad] error in
      guard let self, let ad else { return }
      tellPromise(ad, ["outcome": "broken", "error": .string("\(error)")])
      handle(.failed, ad)
    }
  }

  private func tellPromise(_ ad: FeedAd, _ detail: [String: JSONValue]) {
    var detail = detail
    detail["cell"] = .string(ad.id)
    detail["unit"] = .string(ad.place.unit.description)
    note("adPromise", .object(detail))
  }

  /// The loaded ad goes into its cell.
  func show(_ ad: FeedAd) {
    guard let coming = ad.coming else { return }
    ad.coming = nil
    if let former = ad.session { discard(former) }
    ad.session = coming
    placeAds()
    coming.manager.show()
    coming.gate.release()
  }

  /// The next creative in its turn takes the cell over, once it is loaded.
  func rotate(_ ad: FeedAd) {
    note("rotated", ["cell": .string(ad.id)])
    let next = service.nextAd(ad.place.unit)
    next.show { [weak self, weak ad] _ in
      guard let self, let ad else { return }
      tellPromise(ad, ["outcome": "kept", "rotation": true])
      service.keep(next)
      show(ad)
    }.error { [weak self, weak ad] error in
      guard let self, let ad else { return }
      // The ad that is there stays.
      tellPromise(ad, ["outcome": "broken", "rotation": true, "error": .string("\(error)")])
    }
  }

  func startTurn(of ad: FeedAd, _ delay: Double) {
    note("rotationStarted", ["cell": .string(ad.id), "timing": ["after": .number(delay.rounded())]])
    ad.turn?.cancel()
    ad.turn = Task { @WebKitActor [weak self, weak ad] in
      guard let clock = self?.session.clock else { return }
      await clock.sleep(for: .milliseconds(delay))
      guard !Task.isCancelled, let self, let ad, !session.isOver else { return }
      handle(.rotationIsDue(at: session.now), ad)
    }
  }

  /// What the service gets its ads by: a page for the next creative, loaded when it is its turn.
  func loadAd(_ unit: AdUnit) -> Promise<AdViewManager> {
    let (promise, resolver) = Promise<AdViewManager>.pending()
    line.add { [weak self] done in
      guard promise.isPending, let self, let ad = ads.first(where: { $0.place.unit == unit }) else { return done() }
      if let refusal = network.refusal() {
        resolver.reject(refusal)
        return done()
      }
      switch nextCreative() {
      case .failure(let fault):
        resolver.reject(fault)
        done()
      case .success(let bundle): load(bundle, into: ad, resolver, done)
      }
    }
    return promise
  }

  private func load(
    _ bundle: CreativeBundle, into ad: FeedAd, _ resolver: Promise<AdViewManager>.Resolver,
    _ done: @escaping () -> Void
  ) {
    let slot = FeedCellSlot(stage: session.stage) { [weak self, weak ad] in
      if let self, let ad { rotate(ad) }
    }
    let child = RenderSession(in: session, bundle: bundle, number: asked, size: ad.place.size, slot: slot)
    ad.coming = child
    placeAds()
    child.adLog.onLoaded = { [weak self, weak ad, weak child] error in
      guard let self, let ad, let child else { return done() }
      child.adLog.onLoaded = nil
      child.loadEnd = error.map { .failure($0) } ?? .success(())
      if let error {
        discard(child)
        if ad.coming === child { ad.coming = nil }
        resolver.reject(error)
      } else {
        resolver.resolve(child.manager)
      }
      done()
      session.recorder.wakeWaiters()
    }
    child.manager.load()
    limit(child)
  }

  /// After this an ad that still loads counts as failed, as SDKs have it.
  private static let longestLoad = Duration.seconds(10)

  private func limit(_ child: RenderSession) {
    Task { @WebKitActor [weak child, clock = session.clock] in
      await clock.sleep(for: Self.longestLoad)
      child?.adLog.onLoaded?(AdError("not loaded after \((Self.longestLoad / .seconds(1)).plain) s"))
    }
  }

  /// The creatives fill the slots in turn, also those of rotations.
  private func nextCreative() -> Result<CreativeBundle, Fault> {
    defer { asked += 1 }
    return creatives[asked % creatives.count]
  }

  /// Puts each ad's view where its cell's room is.
  func placeAds() {
    var slots: [AdViewID: Rect] = [:]
    for ad in ads {
      guard let room = geometry.cell(ad.id)?.room else { continue }
      // Views are whole dip wide; a cell narrower than its ad shows as much as fits.
      let frame = Rect(
        x: room.x.rounded(), y: room.y.rounded(), width: ad.place.size.width, height: ad.place.size.height)
      for session in ad.sessions { slots[session.views.page] = frame }
    }
    session.stage.updateFeed { $0.slots = slots }
  }

  func discard(_ ad: FeedAd) {
    ad.turn?.cancel()
    for session in ad.sessions { discard(session) }
  }

  /// An ad that is replaced or failed leaves the screen with its pages.
  func discard(_ child: RenderSession) {
    child.flushNetwork()
    child.isOver = true
    for id in [child.views.page, child.views.secondPart] {
      session.stage.pages[id]?.view.onEvent = nil
      session.stage.remove(id)
    }
    session.stage.updateFeed { feed in feed.shown.removeAll { $0 == child.views.page } }
    session.webSession.stopServing(host: child.addresses.host)
    if active === child { active = nil }
  }
}
