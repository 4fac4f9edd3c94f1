internal import AdManager
internal import Core
internal import Device
internal import Feed
internal import RenderModel

extension FeedSession {
  /// How far the feed moves at a time while it is scrolled, as a share of its window.
  private static let stride = 0.25

  /// Scrolls as a finger does: past everything on the way, and as far as the feed goes.
  ///
  /// Every ad has heard what can be seen of it before the feed moves on, lest it be chance how often it hears. What comes
  /// near is asked for; it loads when the feed has come to its stop.
  func scroll(to wanted: Double) async throws(Fault) {
    let goal = geometry.offset(nearest: wanted, height: windowHeight)
    render.recorder.record(.host, "scroll", ["to": .number(goal)])
    line.hold()
    for next in ScrollPath.offsets(from: offset, to: goal, step: (windowHeight * Self.stride).rounded(.up)) {
      // Rotation stops just before an ad leaves, not after.
      lookAtCells(goingTo: next)
      render.stage.scroll(to: next)
      try await document?.scroll(to: next)
      tellAds()
      lookAtCells()
      _ = await render.recorder.wait(.seconds(5)) { [weak self] in self?.isTold != false }
    }
  }

  /// Whether every ad has heard, and handled, what it is to hear.
  private var isTold: Bool {
    ads.allSatisfy { ad in ad.session?.context.scheduledCount ?? 0 == 0 } && render.stage.pages.values.allSatisfy(\.isIdle)
  }

  /// Whether an ad's cell on the screen shows that something is on its way.
  var showsIndicator: Bool {
    let seen = geometry.cells(from: offset, height: windowHeight).map(\.id)
    return ads.contains { $0.machine.isLoading && seen.contains($0.id) }
  }

  /// What happens to the app.
  func happen(_ event: AppEvent) async throws(Fault) {
    switch event {
    case .launch:
      situation.history.launch()
      render.recorder.record(.host, "launch", ["launches": .number(Double(situation.history.launches))])
      render.modalManager.clearStates()
      service.clear()
      try await build()
      line.hold()
      lookAtCells()
      try await stop()
    case .days(let days):
      situation.history.advance(days: days)
      render.recorder.record(.host, "advance", ["days": .number(days), "day": .number(situation.history.day)])
    case .update(let version):
      situation.history.update(to: version)
      render.recorder.record(.host, "update", ["version": .string(version)])
    case .register(let isRegistered):
      situation.history.register(isRegistered)
      render.recorder.record(.host, "register", ["registered": .bool(isRegistered)])
      removeWhatIsNotDue()
    case .failNextRequest:
      network.failures += 1
      render.recorder.record(.host, "failNextRequest")
    case .offline, .online:
      network.isOffline = event == .offline
      render.recorder.record(.host, network.isOffline ? "offline" : "online")
    }
  }

  /// A finger on the feed's own page.
  func tap(_ point: Point) async throws(Fault) {
    let does = try await document?.tap(point)
    switch does {
    case "dismiss": situation.history.dismissNotification()
    case "follow": situation.history.followNotification(registers: false)
    default: return
    }
    note(does == "dismiss" ? "notificationDismissed" : "notificationFollowed", .object([:]))
    removeWhatIsNotDue()
  }

  /// Takes cells away that the situation has no place for any more; all others stay as they are.
  private func removeWhatIsNotDue() {
    guard let spec else { return }
    let contents = spec.assembly(of: posts).contents(in: situation)
    tell(contents.decisions)
    let kept = Set(contents.cells.map(\.id))
    for cell in geometry.cells where !kept.contains(cell.id) {
      enqueue { [weak self] document in
        try await document.remove(cell.id)
        try await self?.keepPlace()
      }
    }
  }

  /// Where a selector's first match stands on the screen: the feed's page is looked through before the ads on it.
  func find(_ selector: String) async -> Point? {
    guard render.modalManager.stack.states.isEmpty, let place = await document?.find(selector) else { return nil }
    let area = render.stage.screen.contentArea
    return Point(x: area.x + place.x, y: area.y + place.y - offset)
  }

  /// The ad whose view this is.
  func ad(showing view: AdViewID?) -> AdSession? {
    view.flatMap { view in ads.lazy.flatMap(\.sessions).first { $0.views.contains(view) } }
  }
}
