internal import AdManager
internal import Core
internal import Device
internal import Feed
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// The cells of a feed that have room for an ad: what each does as it comes near, appears and leaves, and its ads.
@WebKitActor final class FeedCells {
  private let render: RenderContext
  private let window: FeedWindow
  private let supply: FeedAdSupply
  /// In the feed's order.
  private(set) var ads: [FeedAd] = []
  /// The ad that did something last, or is on top.
  weak var active: AdSession?
  /// How many windows away from it a cell counts as near.
  private var distance = 0.0
  /// Told of phases, as the terminal's progress line has them, and of an ad whose web process has ended.
  var onProgress: ((String) -> Void)?
  var onProcessEnded: ((AdSession, ProcessEnd) -> Void)?
  /// Told when it was looked what is in the window.
  var onLook: () -> Void = {}

  init(_ render: RenderContext, _ window: FeedWindow, _ supply: FeedAdSupply) {
    self.render = render
    self.window = window
    self.supply = supply
    supply.cells = self
    window.onMeasured = { [weak self] in self?.placeAds() }
    window.onMoved = { [weak self] in
      self?.notifyAds()
      self?.updateVisibility()
    }
  }

  /// Whether each ad has a web process of its own.
  var hasProcesses: Bool { !render.clock.isVirtual }

  /// The ads that are there or load, in the feed's order.
  var sessions: [AdSession] { ads.flatMap(\.sessions) }

  /// The ad whose view this is.
  func ad(showing view: AdViewID) -> AdSession? { sessions.first { $0.views.contains(view) } }

  /// Gets cells of their own in place of all that were there.
  func replace(by cells: [FeedAd], distance: Double) {
    removeAll()
    supply.forgetCells()
    self.distance = distance
    ads = cells
  }

  /// Lets go of every ad.
  func removeAll() {
    for ad in ads {
      ad.turn?.cancel()
      for session in ad.sessions { discard(session) }
    }
    ads = []
  }

  private func logEvent(_ name: String, _ detail: JSONValue) { render.recorder.record(.feed, name, detail) }

  private var now: Double { render.recorder.now }

  /// Tells the cells what comes near, what appears and, with where the feed is about to be, what leaves.
  func updateVisibility(goingTo next: Double? = nil) {
    let seen = seenCells(at: next ?? window.offset)
    let geometry = window.geometry
    let near = Set(geometry.cells(from: next ?? window.offset, height: window.height, distance: distance).map(\.id))
    for ad in ads where !seen.contains(ad.id) { handle(.willLeave(at: now), ad) }
    // Nothing comes in sight ahead of its cell: a film would play, and be told of, before its cell's turn began.
    for ad in ads where next == nil || !isInSight(ad, seen) {
      ad.session?.manager.isInSight = isInSight(ad, seen)
    }
    guard next == nil else { return }
    for ad in ads where near.contains(ad.id) { handle(.comesNear, ad) }
    for ad in ads where seen.contains(ad.id) { handle(.appears(at: now), ad) }
    onLook()
  }

  private func seenCells(at offset: Double) -> Set<String> {
    window.isSeen ? Set(window.geometry.cellsWithAd(from: offset, height: window.height).map(\.id)) : []
  }

  /// Whether a person sees something of the ad: in its cell, or where it went from there.
  func isInSight(_ ad: FeedAd) -> Bool { isInSight(ad, seenCells(at: window.offset)) }

  private func isInSight(_ ad: FeedAd, _ seen: Set<String>) -> Bool {
    let isOnTop = !render.modalManager.stack.states.isEmpty && active != nil && active === ad.session
    return isOnTop || seen.contains(ad.id)
  }

  /// Ads that a person sees.
  var inSight: [AdSession] { ads.filter { isInSight($0) }.compactMap(\.session) }

  /// Whether something of the ad's cell is in the feed's window, whatever covers it.
  private func isInWindow(_ ad: FeedAd) -> Bool {
    window.geometry.cellsWithAd(from: window.offset, height: window.height).contains { $0.id == ad.id }
  }

  /// Whether an ad's cell on the screen shows that something is on its way.
  var showIndicator: Bool {
    let seen = window.cells.map(\.id)
    return ads.contains { $0.machine.isLoading && seen.contains($0.id) }
  }

  /// Whether every ad has heard, and handled, what it is to hear.
  var areTold: Bool {
    ads.allSatisfy { $0.session?.context.scheduledCount ?? 0 == 0 }
      && render.stage.pages.values.allSatisfy(\.isIdle)
  }

  /// Turns end before the screen changes.
  func leaveAll() {
    for ad in ads { handle(.willLeave(at: now), ad) }
  }

  /// Ads beside the one that the change came of are told where they stand and what can be seen of them.
  func notifyOthers() {
    for ad in ads where ad.session !== active { ad.session?.html.creative?.screenDidChange() }
  }

  /// Every ad that is there is told so.
  func notifyAds() {
    for ad in ads { ad.session?.html.creative?.screenDidChange() }
  }

  /// Hands a cell what happened and does what it wants done.
  private func handle(_ input: AdCellState.Input, _ ad: FeedAd) {
    for effect in ad.machine.handle(input) { carryOut(effect, ad) }
  }

  private func carryOut(_ effect: AdCellState.Effect, _ ad: FeedAd) {
    switch effect {
    case .load:
      supply.obtain(ad) { [weak self, weak ad] isThere in
        guard let self, let ad else { return }
        handle(isThere ? .loaded(at: now) : .failed, ad)
      }
    case .show: show(ad)
    case .collapse:
      logEvent("collapsed", ["cell": .string(ad.id)])
      window.collapse(ad.id)
    case .startRotation(let delay): startTurn(of: ad, delay)
    case .stopRotation:
      ad.turn?.cancel()
      ad.turn = nil
      logEvent("rotationStopped", ["cell": .string(ad.id), "inWindow": .bool(isInWindow(ad))])
    case .rotate: wantsNextAd(ad)
    }
  }

  /// The loaded ad goes into its cell.
  private func show(_ ad: FeedAd) {
    guard let coming = ad.coming else { return }
    ad.coming = nil
    if let former = ad.session { discard(former) }
    ad.session = coming
    placeAds()
    coming.manager.isInSight = isInSight(ad)
    coming.manager.show()
    coming.context.endAwaitingShow()
  }

  /// Lets the ad's turn end after so many milliseconds of the render's time.
  private func startTurn(of ad: FeedAd, _ delay: Double) {
    logEvent("rotationStarted", ["cell": .string(ad.id), "timing": ["after": .number(delay.rounded())]])
    ad.turn?.cancel()
    ad.turn = Task { @WebKitActor [weak self, weak ad] in
      guard let clock = self?.render.clock else { return }
      await clock.sleep(for: Bounded.milliseconds(delay))
      guard !Task.isCancelled, let self, let ad, !render.isOver else { return }
      handle(.rotationIsDue(at: now), ad)
    }
  }

  /// Puts each ad's view where its cell's room is.
  private func placeAds() {
    var slots: [AdViewID: Rect] = [:]
    for ad in ads {
      guard let room = window.geometry.cell(ad.id)?.room else { continue }
      // Views are whole dip wide; a cell narrower than its ad shows as much as fits.
      let frame = Rect(
        x: room.x.rounded(), y: room.y.rounded(), width: ad.place.size.width, height: ad.place.size.height)
      for session in ad.sessions {
        for view in session.views where view != session.context.views.secondPart { slots[view] = frame }
      }
    }
    render.stage.updateFeed { $0.slots = slots }
  }

  /// An ad that is replaced or failed leaves the screen with its pages.
  private func discard(_ child: AdSession) {
    child.leave(endsProcess: hasProcesses)
    let (name, views) = (child.context.views.page.rawValue, child.views)
    render.warnings += child.context.warnings.map { "\(name): \($0)" }
    render.stage.updateFeed { feed in feed.shown.removeAll { views.contains($0) } }
    if active === child { active = nil }
  }

  /// An ad's web process is gone: that costs its own cell, and no other ad.
  func lose(_ child: AdSession, in ad: FeedAd, _ reason: String) {
    guard ad.session === child else {
      // One that was coming fails as one that can't be loaded.
      child.log.onLoaded?(AdError("its web process is gone: \(reason)", code: "ad-lost"))
      return
    }
    let coversScreen = active === child && !render.modalManager.stack.states.isEmpty
    ad.session = nil
    discard(child)
    if coversScreen { render.modalManager.clearStates() }
    handle(.lost(at: now), ad)
  }
}

extension FeedCells: FeedAdSupplyDelegate {
  func cell(of unit: AdUnit) -> FeedAd? { ads.first { $0.place.unit == unit } }

  func comes(_ child: AdSession, into ad: FeedAd) {
    child.onActive = { [weak self, weak child] in self?.active = child }
    if hasProcesses {
      child.onProcessEnded = { [weak self, weak child] end in
        if let child { self?.onProcessEnded?(child, end) }
      }
    }
    ad.coming = child
    placeAds()
  }

  func loadDidFail(_ child: AdSession, into ad: FeedAd) {
    if ad.coming === child { ad.coming = nil }
    discard(child)
  }

  /// The next creative in its turn takes the cell over, once it is loaded.
  func wantsNextAd(_ ad: FeedAd) {
    supply.obtainNext(ad) { [weak self, weak ad] in
      if let ad { self?.show(ad) }
    }
  }

  /// Shows or hides that a request is under way: in the cell of an ad that isn't there yet, else where progress is told.
  func setSpinner(_ request: AdRequest, _ isShown: Bool) {
    guard let ad = ads.first(where: { $0.place.unit.description == request.url }) else {
      return onProgress?(isShown ? "loading \(request.url)" : "loading") ?? ()
    }
    // What comes for a turn comes behind the ad that is there.
    guard ad.session == nil else { return }
    logEvent(isShown ? "indicatorShown" : "indicatorHidden", ["cell": .string(ad.id)])
    window.change { try await $0.setSpinner(ad.id, isShown) }
  }
}
