internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import MRAID
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// What all of one ad's pages have in common: its name, its files and addresses, and where they may go.
///
/// A feed's own page has one as well.
@WebKitActor final class AdContext {
  let render: RenderContext
  /// What the caller called the creative.
  let argument: String
  /// What was opened; once a response is understood, what it turned out to show.
  var bundle: CreativeBundle
  /// Where a response came from, to which addresses in it refer; nil for files.
  let responseAddress: String?
  let addresses: PageAddresses
  let scripts: PageScripts
  let placement: RenderRecord.PlacementSummary
  /// What shows the ad.
  let views: CreativeViews
  /// Which of a feed's ads it is; nil for the only one, which the log doesn't name.
  let name: AdViewID?
  /// Hears what a person or the engine does to its pages.
  weak var delegate: (any AdContextDelegate)?

  /// Where the creative's pages may go.
  var navigation: NavigationPolicy
  /// How the ad's load ended: nil while it hasn't.
  var loadEnd: Result<Void, AdError>?
  /// Whether the creative has called the bridge, or told it something.
  var hasSpoken = false
  /// Galley's own pages in the creative's origin, by their paths.
  private var hostPages: [String: SchemeResponse] = [:]
  /// Set when nothing of it may happen any more.
  var isOver = false
  /// What of it is measured by Open Measurement.
  var measured: [OMIDController] = []
  /// What its result is warned of, where that has a place for each ad.
  private(set) var warnings: [String] = []
  private var scheduled = Schedule()
  private var dialogs = 0
  private var awaitsShow = false

  /// Of the only ad of a render, or of its feed's own page.
  convenience init(
    _ render: RenderContext, bundle: CreativeBundle, addresses: PageAddresses, placement: RenderRecord.PlacementSummary
  ) {
    self.init(
      render, bundle: bundle, argument: render.job.creative.argument, addresses: addresses, placement: placement,
      views: .only, name: nil)
  }

  /// Of one of the ads in the feed whose own page has the context `feed`.
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
      isAloneInSession: name == nil && render.job.options.isolation != .session)
    navigation = NavigationPolicy(origin: addresses.origin)
  }

  /// Whether it is above the app rather than in a slot of its page.
  var isInterstitial: Bool { render.job.placement.kind == .interstitial }

  /// The detail with the ad's name, where there are several.
  func named(_ detail: JSONValue) -> JSONValue {
    guard let name, case .object(var members) = addresses.displayAll(in: detail) else { return detail }
    members["ad"] = .string(name.rawValue)
    return .object(members)
  }

  /// Logs something of the ad's.
  func record(_ source: Event.Source, _ name: String, _ detail: JSONValue = .object([:])) {
    render.recorder.record(source, name, named(detail))
  }

  /// Notes what the result's reader has to know.
  func warn(_ text: String) {
    if name == nil { render.warnings.append(text) } else { warnings.append(text) }
  }

  /// A page of it opened a dialog; one that opens them for ever fails.
  func countDialog() {
    dialogs += 1
    guard dialogs > Self.mostDialogs else { return }
    render.fail(.failed, .creative("dialogs-endless", "the creative opened more than \(Self.mostDialogs) dialogs"))
  }

  /// Dialogs after which a page is taken to open them for ever.
  private static let mostDialogs = 100
}

extension AdContext {
  /// What measuring code is told of an ad, or of one of its films, before its session begins.
  func omidFacts(_ kind: OMIDFacts.Kind, identity: String) -> OMIDFacts {
    let device = render.job.device
    return OMIDFacts(
      kind: kind, seed: render.job.options.seed ?? 0, identity: identity,
      device: OMIDDevice(name: device.name, userAgent: device.userAgent, isTouch: device.touch))
  }

  /// Tells measuring code that the ad's sessions are over.
  func finishMeasuring() {
    for one in measured { one.finish() }
  }

  /// Holds back what the ad does until it is shown.
  func awaitShow() {
    guard !awaitsShow else { return }
    awaitsShow = true
    render.turns.hold()
  }

  /// The ad is on the screen, or never will be.
  func endAwaitingShow() {
    guard awaitsShow else { return }
    awaitsShow = false
    render.turns.release()
  }

  /// How many actions wait for their instant: exposure events that may not come sooner.
  var scheduledCount: Int { scheduled.count }

  /// Runs an action later, in the render's time, unless the ad is over by then.
  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    let clock = render.clock
    let delay = Bounded.milliseconds(milliseconds)
    let due = clock.frame + delay
    scheduled.add(at: due, action)
    Task { @WebKitActor [weak self] in
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

  /// Answers for the creative's files, and for the host's own pages among them.
  func serve() {
    render.webSession.serve(host: addresses.host) { [weak self] path in
      if MRAIDScriptRequest.matches(path) { return .containerScript }
      if let page = self?.hostPages[path] { return page }
      guard let resource = try? self?.bundle.resource(path: path) else { return .notFound.reusable }
      return SchemeResponse(mimeType: resource.contentType, body: resource.bytes).reusable
    }
    if name == nil { serveContainer() }
  }

  /// Puts a page of Galley's own into the creative's origin; where it is.
  func host(_ page: [UInt8], as name: String) -> LoadableAddress {
    let path = "\(PlayerPage.folder)\(name).html"
    hostPages[path] = SchemeResponse(mimeType: "text/html; charset=utf-8", body: page)
    return addresses.hostPage(path)
  }

  /// Answers for Galley's own host, and hears of downloads.
  func serveContainer() {
    render.webSession.serve(host: PageAddresses.containerHost) { [weak self] path in
      guard !MRAIDScriptRequest.matches(path) else { return .containerScript }
      return self?.render.browser.notice ?? .notFound
    }
    render.webSession.onDownload = { [weak self] url in
      self?.render.recorder.record(.page, "download", ["url": .string(self?.addresses.display(url) ?? url)])
    }
  }
}

/// What an ad does about what happens to its pages, whichever of them it is.
@WebKitActor protocol AdContextDelegate: AnyObject {
  /// A person's touch of a page leads somewhere else.
  func wasClicked(to url: String, on view: AdViewID)
  /// What the ad does next is what the screen and the host's own pages are about.
  func becameActive()
  /// The log has come to a fixed point: what the pages have loaded belongs before it.
  func flushNetwork()
  /// A web process ended; false where that ends the whole render.
  func processEnded(_ end: ProcessEnd) -> Bool
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
  mutating func next(dueBy timestamp: Duration) -> (() -> Void)? {
    guard let first = waiting.first, first.due <= timestamp else { return nil }
    return waiting.removeFirst().action
  }
}

extension SchemeResponse {
  /// What every request for mraid.js gets.
  static let containerScript =
    SchemeResponse(mimeType: "text/javascript", body: Array(MRAIDScriptRequest.body.utf8)).reusable
}
