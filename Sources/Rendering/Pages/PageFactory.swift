internal import AdManager
internal import Core
internal import Device
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// Makes the pages of one ad, or of a feed, and decides which web process each of them runs in.
@WebKitActor final class PageFactory {
  /// What a page is for.
  enum Role {
    /// A part of the ad, whose bridge is this script, and whether the Open Measurement service is in it.
    case part(AdPart, bridge: String, isMeasured: Bool)
    /// Galley's own page of what the ad's maker made, a film or an end card; its requests are logged as the ad's.
    case ads
    /// Galley's own page in which an ad's measuring code runs; its requests are logged as the ad's.
    case omid
    /// A page of the host's, whose requests are nobody's affair.
    case host

    fileprivate var members: (part: AdPart?, bridge: String?, isAds: Bool) {
      switch self {
      case .part(let part, let bridge, _): (part, bridge, false)
      case .ads, .omid: (nil, nil, true)
      case .host: (nil, nil, false)
      }
    }

    /// Whether the Open Measurement service is in it.
    fileprivate var isMeasured: Bool {
      switch self {
      case .part(_, _, let isMeasured): isMeasured
      case .omid: true
      case .ads, .host: false
      }
    }
  }

  let context: AdContext
  /// The first view of a feed's ad, which lends its web process to those that follow.
  private var lender: WebView?

  init(context: AdContext) { self.context = context }

  /// Makes a page and puts it on the stage's list; `owner` hears of it.
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
    view.resources.pageTime = { [weak recorder = render.recorder] in recorder?.now ?? 0 }
    var network: NetworkLog?
    if part != nil || isAds {
      network = NetworkLog(
        recorder: render.recorder, addresses: context.addresses, gateway: render.gateway, ad: context.name)
    }
    let page = AdPage(
      id: id, part: part, view: view, scripts: context.scripts, network: network, turns: render.turns)
    // What is still being loaded when the render is over has nobody left to let go of it.
    if !render.isOver { render.stage.add(PageController(page: page, context: context, owner: owner)) }
    return page
  }

  private func configuration(
    _ size: Size, _ part: AdPart?, _ bridge: String?, isMeasured: Bool
  ) -> WebView.Configuration {
    let render = context.render
    let scripts = context.scripts
    var configuration = WebView.Configuration(
      width: Bounded.int(size.width, in: WebView.sides), height: Bounded.int(size.height, in: WebView.sides),
      userAgent: render.job.device.userAgent, touch: render.job.device.touch, isComposited: render.isComposited)
    configuration.everyFrameScripts = scripts.everyFrame(on: render.stage.screen.size)
    configuration.topFrameScripts = [scripts.ownTask] + (bridge.map { [$0] } ?? []) + (isMeasured ? [scripts.omid] : [])
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

  /// What lends the new page its web process: the creative's own page, or one started ahead.
  ///
  /// In a feed each ad has a process of its own, so that none holds up another or takes it along when it dies. A clock
  /// that is stepped is one process's: with it they all use the feed's.
  private func relatedView(for id: AdViewID) -> WebView? {
    let render = context.render
    let pages = render.stage.pages
    if context.name != nil { return lender ?? (render.clock.isVirtual ? pages[.feed]?.view : nil) }
    if id == context.views.page || id == .feed { return render.prewarmedView }
    return pages[context.views.page]?.view ?? pages[context.views.player]?.view ?? render.prewarmedView
  }

  /// Lets go of what lends the web process, which ends where the ad has it for itself.
  func close(endsProcess: Bool) {
    if endsProcess { lender?.terminate() }
    lender = nil
  }
}
