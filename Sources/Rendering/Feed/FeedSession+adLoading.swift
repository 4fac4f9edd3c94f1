internal import AdManager
internal import Core
internal import Creatives
internal import Feed
internal import RenderModel
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
      if let self, let ad { rotate(ad) }
    } onReplaced: { [weak self] in
      self?.screenshots.request("end-card")
    }
    let size = ad.place.size
    let child = AdSession(
      AdContext(in: context, bundle: bundle, argument: reference.argument, number: loads, size: size),
      AdConfiguration(kind: .banner, size: size), slot: slot)
    child.onActive = { [weak self, weak child] in self?.active = child }
    if hasProcesses {
      child.onProcessEnded = { [weak self, weak child] end in
        if let child { self?.lose(child, end) }
      }
    }
    child.log.onUnload = { [weak screenshots] in screenshots?.request("unloaded") }
    ad.coming = child
    placeAds()
    child.log.onLoaded = { [weak self, weak ad, weak child] error in
      guard let self, let ad, let child else { return done() }
      child.log.onLoaded = nil
      child.context.loadEnd = error.map { .failure($0) } ?? .success(())
      if let error {
        if ad.coming === child { ad.coming = nil }
        discard(child)
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

extension FeedSession {
  /// What a page may owe an answer before it is asked whether it lives, and what it may take to say so.
  private static let patience = Duration.seconds(3)
  private static let longestAnswer = Duration.seconds(5)

  /// An ad's web process has ended: that costs its own cell, and no other ad.
  func lose(_ child: AdSession, _ end: ProcessEnd) {
    let isOverMemory = end == .memoryLimit || memoryEnds > 0
    if isOverMemory { memoryEnds = max(0, memoryEnds - 1) }
    let told = isOverMemory ? ProcessEnd.memoryLimit : end
    render.recorder.record(.page, "webProcessEnded", child.context.named(["reason": .string(told.rawValue)]))
    lose(child, isOverMemory ? "memory-limit" : "crashed")
  }

  private func lose(_ child: AdSession, _ reason: String) {
    guard !child.context.isOver, let ad = ads.first(where: { $0.sessions.contains { $0 === child } }) else { return }
    losses += 1
    note(
      "adLost", ["ad": .string(child.context.views.page.rawValue), "cell": .string(ad.id), "reason": .string(reason)])
    render.warnings.append("\(child.context.views.page.rawValue) in \(ad.id) was lost: \(reason)")
    defer { render.recorder.wakeWaiters() }
    guard ad.session === child else {
      // One that was coming fails as one that can't be loaded.
      child.log.onLoaded?(AdError("its web process is gone: \(reason)", code: "ad-lost"))
      return
    }
    let coversScreen = active === child && !render.modalManager.stack.states.isEmpty
    ad.session = nil
    discard(child)
    if coversScreen { render.modalManager.clearStates() }
    handle(.lost(at: render.recorder.now), ad)
  }

  /// Ends ads that keep their web process busy for ever; of the machine's time, so only where that is the ads'.
  func watchAds() {
    guard hasProcesses else { return }
    watch = Task { @WebKitActor [weak self] in
      while (try? await Task.sleep(for: .milliseconds(500))) != nil {
        guard let self, !context.isOver else { return }
        for child in ads.flatMap(\.sessions) where !child.isAsked && child.isSilent(for: Self.patience) { ask(child) }
      }
    }
  }

  private func ask(_ child: AdSession) {
    guard let page = child.pagesThere.first else { return }
    child.isAsked = true
    Task { @WebKitActor [weak self, weak child] in
      let answers = await page.view.answers(within: Self.longestAnswer)
      child?.isAsked = false
      if !answers, let self, let child { lose(child, "unresponsive") }
    }
  }

  /// Does something with all that is on the screen, and again where an ad was lost meanwhile.
  func tryAgainAfterLosses(_ body: () async throws -> Void) async throws {
    for _ in 0...ads.count {
      let before = losses
      do {
        return try await body()
      } catch {
        // What was asked of a page ends a moment before its process is known to be gone.
        guard render.failure == nil, await render.recorder.wait(.seconds(1), until: { self.losses > before }) else {
          throw error
        }
        _ = await stability.becomesQuiet()
      }
    }
    try await body()
  }
}

extension AdSession {
  /// Whether one of its pages has owed an answer for so long, or still loads.
  fileprivate func isSilent(for time: Duration) -> Bool {
    pagesThere.contains { page in (page.view.silence ?? .zero) > time || (!page.isLoaded && page.hasCommitted) }
  }
}

extension WebView {
  /// Whether the page's web process runs a script in time.
  fileprivate func answers(within time: Duration) async -> Bool {
    let question = Task { @WebKitActor in (try? await call("return 1")) != nil }
    let patience = Task {
      try await Task.sleep(for: time)
      question.cancel()
    }
    defer { patience.cancel() }
    return await question.value
  }
}
