internal import AdManager
internal import Core
internal import Device
internal import Engine
internal import Feed
internal import Hosting
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// Cells of a feed that have room for an ad: their reactions as they come near, appear and leave, and their ads.
@EngineActor final class FeedCells {
  private let render: RenderContext
  private let window: FeedWindow
  private let supply: FeedAdSupply
  /// Cells in the feed's order.
  private(set) var ads: [FeedAd] = []
  /// Ad that acted last, or is on top.
  weak var active: AdSession?
  /// Distance in window heights up to which a cell counts as near.
  private var distance = 0.0
  /// Feed with the cells.
  weak var delegate: (any FeedCellsDelegate)?

  init(_ render: RenderContext, _ window: FeedWindow, _ supply: FeedAdSupply) {
    self.render = render
    self.window = window
    self.supply = supply
    supply.cells = self
    window.delegate = self
  }

  /// Indicates that each ad has a web process of its own.
  var hasProcesses: Bool { !render.clock.isVirtual }

  /// Ads that exist or are loading, in the feed's order.
  var sessions: [AdSession] { ads.flatMap(\.sessions) }

  /// Ad that this view belongs to; nil for none.
  func ad(showing view: AdViewID) -> AdSession? { sessions.first { $0.views.contains(view) } }

  /// Replaces all cells.
  func replace(by cells: [FeedAd], distance: Double) {
    removeAll()
    supply.forgetCells()
    self.distance = distance
    ads = cells
  }

  /// Removes all cells and their ads.
  func removeAll() {
    for ad in ads {
      ad.turn?.cancel()
      for session in ad.sessions { discard(session) }
    }
    ads = []
  }

  private func logEvent(_ name: Event.Name, _ detail: JSONValue) { render.recorder.record(.feed, name, detail) }

  private var now: Double { render.recorder.now }

  /// Notifies cells that come near, appear or, with the feed's next offset, leave.
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
    delegate?.cellsWereChecked()
  }

  private func seenCells(at offset: Double) -> Set<String> {
    window.isSeen ? Set(window.geometry.cellsWithAd(from: offset, height: window.height).map(\.id)) : []
  }

  /// Indicates that part of the ad is visible: in its cell, or on top of the screen.
  func isInSight(_ ad: FeedAd) -> Bool { isInSight(ad, seenCells(at: window.offset)) }

  private func isInSight(_ ad: FeedAd, _ seen: Set<String>) -> Bool {
    let isOnTop = !render.modalManager.stack.states.isEmpty && active != nil && active === ad.session
    return isOnTop || seen.contains(ad.id)
  }

  /// Ads that are visible.
  var inSight: [AdSession] { ads.filter { isInSight($0) }.compactMap(\.session) }

  /// Indicates that part of the ad's cell is in the feed's window, even if it is covered.
  private func isInWindow(_ ad: FeedAd) -> Bool {
    window.geometry.cellsWithAd(from: window.offset, height: window.height).contains { $0.id == ad.id }
  }

  /// Indicates that an ad's cell on the screen shows a loading indicator.
  var showIndicator: Bool {
    let seen = window.cells.map(\.id)
    return ads.contains { $0.machine.isLoading && seen.contains($0.id) }
  }

  /// Indicates that every ad has received and handled all its events.
  var areTold: Bool {
    ads.allSatisfy { $0.session?.context.scheduledCount ?? 0 == 0 }
      && render.stage.pages.values.allSatisfy(\.isIdle)
  }

  /// Ends the turns of all ads, before the screen changes.
  func leaveAll() {
    for ad in ads { handle(.willLeave(at: now), ad) }
  }

  /// Reports position and visibility to the ads other than the one that caused the change.
  func notifyOthers() {
    for ad in ads where ad.session !== active { ad.session?.html.creative?.screenDidChange() }
  }

  /// Reports position and visibility to every ad.
  func notifyAds() {
    for ad in ads { ad.session?.html.creative?.screenDidChange() }
  }

  /// Passes an event to a cell and performs its effects.
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
      logEvent(.collapsed, ["cell": .string(ad.id)])
      window.collapse(ad.id)
    case .startRotation(let delay): startTurn(of: ad, delay)
    case .stopRotation:
      ad.turn?.cancel()
      ad.turn = nil
      logEvent(.rotationStopped, ["cell": .string(ad.id), "inWindow": .bool(isInWindow(ad))])
    case .rotate: wantsNextAd(ad)
    }
  }

  /// Puts the loaded ad into its cell.
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

  /// Ends the ad's turn after this number of milliseconds of the render's time.
  private func startTurn(of ad: FeedAd, _ delay: Double) {
    logEvent(.rotationStarted, ["cell": .string(ad.id), "timing": ["after": .number(delay.rounded())]])
    ad.turn?.cancel()
    ad.turn = Task { @EngineActor [weak self, weak ad] in
      guard let clock = self?.render.clock else { return }
      await clock.sleep(for: Bounded.milliseconds(delay))
      guard !Task.isCancelled, let self, let ad, !render.isOver else { return }
      handle(.rotationIsDue(at: now), ad)
    }
  }

  /// Removes an ad that was replaced or has failed, with its pages.
  private func discard(_ child: AdSession) {
    child.leave(endsProcess: hasProcesses)
    let (name, views) = (child.context.views.page.rawValue, child.views)
    render.warnings += child.context.warnings.map { "\(name): \($0)" }
    render.stage.updateFeed { feed in feed.shown.removeAll { views.contains($0) } }
    if active === child { active = nil }
  }

  /// Removes an ad whose web process has ended; only its own cell loses its ad.
  func lose(_ child: AdSession, in ad: FeedAd, _ reason: String) {
    guard ad.session === child else {
      // One that was coming fails as one that can't be loaded.
      child.log.onLoaded?(AdError("its web process ended: \(reason)", code: "ad-lost"))
      return
    }
    let coversScreen = active === child && !render.modalManager.stack.states.isEmpty
    ad.session = nil
    discard(child)
    if coversScreen { render.modalManager.clearStates() }
    handle(.lost(at: now), ad)
  }
}

extension FeedCells: FeedWindowDelegate {
  /// Puts each ad's view into the room of its cell.
  func placeAds() {
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

  func contentMoved() {
    notifyAds()
    updateVisibility()
  }
}

extension FeedCells: AdSessionDelegate {
  func becameActive(_ ad: AdSession) { active = ad }

  func processEnded(_ end: ProcessEnd, of ad: AdSession) -> Bool {
    guard hasProcesses else { return false }
    delegate?.processEnded(end, of: ad)
    return true
  }
}

extension FeedCells: FeedAdSupplyDelegate {
  func cell(of unit: AdUnit) -> FeedAd? { ads.first { $0.place.unit == unit } }

  func comes(_ child: AdSession, into ad: FeedAd) {
    child.delegate = self
    ad.coming = child
    placeAds()
  }

  func loadDidFail(_ child: AdSession, into ad: FeedAd) {
    if ad.coming === child { ad.coming = nil }
    discard(child)
  }

  /// Replaces the cell's ad with the next creative in turn, once it has loaded.
  func wantsNextAd(_ ad: FeedAd) {
    supply.obtainNext(ad) { [weak self, weak ad] in
      if let ad { self?.show(ad) }
    }
  }

  /// Shows or hides a running request: in the cell of an ad that isn't there yet, else in the progress.
  func setSpinner(_ request: AdRequest, _ isShown: Bool) {
    guard let ad = ads.first(where: { $0.place.unit.description == request.url }) else {
      delegate?.progressed(to: isShown ? "loading \(request.url)" : "loading")
      return
    }
    // What comes for a turn comes behind the ad that is there.
    guard ad.session == nil else { return }
    logEvent(isShown ? .indicatorShown : .indicatorHidden, ["cell": .string(ad.id)])
    window.change { try await $0.setSpinner(ad.id, isShown) }
  }
}

/// Reactions of a feed to events of its cells.
@EngineActor protocol FeedCellsDelegate: AnyObject {
  /// Called after each check of the cells in the window.
  func cellsWereChecked()
  /// Called when the web process of an ad has ended.
  func processEnded(_ end: ProcessEnd, of ad: AdSession)
  /// Called with the phases for the terminal's progress line.
  func progressed(to phase: String)
}
