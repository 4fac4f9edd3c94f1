internal import AdExperience
internal import Bundles
internal import Core
internal import Jobs
internal import MRAID
internal import Stage
internal import WebKitRuntime

extension RenderSession: @WebKitActor CreativeHost {
  func deliver(_ update: BridgeUpdate, to part: AdPart) {
    var update = update
    update.events.removeAll(where: wasTold)
    for event in update.events {
      var detail: [String: JSONValue] = ["arguments": .array(event.arguments)]
      if part == .two { detail["part"] = "two" }
      recorder.record(.mraid, event.name, named(.object(detail)))
    }
    let page = stage.pages[part == .one ? views.page : views.secondPart]
    page?.deliver(update) { [weak self] in self?.recorder.wakeWaiters() }
  }

  /// Whether listeners heard of it in the call that it comes of.
  private func wasTold(_ event: MRAIDEvent) -> Bool {
    event.name == "error" && errorTold != nil && event.arguments.last?.string == errorTold
  }

  var geometry: HostGeometry { stage.geometry(of: adView) }

  var exposure: Exposure { stage.screen.exposure(ofView: adView) }

  /// The view that is the ad now.
  private var adView: AdViewID { creative?.showsSecondPart == true ? views.secondPart : views.page }

  func loadSecondPart(_ url: String) -> Bool {
    guard let address = try? judge(url, for: .secondPart) else { return false }
    recorder.record(.host, "loadSecondPart", ["url": .string(addresses.display(address.url))])
    _ = makePage(views.secondPart, part: .two)
    secondPartAddress = address
    return true
  }

  /// Loads the second part once the first has handled its events: two pages that run at once would mix in the log.
  func startSecondPart() {
    guard let address = secondPartAddress else { return }
    secondPartAddress = nil
    Task { @WebKitActor [weak self] in
      _ = await self?.isDelivered()
      guard let self, let page = stage.pages[views.secondPart] else { return }
      prepareViewport(of: page, at: address.url)
      page.view.load(address.loadable)
    }
  }

  func discardSecondPart() {
    secondPartAddress = nil
    stage.remove(views.secondPart)
  }

  func failLoading(_ error: AdError) { onCreativeLoaded?(error) }

  func apply(_ orientation: OrientationProperties) {
    let before = stage.screen.orientation
    stage.apply(orientation)
    recorder.record(
      .host, "orientation",
      named([
        "allowOrientationChange": .bool(orientation.allowOrientationChange),
        "forceOrientation": .string(orientation.forceOrientation.rawValue),
        "turned": .bool(stage.screen.orientation != before),
      ]))
  }

  func restoreOrientation() { stage.restoreOrientation() }

  var now: Double { recorder.now }

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    let delay = Bounded.milliseconds(milliseconds)
    let due = clock.frame + delay
    scheduled.add(at: due, action)
    Task { @WebKitActor [weak self] in
      await self?.clock.sleep(for: delay)
      self?.runScheduled(dueBy: due)
    }
  }

  private func runScheduled(dueBy instant: Duration) {
    while let action = scheduled.next(dueBy: instant) {
      if !isOver { action() }
    }
    recorder.wakeWaiters()
  }

  func record(_ source: CreativeLogSource, _ name: String, _ detail: JSONValue) {
    recorder.record(source == .host ? .host : .mraid, name, named(detail))
  }

  /// The detail with the ad's name, where there are several.
  func named(_ detail: JSONValue) -> JSONValue {
    guard host != nil, case .object(var members) = addresses.displayAll(in: detail) else { return detail }
    members["ad"] = .string(views.page.rawValue)
    return .object(members)
  }

  func stateChanged(_ transition: MRAIDTransition) {
    states.append(transition.to)
    transitions.append(
      RenderRecord.Transition(from: transition.from, to: transition.to, t: recorder.now, cause: transition.cause))
    host?.stateChanged(transition)
  }
}
