internal import AdManager
internal import Core
internal import Device
internal import Feed
internal import Foundation
internal import RenderModel
internal import WebKitRuntime

extension FeedSession {
  /// How tall the window onto the feed is.
  var windowHeight: Double { render.stage.screen.contentArea.height }

  /// How far the feed is scrolled.
  var offset: Double { render.stage.screen.scrollOffset }

  /// Whether a person sees the feed: not behind a modal, and not in the background.
  private var isSeen: Bool { render.stage.screen.isForeground && render.modalManager.stack.states.isEmpty }

  /// Tells the cells what comes near, what appears and, with where the feed is about to be, what leaves.
  func lookAtCells(goingTo next: Double? = nil) {
    let at = next ?? offset
    let seen = isSeen ? Set(geometry.cellsWithAd(from: at, height: windowHeight).map(\.id)) : []
    let distance = spec?.ads?.distance ?? 0
    let near = Set(geometry.cells(from: at, height: windowHeight, distance: distance).map(\.id))
    for ad in ads where !seen.contains(ad.id) { handle(.willLeave(at: render.recorder.now), ad) }
    for ad in ads { ad.session?.manager.isInSight = isInSight(ad, seen) }
    guard next == nil else { return }
    for ad in ads where near.contains(ad.id) { handle(.comesNear, ad) }
    for ad in ads where seen.contains(ad.id) { handle(.appears(at: render.recorder.now), ad) }
    meetNotification()
  }

  /// Whether something of the ad's cell is in the feed's window, whatever covers it.
  private func isInWindow(_ ad: FeedAd) -> Bool {
    geometry.cellsWithAd(from: offset, height: windowHeight).contains { $0.id == ad.id }
  }

  /// Whether a person sees something of the ad: in its cell, or where it went from there.
  func isInSight(_ ad: FeedAd) -> Bool {
    isInSight(ad, isSeen ? Set(geometry.cellsWithAd(from: offset, height: windowHeight).map(\.id)) : [])
  }

  private func isInSight(_ ad: FeedAd, _ seen: Set<String>) -> Bool {
    let isOnTop = !render.modalManager.stack.states.isEmpty && active != nil && active === ad.session
    return isOnTop || seen.contains(ad.id)
  }

  /// The notification counts as met as soon as something of it is on the screen.
  private func meetNotification() {
    let seen = geometry.cells(from: offset, height: windowHeight)
    if isSeen, seen.contains(where: { $0.id == "notification" }),
      situation.history.encounter?.launch != situation.history.launches
    {
      situation.history.meetNotification()
      note("notificationSeen", ["launch": .number(Double(situation.history.launches))])
    }
  }

  /// A modal comes or goes, or the app does: turns end before the screen changes.
  func screenWillChange(to transition: ModalTransition) {
    guard transition.top != nil else { return }
    for ad in ads { handle(.willLeave(at: render.recorder.now), ad) }
  }

  /// The screen has changed.
  func screenDidChange() {
    for ad in ads where ad.session !== active { ad.session?.html.creative?.screenDidChange() }
    lookAtCells()
  }

  /// Hands a cell what happened and does what it wants done.
  func handle(_ input: AdCellMachine.Input, _ ad: FeedAd) {
    for effect in ad.machine.handle(input) { carryOut(effect, ad) }
  }

  private func carryOut(_ effect: AdCellMachine.Effect, _ ad: FeedAd) {
    switch effect {
    case .load: obtain(ad)
    case .show: show(ad)
    case .collapse: collapse(ad)
    case .startRotation(let delay): startTurn(of: ad, delay)
    case .stopRotation:
      ad.turn?.cancel()
      ad.turn = nil
      note("rotationStopped", ["cell": .string(ad.id), "inWindow": .bool(isInWindow(ad))])
    case .rotate: rotate(ad)
    }
  }

  /// Shows or hides that a request is under way: in the cell of an ad that isn't there yet, else where progress is told.
  func indicate(_ request: AdRequest, _ isShown: Bool) {
    guard let ad = ads.first(where: { $0.place.unit.description == request.url }) else {
      return onProgress?(isShown ? "loading \(request.url)" : "loading") ?? ()
    }
    // What comes for a turn comes behind the ad that is there.
    guard ad.session == nil else { return }
    change(ad, isShown ? "indicatorShown" : "indicatorHidden") { try await $0.indicate(ad.id, isShown) }
  }

  /// Does something to the page, after everything asked for before.
  func change(_ ad: FeedAd, _ name: String, _ body: @escaping @WebKitActor (FeedDocument) async throws -> Void) {
    note(name, ["cell": .string(ad.id)])
    enqueue(body)
  }

  /// The same without a word in the log.
  func enqueue(_ body: @escaping @WebKitActor (FeedDocument) async throws -> Void) {
    pendingChanges += 1
    changes.add { [weak self] in
      // A page that is gone needs no change any more.
      if let document = self?.document { try? await body(document) }
      self?.pendingChanges -= 1
      self?.render.recorder.wakeWaiters()
    }
  }

  /// Takes the height of a cell whose ad failed away, without moving what is seen.
  private func collapse(_ ad: FeedAd) {
    change(ad, "collapsed") { [weak self] document in
      try await document.collapse(ad.id)
      try await self?.keepPlace()
    }
  }

  /// The page's layout has changed: what stood at the window's top stays there.
  func keepPlace() async throws(Fault) {
    let before = geometry
    try await measure()
    let kept = geometry.offset(
      nearest: geometry.offset(keeping: offset, of: before), height: windowHeight)
    if kept != offset {
      note("offsetKept", ["from": .number(offset), "to": .number(kept)])
      render.stage.scroll(to: kept)
      try await document?.scroll(to: kept)
    }
    tellAds()
    lookAtCells()
  }

  /// Every ad that is there is told where it stands and what can be seen of it.
  func tellAds() {
    for ad in ads { ad.session?.html.creative?.screenDidChange() }
  }
}

/// The feed's page as the host uses it: Galley's own document, drawn by the engine like any other.
@WebKitActor struct FeedDocument {
  let page: AdPage

  /// Where everything stands, once it is all there.
  func measure() async throws(Fault) -> FeedGeometry {
    let answer = try await ask("return await feed.measure();")
    guard let geometry = PageAnswer.decode(FeedGeometry.self, from: answer) else {
      throw .engine("feed-not-drawn", "the feed's page can't be measured: \(answer)")
    }
    return geometry
  }

  /// Shows or hides that something is on its way.
  func indicate(_ cell: String, _ isShown: Bool) async throws(Fault) {
    _ = try await ask("feed.indicate(id, shown === \"yes\");", ["id": cell, "shown": isShown ? "yes" : "no"])
  }

  /// Takes the cell's height away and leaves it where it was.
  func collapse(_ cell: String) async throws(Fault) { _ = try await ask("feed.collapse(id);", ["id": cell]) }

  /// Takes the cell away for good.
  func remove(_ cell: String) async throws(Fault) { _ = try await ask("feed.remove(id);", ["id": cell]) }

  /// Moves the page under its window at once.
  func scroll(to offset: Double) async throws(Fault) {
    _ = try await ask("return feed.scroll(Number(y));", ["y": offset.plain])
  }

  /// What the thing at a place of the view does for the host; nil for nothing.
  func tap(_ point: Point) async throws(Fault) -> String? {
    let answer = try await ask("return feed.tap(Number(x), Number(y));", ["x": point.x.plain, "y": point.y.plain])
    return try? JSONDecoder().decode(String?.self, from: Data(answer.utf8))
  }

  /// Where on the page the first match is; nil for none.
  func find(_ selector: String) async -> Point? {
    let answer = try? await ask("return feed.find(selector);", ["selector": selector])
    guard let answer, let place = PageAnswer.decode([Double].self, from: answer), place.count == 2
    else { return nil }
    return Point(x: place[0], y: place[1])
  }

  private func ask(_ script: String, _ arguments: [String: String] = [:]) async throws(Fault) -> String {
    do {
      return try await page.view.call(Self.script + script, arguments)
    } catch {
      throw .engine("feed-not-drawn", "the feed's page doesn't answer: \(error)")
    }
  }

  private static let script = String(decoding: PackageResources.feed_js, as: UTF8.self)
}
