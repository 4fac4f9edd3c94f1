internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

extension RenderSession {
  /// Makes the creative with its page and starts loading; `completion` runs once, when it is ready or has failed.
  func loadCreative(completion: @escaping (Result<HTMLCreative, AdError>) -> Void) {
    let session = MRAIDSession(profile: hostProfile, geometry: stage.geometry(of: views.page))
    let creative = HTMLCreative(session: session, host: self, views: views)
    self.creative = creative
    onCreativeLoaded = { [weak self] error in
      self?.onCreativeLoaded = nil
      completion(error.map { .failure($0) } ?? .success(creative))
    }
    serveCreative()
    let page = makePage(views.page, part: .one)
    prepareViewport(of: page, at: pageAddress)
    // What the person named who asked for the render.
    page.view.load(LoadableAddress(trusted: pageAddress))
  }

  /// Makes a page in the session's web process and puts it on the stage's list.
  ///
  /// Requests of an ad's pages are logged, those of a browser aren't.
  func makePage(_ id: AdViewID, part: AdPart?, isAd: Bool = false) -> AdPage {
    let frame = stage.screen.slotFrame(of: isAd ? views.page : id) ?? stage.screen.contentArea
    let isSlot = id == views.page || isAd
    let size = isSlot ? frame.size : stage.screen.contentArea.size
    var configuration = WebView.Configuration(
      width: Bounded.int(size.width, in: WebView.sides), height: Bounded.int(size.height, in: WebView.sides),
      userAgent: job.device.userAgent, touch: job.device.touch, isComposited: isComposited)
    configuration.everyFrameScripts = scripts.everyFrame(on: stage.screen.size)
    configuration.topFrameScripts = [scripts.ownTask]
    configuration.hostFrameScripts = [scripts.relay(part == nil ? [.player] : [.bridge])]
    if !clock.isVirtual {
      configuration.hostScripts = [LoadMark.script]
      configuration.hostFrameScripts.append(InputMark.script)
    }
    if part != nil { configuration.hostScripts.append(ViewportMark.script) }
    if let part, let creative {
      configuration.topFrameScripts.append(
        scripts.bridge(creative.session, part: part, template: job.options.bridge))
    }
    let view = WebView(session: webSession, configuration: configuration, related: relatedView(for: id))
    if host != nil, lender == nil { lender = view }
    view.tellsHeads = meter != nil
    var network: NetworkLog?
    if part != nil || isAd {
      network = NetworkLog(
        recorder: recorder, addresses: addresses, outlet: outlet, ad: host == nil ? nil : views.page)
    }
    let page = AdPage(id: id, part: part, view: view, scripts: scripts, network: network)
    view.onEvent = { [weak self, weak page] event in
      if let self, let page { handle(event, of: page) }
    }
    view.decideNavigation = { [weak self, weak page] request in
      guard let self, let page, AddressRule.mayBeShown(request.url) else { return false }
      return allows(request, of: page)
    }
    stage.add(page)
    return page
  }

  /// What lends the new page its web process: the creative's own page, or one started ahead.
  ///
  /// In a feed each ad has a process of its own, so that none holds up another or takes it along when it dies. A clock
  /// that is stepped is one process's: with it they all use the feed's.
  private func relatedView(for id: AdViewID) -> WebView? {
    if let host { return lender ?? (clock.isVirtual ? host.stage.pages[.feed]?.view : nil) }
    if id == views.page || id == .feed { return starter }
    return stage.pages[views.page]?.view ?? stage.pages[views.player]?.view ?? starter
  }

  func serveCreative() {
    webSession.serve(host: addresses.host) { [weak self] path in
      if MRAIDScriptRequest.matches(path) { return .containerScript }
      if let page = self?.video.pages[path] { return page }
      guard let resource = try? self?.bundle.resource(path: path) else { return .notFound.reusable }
      return SchemeResponse(mimeType: resource.contentType, body: resource.bytes).reusable
    }
    guard host == nil else { return }
    serveContainer()
  }

  /// Answers for Galley's own host, and hears of downloads.
  func serveContainer() {
    webSession.serve(host: PageAddresses.containerHost) { [weak self] path in
      guard !MRAIDScriptRequest.matches(path) else { return .containerScript }
      return (self?.feed?.active ?? self)?.browserPage ?? .notFound
    }
    webSession.onDownload = { [weak self] url in
      self?.recorder.record(.page, "download", ["url": .string(self?.addresses.display(url) ?? url)])
    }
  }

  /// What the device, the placement and the container make of the host.
  private var hostProfile: HostProfile {
    let abilities = job.device.abilities
    let behaviour = job.container?.behaviour ?? .spec
    let environment: [String: JSONValue] = [
      "version": .string(behaviour.version), "sdk": .string(behaviour.sdk ?? "Galley"),
      "sdkVersion": .string(Galley.version),
    ]
    return HostProfile(
      placementType: job.placement.kind == .interstitial ? .interstitial : .inline,
      environment: environment, supports: behaviour.supported(of: abilities.supports),
      confirms: abilities.confirms, location: abilities.location, volume: volume, behaviour: behaviour,
      scale: job.device.scale)
  }
}

extension SchemeResponse {
  /// What every request for mraid.js gets.
  static let containerScript =
    SchemeResponse(mimeType: "text/javascript", body: Array(MRAIDScriptRequest.body.utf8)).reusable
}
