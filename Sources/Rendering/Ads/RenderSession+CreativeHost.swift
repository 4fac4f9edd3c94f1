internal import AdManager
internal import Core
internal import Device
internal import MRAID
internal import RenderModel
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

/// Actions that wait for an instant, done in the order of their instants: of two that are due together, the machine may
/// wake the second first.
struct Schedule {
  private struct Entry {
    let due: Duration
    let action: () -> Void
  }

  private var waiting: [Entry] = []

  /// How many wait.
  var count: Int { waiting.count }

  /// Adds an action after those that are due by then.
  mutating func add(at due: Duration, _ action: @escaping () -> Void) {
    let place = waiting.firstIndex { $0.due > due } ?? waiting.endIndex
    waiting.insert(Entry(due: due, action: action), at: place)
  }

  /// Takes out the first action that is due by this instant; nil for none.
  mutating func next(dueBy instant: Duration) -> (() -> Void)? {
    guard let first = waiting.first, first.due <= instant else { return nil }
    return waiting.removeFirst().action
  }
}

/// Withholds an interstitial's close control as long as the container does; the log says so.
///
/// It isn't among the session's scheduled actions: a render needn't wait until an ad can be closed.
@WebKitActor final class CloseTimer: @WebKitActor AdTimer {
  weak var session: RenderSession?

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    guard let session else { return }
    session.recorder.record(
      .host, "closeWithheld",
      ["seconds": .number(milliseconds / 1000), "reason": "the container shows it after a delay"])
    let action = CloseAction(action)
    Task { @WebKitActor [weak session, clock = session.clock] in
      await clock.sleep(for: Bounded.milliseconds(milliseconds))
      guard let session, !session.isOver else { return }
      session.recorder.record(.host, "closeShown")
      action.run()
    }
  }
}

/// What shows the control, on its way through a task of the same actor.
@WebKitActor private final class CloseAction {
  private let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  func run() { body() }
}
