internal import AdManager
internal import Core
internal import Creatives
internal import Device
internal import Engine
internal import Hosting
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// Creates the pages of one ad, or of a feed, and decides on the web process of each of them.
@EngineActor final class PageFactory {
  /// Purpose of a page.
  enum Role {
    /// A part of the ad with the script of its bridge; `isMeasured` if the Open Measurement service is in it.
    case part(AdPart, bridge: String, isMeasured: Bool)
    /// Galley's own page for content of the ad, a video or an end card; its requests are logged as the ad's.
    case ads
    /// Galley's own page in which an ad's measuring code runs; its requests are logged as the ad's.
    case omid
    /// A page of the host, whose requests aren't logged.
    case host

    fileprivate var members: (part: AdPart?, bridge: String?, isAds: Bool) {
      switch self {
      case .part(let part, let bridge, _): (part, bridge, false)
      case .ads, .omid: (nil, nil, true)
      case .host: (nil, nil, false)
      }
    }

    /// Indicates if the page has the Open Measurement service.
    fileprivate var isMeasured: Bool {
      switch self {
      case .part(_, _, let isMeasured): isMeasured
      case .omid: true
      case .ads, .host: false
      }
    }
  }

  let context: AdContext
  /// First view of a feed's ad, which lends its web process to the next ones.
  private var lender: WebView?

  init(context: AdContext) { self.context = context }

  /// Creates a page and adds it to the stage; `owner` receives its events.
  func make(_ id: AdViewID, _ role: Role, owner: (any PageOwner)?) -> AdPage {
    let render = context.render
    let (part, bridge, isAds) = role.members
    let frame = render.stage.screen.slotFrame(of: isAds ? context.views.page : id) ?? render.stage.screen.contentArea
    let isSlot = id == context.views.page || isAds
    let size = isSlot ? frame.size : render.stage.screen.contentArea.size
    let configuration = configuration(size, part, bridge, isMeasured: role.isMeasured)
    let view = WebView(session: render.webSession, configuration: configuration, related: relatedView(for: id))
    if context.name != nil, lender == nil { lender = view }
    view.resources.recordsHeaders = render.meter != nil
    view.resources.readsImages = render.clock.isVirtual || render.meter != nil
    view.resources.pageTime = { [weak recorder = render.recorder] in recorder?.now ?? 0 }
    if render.clock.isVirtual { view.input.pageTime = { [weak clock = render.clock] in clock?.now ?? .zero } }
    var network: NetworkLog?
    if part != nil || isAds {
      network = NetworkLog(
        recorder: render.recorder, addresses: context.addresses, refusal: render.gateway.map { $0.refusal(of:) },
        ad: context.name)
    }
    let page = AdPage(
      id: id, part: part, view: view, scripts: context.scripts, network: network, turns: render.turns)
    // What is still being loaded when the render is over has nobody left to let go of it.
    if !render.isOver { render.stage.add(PageController(page: page, context: context, owner: owner)) }
    if part == .one, context.bundle.kind == .url { noteFiles(of: page) }
    return page
  }

  /// Records the files of an address that come from its document's server.
  private func noteFiles(of page: AdPage) {
    let path = { @EngineActor [weak page] (load: ResourceLoad) -> String? in
      guard let page else { return nil }
      return CreativeBundle.path(of: load.url, besides: page.view.url)
    }
    let budget = FileBudget()
    page.view.resources.bodies = BodyReceiver(
      wants: { load in
        guard load.index > 0, (200..<300).contains(load.status), let path = path(load) else { return false }
        return budget.takes(path, bytes: load.bytes)
      },
      receive: { [bundle = context.bundle] load, bytes in
        guard budget.keeps(bytes.count, stated: load.bytes), let path = path(load) else { return }
        bundle.note(file: bytes, type: load.mimeType, at: path)
      })
  }

  private func configuration(
    _ size: Size, _ part: AdPart?, _ bridge: String?, isMeasured: Bool
  ) -> WebView.Configuration {
    let render = context.render
    let scripts = context.scripts
    var configuration = WebView.Configuration(
      width: Bounded.int(size.width, in: WebView.sides), height: Bounded.int(size.height, in: WebView.sides),
      userAgent: render.job.device.userAgent, touch: render.job.device.touch, isComposited: render.isComposited)
    configuration.takePreferences(of: render.job)
    configuration.everyFrameScripts = scripts.everyFrame(on: render.stage.screen.size)
    configuration.topFrameScripts =
      [scripts.ownTask] + (bridge.map { [$0] } ?? []) + [PageScripts.afterBridge] + (isMeasured ? [scripts.omid] : [])
    configuration.hostFrameScripts = [
      scripts.relay([part == nil ? .player : .bridge] + (isMeasured ? [.omid] : []))
    ]
    if render.clock.isVirtual {
      configuration.hostScripts = [PaintMessage.script]
    } else {
      configuration.hostScripts = [LoadMessage.script]
      configuration.hostFrameScripts.append(InputMessage.script)
    }
    if part != nil { configuration.hostScripts.append(ViewportMessage.script) }
    return configuration
  }

  /// View that lends the new page its web process: the creative's own page, or one started in advance.
  ///
  /// In a feed each ad has a process of its own, so that it can't block the others or take them along when it crashes.
  /// A virtual clock belongs to one process: with it, all ads use the feed's.
  private func relatedView(for id: AdViewID) -> WebView? {
    let render = context.render
    let pages = render.stage.pages
    if context.name != nil { return lender ?? (render.clock.isVirtual ? pages[.feed]?.view : nil) }
    if id == context.views.page || id == .feed { return render.prewarmedView }
    return pages[context.views.page]?.view ?? pages[context.views.player]?.view ?? render.prewarmedView
  }

  /// Releases the view that lends the web process, and ends the process if the ad has it for itself.
  func close(endsProcess: Bool) {
    if endsProcess { lender?.terminate() }
    lender = nil
  }
}

extension WebView.Configuration {
  /// Applies the user's system preferences: dark colour scheme and reduced motion.
  mutating func takePreferences(of job: RenderJob) {
    isDark = job.options.colorScheme == .dark
    reducesMotion = job.options.reducedMotion == true
  }
}
