internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// State that all pages of one ad share: its name, its files and addresses, and the addresses that they may open.
///
/// A feed's own page has a context too.
@EngineActor final class AdContext {
  let render: RenderContext
  /// Name of the creative in the caller's request.
  let argument: String
  /// The opened creative; for a response, its content once it is understood.
  var bundle: CreativeBundle
  /// Address that a response came from, the base of addresses in it; nil for files.
  let responseAddress: String?
  let addresses: PageAddresses
  let scripts: PageScripts
  let placement: RenderRecord.PlacementSummary
  /// Views that show the ad.
  let views: CreativeViews
  /// Name of the ad in a feed; nil for the only ad, which the log doesn't name.
  let name: AdViewID?
  /// Receives the actions of users and of the engine on the ad's pages.
  weak var delegate: (any AdContextDelegate)?

  /// Policy for the navigation of the creative's pages.
  var navigation: NavigationPolicy
  /// Result of the ad's load; nil until it has ended.
  var loadEnd: Result<Void, AdError>?
  /// Indicates that the creative has called the bridge or sent it a message.
  var hasSpoken = false
  /// Galley's own pages in the creative's origin, by their paths.
  private var hostPages: [String: SchemeResponse] = [:]
  /// Set when nothing of the ad may happen any more.
  var isOver = false
  /// Open Measurement of the ad's parts.
  var measured: [OMIDController] = []
  /// Warnings of the ad, for results that list them for each ad.
  private(set) var warnings: [String] = []
  private var scheduled = Schedule()
  private var dialogs = 0
  private var awaitsShow = false

  /// Creates the context of a render's only ad, or of its feed's own page.
  convenience init(
    _ render: RenderContext, bundle: CreativeBundle, addresses: PageAddresses, placement: RenderRecord.PlacementSummary
  ) {
    self.init(
      render, bundle: bundle, argument: render.job.creative.argument, addresses: addresses, placement: placement,
      views: .only, name: nil)
  }

  /// Creates the context of an ad in the feed whose own page has the context `feed`.
  convenience init(in feed: AdContext, bundle: CreativeBundle, argument: String, number: Int, size: Size) {
    let views = CreativeViews(number: number)
    self.init(
      feed.render, bundle: bundle, argument: argument,
      addresses: PageAddresses(host: "\(feed.addresses.host)-\(number)", shownHost: views.page.rawValue),
      placement: RenderRecord.PlacementSummary(kind: .feed, width: size.width, height: size.height, position: nil),
      views: views, name: views.page)
  }

  private init(
    _ render: RenderContext, bundle: CreativeBundle, argument: String, addresses: PageAddresses,
    placement: RenderRecord.PlacementSummary, views: CreativeViews, name: AdViewID?
  ) {
    self.render = render
    self.bundle = bundle
    self.argument = argument
    self.addresses = addresses
    self.placement = placement
    self.views = views
    self.name = name
    responseAddress = bundle.url
    scripts = PageScripts(
      device: render.job.device, explores: name == nil && render.job.options.explores,
      seed: render.job.options.seed, isVirtualTime: render.clock.isVirtual, consent: render.consent,
      isAloneInSession: name == nil && render.job.options.isolation != .session,
      audioNeedsTouch: (render.job.container?.behaviour ?? .spec).audioNeedsTouch)
    navigation = NavigationPolicy(origin: addresses.origin)
  }

  /// Indicates that the ad is above the app rather than in a slot of its page.
  var isInterstitial: Bool { render.job.placement.kind == .interstitial }

  /// Behaviour of the render's container.
  private var behaviour: ContainerBehaviour { render.job.container?.behaviour ?? .spec }

  /// Indicates that the container is an ad network's for playables.
  var isPlayable: Bool { render.job.container?.isForPlayables == true }

  /// Detail with the ad's name added, if there are several ads.
  func named(_ detail: JSONValue) -> JSONValue {
    guard let name, case .object(var members) = addresses.displayAll(in: detail) else { return detail }
    members["ad"] = .string(name.rawValue)
    return .object(members)
  }

  /// Logs an event of the ad.
  func record(_ source: Event.Source, _ name: Event.Name, _ detail: JSONValue = .object([:])) {
    render.recorder.record(source, name, named(detail))
  }

  /// Adds a warning to the result.
  func warn(_ text: String) {
    if name == nil { render.warnings.append(text) } else { warnings.append(text) }
  }

  /// Counts a dialog of the ad's pages; too many of them fail the render.
  func countDialog() {
    dialogs += 1
    guard dialogs > Self.mostDialogs else { return }
    render.fail(.creative("dialogs-endless", "the creative opened more than \(Self.mostDialogs) dialogs"))
  }

  /// Number of dialogs after which a page is assumed to open them endlessly.
  private static let mostDialogs = 100
}

extension AdContext {
  /// Data that measuring code gets about an ad, or one of its videos, before its session begins.
  func omidFacts(_ kind: OMIDFacts.Kind, identity: String) -> OMIDFacts {
    let device = render.job.device
    return OMIDFacts(
      kind: kind, seed: render.job.options.seed ?? 0, identity: identity,
      device: OMIDDevice(name: device.name, userAgent: device.userAgent, isTouch: device.touch))
  }

  /// Properties of the host by the device, the placement and the container.
  var hostProfile: HostProfile {
    let job = render.job
    let capabilities = job.device.capabilities
    let behaviour = behaviour
    let environment: [String: JSONValue] = [
      "version": .string(behaviour.version), "sdk": .string(behaviour.sdk ?? "Galley"),
      "sdkVersion": .string(Galley.version),
    ]
    return HostProfile(
      placementType: isInterstitial ? .interstitial : .inline,
      environment: environment, supports: behaviour.supported(of: capabilities.supports),
      confirms: capabilities.confirms, location: capabilities.location, volume: Self.volume, behaviour: behaviour,
      scale: job.device.scale)
  }

  /// Initial volume of the device, from 0 to 100.
  private static let volume = 100.0

  /// Finishes the ad's measuring sessions.
  func finishMeasuring() {
    for one in measured { one.finish() }
  }

  /// Holds back the ad's actions until it is shown.
  func awaitShow() {
    guard !awaitsShow else { return }
    awaitsShow = true
    render.turns.hold()
  }

  /// Releases the ad's actions, as it is on the screen or never will be.
  func endAwaitingShow() {
    guard awaitsShow else { return }
    awaitsShow = false
    render.turns.release()
  }

  /// Number of actions that wait for their instant: exposure events that may not come sooner.
  var scheduledCount: Int { scheduled.count }

  /// Runs an action after a delay in the render's time, unless the ad is over by then.
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    let clock = render.clock
    let delay = Bounded.milliseconds(milliseconds)
    let due = clock.frame + delay
    scheduled.add(at: due, action)
    Task { @EngineActor [weak self] in
      await clock.sleep(for: delay)
      self?.runScheduled(dueBy: due)
    }
  }

  private func runScheduled(dueBy timestamp: Duration) {
    while let action = scheduled.next(dueBy: timestamp) {
      if !isOver { action() }
    }
    render.recorder.wakeWaiters()
  }

  /// Serves the creative's files, and the host's own pages among them.
  func serve() {
    render.webSession.serve(host: addresses.host) { [weak self] path in
      if self?.isContainerScript(path) == true { return .containerScript }
      if let page = self?.hostPages[path] { return page }
      guard let resource = try? self?.bundle.resource(path: path) else { return .notFound.reusable }
      return SchemeResponse(mimeType: resource.contentType, body: resource.bytes).reusable
    }
    if name == nil { serveContainer() }
  }

  /// Adds a page of Galley's own to the creative's origin, and returns its address.
  func host(_ page: [UInt8], as name: String) -> LoadableAddress {
    let path = "\(PlayerPage.folder)\(name).html"
    hostPages[path] = SchemeResponse(mimeType: "text/html; charset=utf-8", body: page)
    return addresses.hostPage(path)
  }

  /// Returns true if the container itself answers the request.
  private func isContainerScript(_ path: String) -> Bool {
    ContainerScript.isRequested(by: path, of: behaviour.scripts)
  }

  /// Serves Galley's own host, and logs downloads.
  func serveContainer() {
    render.webSession.serve(host: PageAddresses.containerHost) { [weak self] path in
      guard self?.isContainerScript(path) != true else { return .containerScript }
      return self?.render.browser.notice ?? .notFound
    }
    render.webSession.onDownload = { [weak self] url in
      self?.render.recorder.record(.page, .download, ["url": .string(self?.addresses.display(url) ?? url)])
    }
  }
}

/// Reactions of an ad to events in its pages, the same for all kinds of pages.
@EngineActor protocol AdContextDelegate: AnyObject {
  /// Called when a user's tap in a page leads to another address.
  func wasClicked(to url: String, on view: AdViewID)
  /// Called when the ad acts, so that the screen and the host's own pages belong to it.
  func becameActive()
  /// Called at a fixed point of the log: resources that the pages have loaded are logged before it.
  func flushNetwork()
  /// Called when a web process has ended; returns false if that ends the whole render.
  func processEnded(_ end: ProcessEnd) -> Bool
}

extension SchemeResponse {
  /// Response to every request for a script of the container.
  static let containerScript =
    SchemeResponse(mimeType: "text/javascript", body: Array(ContainerScript.body.utf8)).reusable
}
