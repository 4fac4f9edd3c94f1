internal import AdManager
internal import Core
internal import Device
internal import Feed
internal import WebKitRuntime

extension FeedSession {
  /// Asks the service for the cell's ad, which is handed out at once.
  func obtain(_ ad: FeedAd) {
    note("adRequested", ["cell": .string(ad.id), "unit": .string(ad.place.unit.description)])
    service.obtainAd(ad.place.unit).show { [weak self, weak ad] _ in
      guard let self, let ad else { return }
      tellPromise(ad, ["outcome": "kept"])
      handle(.loaded(at: render.recorder.now), ad)
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
    coming.manager.isInSight = isInSight(ad)
    coming.manager.show()
    coming.context.endAwaitingShow()
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

  /// Lets the ad's turn end after so many milliseconds of the render's time.
  func startTurn(of ad: FeedAd, _ delay: Double) {
    note("rotationStarted", ["cell": .string(ad.id), "timing": ["after": .number(delay.rounded())]])
    ad.turn?.cancel()
    ad.turn = Task { @WebKitActor [weak self, weak ad] in
      guard let clock = self?.render.clock else { return }
      await clock.sleep(for: Bounded.milliseconds(delay))
      guard !Task.isCancelled, let self, let ad, !context.isOver else { return }
      handle(.rotationIsDue(at: render.recorder.now), ad)
    }
  }

  /// Puts each ad's view where its cell's room is.
  func placeAds() {
    var slots: [AdViewID: Rect] = [:]
    for ad in ads {
      guard let room = geometry.cell(ad.id)?.room else { continue }
      // Views are whole dip wide; a cell narrower than its ad shows as much as fits.
      let frame = Rect(
        x: room.x.rounded(), y: room.y.rounded(), width: ad.place.size.width, height: ad.place.size.height)
      for session in ad.sessions {
        for view in session.views where view != session.context.views.secondPart { slots[view] = frame }
      }
    }
    render.stage.updateFeed { $0.slots = slots }
  }

  /// The cell is gone, with everything in it.
  func discard(_ ad: FeedAd) {
    ad.turn?.cancel()
    for session in ad.sessions { discard(session) }
  }

  /// An ad that is replaced or failed leaves the screen with its pages.
  func discard(_ child: AdSession) {
    child.leave(endsProcess: hasProcesses)
    render.warnings += child.context.warnings.map { "\(child.context.views.page.rawValue): \($0)" }
    let views = child.views
    render.stage.updateFeed { feed in feed.shown.removeAll { views.contains($0) } }
    if active === child { active = nil }
  }
}
