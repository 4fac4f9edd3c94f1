internal import AdManager
internal import AdResponses
internal import Core
internal import Creatives
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// Page of an ad, and the second part that it may expand to, with their requests to the host and its messages to them.
@EngineActor final class HTMLAd {
  let context: AdContext
  private let pages: PageFactory
  /// Creative of the ad; nil until its page is created, and if it couldn't be loaded.
  private(set) var creative: HTMLCreative?
  /// Called once with the result of the page's load.
  private var completion: ((Result<HTMLCreative, AdError>) -> Void)?
  /// Name of the call in progress if its page has already raised its `error`; else nil.
  private var errorTold: String?
  /// Open Measurement of the ad; nil unless the app measures it.
  private var omid: OMIDController?
  /// Indicates that measuring code is in the ad's own page; that of a native ad is beside it.
  private var isMeasuredWithin = false
  /// Address of the second part until it begins to load; nil for none.
  private var secondPartAddress: CreativeAddress?

  init(pages: PageFactory) {
    self.pages = pages
    context = pages.context
  }

  private var render: RenderContext { context.render }
  private var stage: StageController { context.render.stage }
  private var recorder: Recorder { context.render.recorder }

  /// Page of the ad, while it exists.
  var page: AdPage? { stage.pages[context.views.page] }

  /// Creates the creative with its page and starts loading; calls `completion` once, when it is ready or has failed.
  ///
  /// - Parameter isMeasured: indicates an ad of its own, which the app measures if the job asks for it.
  func load(isMeasured: Bool = false, completion: @escaping (Result<HTMLCreative, AdError>) -> Void) {
    let session = MRAIDSession(profile: context.hostProfile, geometry: stage.geometry(of: context.views.page))
    let creative = HTMLCreative(session: session, host: self, views: context.views)
    self.creative = creative
    self.completion = completion
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

  /// Loads the page; returns when it is ready and has handled that.
  func load() async throws -> HTMLCreative {
    let promise = Promise<HTMLCreative> { resolver in load { resolver.settle($0) } }
    let creative = try await promise.value(isolation: EngineActor.shared)
    _ = await render.isDelivered()
    return creative
  }

  /// Removes the page, which turned out not to belong to the ad.
  func removePage() {
    stage.remove(context.views.page)
    creative = nil
    context.measured.removeAll { $0 === omid }
    omid = nil
  }

  /// Creates the Open Measurement session of an ad that the app builds, before it is loaded, and runs its measuring
  /// code.
  ///
  /// - Parameter address: returns the address to request for one that the ad names.
  func measure(
    _ verifications: [VASTVerification], tracker: AdTracker, address: (String) -> String
  ) async {
    let omid = controller(.card)
    self.omid = omid
    await MeasuringPage(pages: pages, tracker: tracker, owner: self, view: context.views.page)
      .run(verifications, for: omid, address: address)
  }

  /// View of measuring code beside the ad, which may not exist.
  var measuringView: AdViewID { MeasuringPage.id(beside: context.views.page) }

  private func controller(_ kind: OMIDFacts.Kind) -> OMIDController {
    let views = context.views
    return OMIDController(
      context, context.omidFacts(kind, identity: views.page.rawValue),
      // The second part is the ad as soon as it is on the screen.
      view: { [stage] in stage.screen.layer(showing: views.secondPart) == nil ? views.page : views.secondPart },
      isGone: { [weak self] in self?.creative?.isGone ?? true })
  }

  /// Ends all activity of the ad.
  func end() { creative = nil }

  private func endLoading(_ error: AdError?) {
    guard let completion, let creative else { return }
    self.completion = nil
    completion(error.map { .failure($0) } ?? .success(creative))
  }

  private func makePage(_ part: AdPart, of creative: HTMLCreative) -> AdPage {
    let bridge = context.scripts.bridge(creative.session, template: render.job.options.bridge)
    let id = part == .one ? context.views.page : context.views.secondPart
    return pages.make(id, .part(part, bridge: bridge, isMeasured: part == .one && isMeasuredWithin), owner: self)
  }

  /// Loads the second part once the first has handled its events; the log of two active pages would be mixed.
  func startSecondPart() {
    guard let address = secondPartAddress else { return }
    secondPartAddress = nil
    Task { @EngineActor [weak self] in
      _ = await self?.render.isDelivered()
      guard let self, let page = stage.pages[context.views.secondPart] else { return }
      context.prepareViewport(of: page, at: address.url)
      page.view.load(address.loadable)
    }
  }
}

extension HTMLAd: @EngineActor CreativeHost {
  func deliver(_ update: BridgeUpdate, to part: AdPart) {
    var update = update
    update.events.removeAll(where: wasTold)
    // A playable's page logs what it is sent.
    for event in update.events where !context.isPlayable {
      var detail: [String: JSONValue] = ["arguments": .array(event.arguments)]
      if part == .two { detail["part"] = "two" }
      context.record(.mraid, Event.Name(rawValue: event.name), .object(detail))
    }
    let page = stage.pages[part == .one ? context.views.page : context.views.secondPart]
    let script = PageDelivery(update) { [recorder] in recorder.wakeWaiters() }
    if let page { render.turns.hand(script, to: page) }
  }

  /// Indicates that listeners received the event within the call that caused it.
  private func wasTold(_ event: MRAIDEvent) -> Bool {
    event.name == Event.Name.error.rawValue && errorTold != nil && event.arguments.last?.string == errorTold
  }

  var geometry: HostGeometry { stage.geometry(of: adView) }

  var exposure: Exposure { stage.screen.exposure(ofView: adView) }

  /// View that is the ad now.
  private var adView: AdViewID {
    creative?.showsSecondPart == true ? context.views.secondPart : context.views.page
  }

  func loadSecondPart(_ url: String) -> Bool {
    guard let creative, let address = try? context.judge(url, for: .secondPart) else { return false }
    recorder.record(.host, .loadSecondPart, ["url": .string(context.addresses.display(address.url))])
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
      .host, .orientation,
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
    let source: Event.Source =
      switch source {
      case .host: .host
      case .mraid: .mraid
      case .playable: .playable
      }
    context.record(source, Event.Name(rawValue: name), detail)
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
    failLoading(AdError("the engine refused \(asked)"))
  }

  func becameReady(_ part: AdPart, _ page: AdPage) {
    context.record(.page, .loadFinished, part == .two ? ["part": "two"] : .object([:]))
    if part == .one, context.bundle.kind == .url { noteDocument(of: page) }
    // What it asks for in `ready` waits until it has been shown as it is.
    if part == .one, completion != nil { context.awaitShow() }
    creative?.pageDidLoad(part)
    if part == .one {
      omid?.begin()
      endLoading(nil)
    }
  }

  /// Adds the document that the server gave to the bundle.
  private func noteDocument(of page: AdPage) {
    let bundle = context.bundle
    Task { @EngineActor [weak page] in
      guard let bytes = await page?.view.documentBytes() else { return }
      bundle.note(document: bytes)
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

  /// MIME types that a creative's own document may have on a web server.
  private static let documentTypes: Set<String> = ["text/html", "application/xhtml+xml", "image/svg+xml"]

  /// Error code of a load that gave no page but perhaps a response.
  static let notAPage = "page-unsupported"

  func heard(_ message: BridgeMessage, of part: AdPart, from controller: PageController, weight: Int) {
    switch message {
    case .call(let call):
      let action = call.command.map { command in { [weak self] in self?.carryOut(command, call, from: part) ?? () } }
      controller.logEvent(
        source: .creative, Event.Name(rawValue: call.name), call.detail(from: part), weight: weight, whenTold: speaks,
        action: action)
    case .listenerError(let event, let message, let place):
      let detail: [String: JSONValue] = ["message": .string(message), "listener": .string(event)]
      controller.logEvent(.exception, .object(detail.merging(place.detail) { $1 }))
    case .vpaid(let event, let arguments):
      let detail: JSONValue = ["event": .string(event), "arguments": .array(arguments)]
      controller.logEvent(source: .creative, .vpaid, detail, whenTold: speaks)
    case .playable(let call): heard(call, from: controller, weight: weight)
    case .sent(let call, let isAnswered):
      controller.logEvent(source: .playable, .sent, ["call": .string(call), "answered": .bool(isAnswered)])
    case .dispatch(let begins): controller.page.isAnswering = begins
    }
  }

  func heard(_ message: OMIDMessage, from controller: PageController) { omid?.heard(message, from: controller) }

  /// Closure that notes that the creative has sent a message to the container.
  var speaks: () -> Void { { [weak context] in context?.hasSpoken = true } }

  /// Performs a command. An `error` that the container raised in the call itself is logged here and not sent again.
  private func carryOut(_ command: MRAIDCommand, _ call: BridgeCall, from part: AdPart) {
    context.delegate?.becameActive()
    if let told = call.told {
      recorder.record(.mraid, .error, ["arguments": [.string(told), .string(call.name)], "inCall": true])
      errorTold = call.name
    }
    creative?.handle(.session(.command(command, from: part, gesture: call.gesture)))
    errorTold = nil
  }
}

extension BridgeCall {
  /// Detail of the call in the log.
  fileprivate func detail(from part: AdPart) -> JSONValue {
    var detail: [String: JSONValue] = ["arguments": .array(arguments), "gesture": .bool(gesture)]
    if let state { detail["state"] = .string(state.rawValue) }
    if let problem { detail["problem"] = .string(problem) }
    if skipsListener { detail["skips"] = true }
    if part == .two { detail["part"] = "two" }
    return .object(detail)
  }
}
