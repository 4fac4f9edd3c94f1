internal import AdManager
internal import AdResponses
internal import Core
internal import Creatives
internal import Device
internal import MRAID
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// An ad's own page, and the second part that it may expand to: what they ask of the host, and what it tells them.
@WebKitActor final class HTMLAd {
  private let context: AdContext
  private let pages: PageFactory
  /// Nil until its page is made, and where it couldn't be loaded.
  private(set) var creative: HTMLCreative?
  /// Told once how the page's load ended.
  private var onLoaded: ((Result<HTMLCreative, AdError>) -> Void)?
  /// The call that is carried out, when its page has raised its `error` already.
  private var errorTold: String?
  /// Nil unless the app measures it.
  private var omid: OMIDController?
  /// Whether measuring code is in the ad's own page; of a native ad it is beside it.
  private var isMeasuredWithin = false
  /// Where the second part is, until it begins to load.
  private var secondPartAddress: CreativeAddress?

  init(pages: PageFactory) {
    self.pages = pages
    context = pages.context
  }

  private var render: RenderContext { context.render }
  private var stage: StageController { context.render.stage }
  private var recorder: Recorder { context.render.recorder }

  /// Its own page, while there is one.
  var page: AdPage? { stage.pages[context.views.page] }

  /// Makes the creative with its page and starts loading; `completion` runs once, when it is ready or has failed.
  ///
  /// - Parameter isMeasured: whether it is an ad of its own, which the app measures where it does at all.
  func load(isMeasured: Bool = false, completion: @escaping (Result<HTMLCreative, AdError>) -> Void) {
    let session = MRAIDSession(profile: hostProfile, geometry: stage.geometry(of: context.views.page))
    let creative = HTMLCreative(session: session, host: self, views: context.views)
    self.creative = creative
    onLoaded = completion
    if let consent = render.consent { context.bundle = context.bundle.filling(consent.filled) }
    context.serve()
    if isMeasured, render.job.measuresByOMID {
      isMeasuredWithin = true
      omid = controller(.page)
    }
    let page = makePage(.one, of: creative)
    if isMeasuredWithin { omid?.page = page }
    let address = context.pageAddress
    context.prepareViewport(of: page, at: address)
    // What the person named who asked for the render.
    page.view.load(LoadableAddress(trusted: address))
  }

  /// The same, to its end and until the page has handled that it is ready.
  func load() async throws -> HTMLCreative {
    let promise = Promise<HTMLCreative> { resolver in load { resolver.settle($0) } }
    let creative = try await promise.value(isolation: WebKitActor.shared)
    _ = await render.isDelivered()
    return creative
  }

  /// Lets go of the page, which is none of the ad's after all.
  func removePage() {
    stage.remove(context.views.page)
    creative = nil
    context.measured.removeAll { $0 === omid }
    omid = nil
  }

  /// Gives an ad that the app puts together its Open Measurement session before it is loaded, and runs its measuring code.
  ///
  /// - Parameter address: what to ask for in the place of an address that the ad gives.
  func measure(
    _ verifications: [VASTVerification], tracker: AdTracker, address: (String) -> String
  ) async {
    let omid = controller(.card)
    self.omid = omid
    await MeasuringPage(pages: pages, tracker: tracker, owner: self, view: context.views.page)
      .run(verifications, for: omid, address: address)
  }

  /// Of measuring code beside the ad: the view that it has, or may have.
  var measuringView: AdViewID { MeasuringPage.id(beside: context.views.page) }

  private func controller(_ kind: OMIDFacts.Kind) -> OMIDController {
    let views = context.views
    return OMIDController(
      context, context.omidFacts(kind, identity: views.page.rawValue),
      // The second part is the ad as soon as it is on the screen.
      view: { [stage] in stage.screen.layer(showing: views.secondPart) == nil ? views.page : views.secondPart },
      isGone: { [weak self] in self?.creative?.isGone ?? true })
  }

  /// Nothing of it happens any more.
  func end() { creative = nil }

  private func endLoading(_ error: AdError?) {
    guard let onLoaded, let creative else { return }
    self.onLoaded = nil
    onLoaded(error.map { .failure($0) } ?? .success(creative))
  }

  private func makePage(_ part: AdPart, of creative: HTMLCreative) -> AdPage {
    let bridge = context.scripts.bridge(creative.session, template: render.job.options.bridge)
    let id = part == .one ? context.views.page : context.views.secondPart
    return pages.make(id, .part(part, bridge: bridge, isMeasured: part == .one && isMeasuredWithin), owner: self)
  }

  /// What the device, the placement and the container make of the host.
  private var hostProfile: HostProfile {
    let job = render.job
    let capabilities = job.device.capabilities
    let behaviour = job.container?.behaviour ?? .spec
    let environment: [String: JSONValue] = [
      "version": .string(behaviour.version), "sdk": .string(behaviour.sdk ?? "Galley"),
      "sdkVersion": .string(Galley.version),
    ]
    return HostProfile(
      placementType: context.isInterstitial ? .interstitial : .inline,
      environment: environment, supports: behaviour.supported(of: capabilities.supports),
      confirms: capabilities.confirms, location: capabilities.location, volume: Self.volume, behaviour: behaviour,
      scale: job.device.scale)
  }

  /// How loud the device is at first, of 100.
  private static let volume = 100.0

  /// Loads the second part once the first has handled its events: two pages that run at once would mix in the log.
  func startSecondPart() {
    guard let address = secondPartAddress else { return }
    secondPartAddress = nil
    Task { @WebKitActor [weak self] in
      _ = await self?.render.isDelivered()
      guard let self, let page = stage.pages[context.views.secondPart] else { return }
      context.prepareViewport(of: page, at: address.url)
      page.view.load(address.loadable)
    }
  }
}

extension HTMLAd: @WebKitActor CreativeHost {
  func deliver(_ update: BridgeUpdate, to part: AdPart) {
    var update = update
    update.events.removeAll(where: wasTold)
    for event in update.events {
      var detail: [String: JSONValue] = ["arguments": .array(event.arguments)]
      if part == .two { detail["part"] = "two" }
      context.record(.mraid, event.name, .object(detail))
    }
    let page = stage.pages[part == .one ? context.views.page : context.views.secondPart]
    let script = PageDelivery(update) { [recorder] in recorder.wakeWaiters() }
    if let page { render.turns.hand(script, to: page) }
  }

  /// Whether listeners heard of it in the call that it comes of.
  private func wasTold(_ event: MRAIDEvent) -> Bool {
    event.name == "error" && errorTold != nil && event.arguments.last?.string == errorTold
  }

  var geometry: HostGeometry { stage.geometry(of: adView) }

  var exposure: Exposure { stage.screen.exposure(ofView: adView) }

  /// The view that is the ad now.
  private var adView: AdViewID {
    creative?.showsSecondPart == true ? context.views.secondPart : context.views.page
  }

  func loadSecondPart(_ url: String) -> Bool {
    guard let creative, let address = try? context.judge(url, for: .secondPart) else { return false }
    recorder.record(.host, "loadSecondPart", ["url": .string(context.addresses.display(address.url))])
    _ = makePage(.two, of: creative)
    secondPartAddress = address
    return true
  }

  func discardSecondPart() {
    secondPartAddress = nil
    stage.remove(context.views.secondPart)
  }

  func failLoading(_ error: AdError) { endLoading(error) }

  func apply(_ orientation: OrientationProperties) {
    let before = stage.screen.orientation
    stage.apply(orientation)
    context.record(
      .host, "orientation",
      [
        "allowOrientationChange": .bool(orientation.allowOrientationChange),
        "forceOrientation": .string(orientation.forceOrientation.rawValue),
        "turned": .bool(stage.screen.orientation != before),
      ])
  }

  func restoreOrientation() { stage.restoreOrientation() }

  var now: Double { recorder.now }

  func schedule(after milliseconds: Double, _ action: @escaping () -> Void) {
    context.schedule(after: milliseconds, action)
  }

  func record(_ source: CreativeLogSource, _ name: String, _ detail: JSONValue) {
    context.record(source == .host ? .host : .mraid, name, detail)
  }

  func stateChanged(_ transition: MRAIDTransition) {
    render.logEvent(transition)
    omid?.screenDidChange()
  }
}

extension HTMLAd: PageOwner {
  func committed(_ url: String, in page: AdPage) {
    // What the engine shows instead of an address that it refuses, such as a port of another protocol's.
    guard page.part == .one, let asked = context.bundle.url, context.loadEnd == nil, url == "about:blank" else {
      return
    }
    failLoading(AdError("\(asked) is refused by the engine"))
  }

  func becameReady(_ part: AdPart, _ page: AdPage) {
    context.record(.page, "loadFinished", part == .two ? ["part": "two"] : .object([:]))
    // What it asks for in `ready` waits until it has been shown as it is.
    if part == .one, onLoaded != nil { context.awaitShow() }
    creative?.pageDidLoad(part)
    if part == .one {
      omid?.begin()
      endLoading(nil)
    }
  }

  func loadDidFail(_ error: AdError) { failLoading(error) }

  func received(_ load: ResourceLoad, in page: AdPage) {
    guard page.part == .one, load.index == 0, context.bundle.url != nil else { return }
    if load.status >= 400 {
      failLoading(AdError("\(load.url) answered with status \(load.status)"))
    } else if load.failure == nil, !Self.documentTypes.contains(load.mimeType) {
      failLoading(AdError("\(load.url) is \(load.mimeType), not HTML", code: Self.notAPage))
    }
  }

  /// What a creative's own document may come as from a web server.
  private static let documentTypes: Set<String> = ["text/html", "application/xhtml+xml", "image/svg+xml"]

  /// The code under which a load ends that gave no page but perhaps a response.
  static let notAPage = "page-unsupported"

  func heard(_ message: BridgeMessage, of part: AdPart, from controller: PageController, weight: Int) {
    switch message {
    case .call(let call):
      let action = call.command.map { command in { [weak self] in self?.carryOut(command, call, from: part) ?? () } }
      controller.logEvent(
        source: .creative, call.name, call.detail(from: part), weight: weight, whenTold: speaks, action: action)
    case .listenerError(let event, let message, let place):
      let detail: [String: JSONValue] = ["message": .string(message), "listener": .string(event)]
      controller.logEvent("exception", .object(detail.merging(place.detail) { $1 }))
    case .vpaid(let event, let arguments):
      let detail: JSONValue = ["event": .string(event), "arguments": .array(arguments)]
      controller.logEvent(source: .creative, "vpaid", detail, whenTold: speaks)
    case .dispatch(let begins): controller.page.isAnswering = begins
    }
  }

  func heard(_ message: OMIDMessage, from controller: PageController) { omid?.heard(message, from: controller) }

  /// The creative has said something to the container.
  private var speaks: () -> Void { { [weak context] in context?.hasSpoken = true } }

  /// An `error` that the container raised in the call itself is logged here and not sent again.
  private func carryOut(_ command: MRAIDCommand, _ call: BridgeCall, from part: AdPart) {
    context.delegate?.becameActive()
    if let told = call.told {
      recorder.record(.mraid, "error", ["arguments": [.string(told), .string(call.name)], "inCall": true])
      errorTold = call.name
    }
    creative?.handle(.session(.command(command, from: part, gesture: call.gesture)))
    errorTold = nil
  }
}

extension BridgeCall {
  /// As the log has it.
  fileprivate func detail(from part: AdPart) -> JSONValue {
    var detail: [String: JSONValue] = ["arguments": .array(arguments), "gesture": .bool(gesture)]
    if let state { detail["state"] = .string(state.rawValue) }
    if let problem { detail["problem"] = .string(problem) }
    if skipsListener { detail["skips"] = true }
    if part == .two { detail["part"] = "two" }
    return .object(detail)
  }
}
