internal import AdExperience
internal import Bundles
internal import Core
internal import Feed
internal import Jobs
internal import MRAID
internal import WebKitRuntime

extension FeedSession {
  /// What the service gets its ads by: a page for the next creative, loaded when it is its turn.
  func loadAd(_ unit: AdUnit, _ request: AdRequest) -> Promise<AdViewManager> {
    let (promise, resolver) = Promise<AdViewManager>.pending()
    line.add { [weak self] done in
      guard promise.isPending, let self, let ad = ads.first(where: { $0.place.unit == unit }) else { return done() }
      if let refusal = network.refusal() {
        resolver.reject(refusal)
        return done()
      }
      let creative = creative(for: unit, isFirstTry: request.attempt == 1)
      loads += 1
      let name = CreativeViews(number: loads).page.rawValue
      note("adLoading", ["ad": .string(name), "cell": .string(ad.id), "creative": .string(creative.reference.name)])
      switch creative.bundle {
      case .failure(let fault):
        session.recorder.record(
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
    let slot = FeedCellSlot(stage: session.stage) { [weak self, weak ad] in
      if let self, let ad { rotate(ad) }
    } onReplaced: { [weak self] in
      self?.session.requestPicture("end-card")
    }
    let child = RenderSession(
      in: session, bundle: bundle, argument: reference.argument, number: loads, size: ad.place.size, slot: slot)
    ad.coming = child
    placeAds()
    child.adLog.onLoaded = { [weak self, weak ad, weak child] error in
      guard let self, let ad, let child else { return done() }
      child.adLog.onLoaded = nil
      child.loadEnd = error.map { .failure($0) } ?? .success(())
      if let error {
        if ad.coming === child { ad.coming = nil }
        discard(child)
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

  /// Fails the ad if it hasn't loaded by then.
  private func limit(_ child: RenderSession) {
    Task { @WebKitActor [weak child, clock = session.clock] in
      await clock.sleep(for: Self.longestLoad)
      child?.adLog.onLoaded?(
        AdError("not loaded after \((Self.longestLoad / .seconds(1)).plain) s", code: "ad-too-slow"))
    }
  }

  /// The creatives fill the slots in turn, also those of rotations; one that fails is not replaced by another.
  private func creative(for unit: AdUnit, isFirstTry: Bool) -> FeedCreative {
    if isFirstTry || chosen[unit] == nil {
      chosen[unit] = turns
      turns += 1
    }
    return creatives[(chosen[unit] ?? 0) % creatives.count]
  }
}
