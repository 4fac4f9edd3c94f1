internal import AdManager
internal import Core
internal import Creatives
internal import MRAID
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// One page while it is there: its load, where it may go, and what its scripts tell the host.
@WebKitActor final class PageController {
  let page: AdPage
  let context: AdContext
  private(set) weak var owner: (any PageOwner)?

  /// - Parameter owner: who the page is for; nil for what nobody hears.
  init(page: AdPage, context: AdContext, owner: (any PageOwner)?) {
    self.page = page
    self.context = context
    self.owner = owner
    page.view.onEvent = { [weak self] event in self?.handle(event) }
    page.view.decideNavigation = { [weak self] request in
      guard let self, AddressRule.mayBeShown(request.url) else { return false }
      return allows(request)
    }
    page.timeWentOn = { [weak self] in self?.loadFellSilent() }
  }

  var render: RenderContext { context.render }
  var recorder: Recorder { render.recorder }

  /// Everything a web view tells ends here.
  private func handle(_ event: WebViewEvent) {
    guard !context.isOver else { return }
    render.meter?.receive(event, of: page)
    switch event {
    case .message(let text): handleMessage(text)
    case .loadStarted: loadStarted()
    case .loadCommitted(let url): committed(url)
    case .loadFinished: finishLoading()
    case .loadFailed(let url, let message, let interrupted): loadFailed(url, message, interrupted)
    case .navigation(let request, let allowed): if allowed { page.lastAllowed = request } else { refused(request) }
    case .popup(let request): handleClickthrough(request, "popup", as: .other)
    case .dialog(let kind, let message):
      logEvent("dialog", ["kind": .string(kind), "message": .string(String(message.prefix(500)))])
      context.countDialog()
    case .resource(let load): received(load)
    case .processEnded(let end): processEnded(end)
    case .closeRequested: logEvent("close")
    case .permission(let kind): logEvent("permission", ["kind": .string(kind), "granted": false])
    case .download(let url): logEvent("download", ["url": .string(context.addresses.display(url))])
    case .fullScreen(let entered): logEvent("fullScreen", ["entered": .bool(entered)])
    case .print: logEvent("print")
    case .fileChooser: logEvent("fileChooser")
    case .authentication(let host): logEvent("authentication", ["host": .string(host)])
    }
  }

  private func received(_ load: ResourceLoad) {
    if load.index == 0 { page.documentLoad = load }
    context.noteImage(load)
    page.logEvent(load)
    owner?.received(load, in: page)
    // The frames of measuring code are Galley's own, as the page is that they stand in.
    let isOwn = page.isMeasuring && load.url == "about:srcdoc"
    page.network?.add(load, isShown: !page.wasRefused(load) && !isOwn)
  }

  private func processEnded(_ end: ProcessEnd) {
    guard end != .terminatedByHost, context.delegate?.processEnded(end) != true else { return }
    render.turns.close()
    recorder.record(.page, "webProcessEnded", ["reason": .string(end.rawValue)])
    switch end {
    case .memoryLimit: render.failForMemory()
    case .crashed, .terminatedByHost:
      render.fail(
        .crashed, .creative("web-process-crashed", "the web process ended while it showed the creative"))
    }
  }
}

extension PageController {
  /// What orders an event of a page beside its circumstances.
  enum Deed {
    /// An error that nobody caught.
    case uncaught
    /// Its main frame goes on to another document.
    case departure
    /// A navigation that was stopped.
    case stopped
    case other
  }

  /// Logs what the page did, in its turn; `action` is what the host does about it once nothing holds that back.
  func logEvent(
    source: Event.Source = .page, _ name: String, _ detail: JSONValue = .object([:]), as deed: Deed = .other,
    weight: Int = 0, whenTold: (() -> Void)? = nil, action: (() -> Void)? = nil
  ) {
    // More than the log keeps, since addresses are shortened there.
    let kept = detail.cut(texts: 2 * JSONValue.keptText)
    let detail = context.named(kept.value)
    let kind: PageEvent<PageReport>.Kind =
      switch deed {
      case .uncaught: .uncaught(SourcePlace(of: detail))
      case .departure: .departure
      case .stopped: .stopped
      case .other: .other
      }
    let line = PageReport.Line(source: source, name: name, detail: detail, time: recorder.now)
    let report = PageReport(line, whenTold: whenTold, action: action)
    let event = PageEvent(page: page.id, kind: kind, weight: weight + kept.bytes, content: report)
    render.turns.add(event, of: circumstances)
  }

  /// Acts on what a page of Galley's own told, in the same turn as if it were logged.
  func process(_ action: @escaping () -> Void) {
    render.turns.add(PageEvent(page: page.id, kind: .other, content: PageReport(action)), of: circumstances)
  }

  private var circumstances: PageCircumstances {
    PageCircumstances(
      isAnswering: page.isAnswering, loadPhase: page.loadPhase, isPart: page.part != nil,
      adIsLoaded: context.loadEnd != nil)
  }

  private func handleMessage(_ text: String) {
    guard let message = HostMessage(text) else { return }
    // Each is heard as what it may be and nothing else: only a bridge calls, only a player says what a person does.
    switch message.speaker {
    case .host: receiveHostMessage(message.text)
    case .films: if let mark = VideoMessage(rawValue: message.text) { page.films.receive(mark) }
    case .omid: if let said = OMIDMessage(message.text) { owner?.heard(said, from: self) }
    case .player: if let report = PlayerMessage(message.text) { owner?.heard(report, from: self) }
    case .page: if let seen = PageMessage(message.text) { observe(seen) }
    case .frame:
      guard var seen = PageMessage(message.text) else { return }
      // What happens in a frame is logged as such.
      seen.isInFrame = true
      observe(seen)
    case .bridge:
      guard let part = page.part, let said = BridgeMessage.decode(message.text) else { return }
      owner?.heard(said, of: part, from: self, weight: message.text.utf8.count)
    }
  }

  /// What the host's own scripts in the page say.
  private func receiveHostMessage(_ text: String) {
    if let mark = LoadMessage(rawValue: text) {
      page.pass(mark)
      recorder.wakeWaiters()
    }
    if let mark = InputMessage(rawValue: text) {
      page.receive(mark)
      recorder.wakeWaiters()
    }
    if PaintMessage(rawValue: text) != nil { page.hasPainted = true }
    if let mark = ViewportMessage(text), context.readsViewport(of: page) { page.lay(out: mark.viewport) }
  }

  private func observe(_ message: PageMessage) {
    switch message.kind {
    case .socket:
      logEvent(message.kind.rawValue, message.detail)
      let url = socketURL(message)
      page.network?.addSocket(to: url)
      // A frame of the page's own may say it as often as it likes.
      guard page.openSockets.count < AdPage.mostOpenSockets else { return }
      page.openSockets.append(OpenRequest(url: url, purpose: .script, asked: .now))
    case .socketSettled:
      let url = socketURL(message)
      if let first = page.openSockets.firstIndex(where: { $0.url == url }) { page.openSockets.remove(at: first) }
    case .workersOfOneFile: render.clock.noteNondeterminism(.workersOfOneFile)
    // Nobody but measuring code is there to throw.
    case .exception where page.isMeasuring, .rejection where page.isMeasuring:
      logEvent(source: .omid, "scriptError", message.detail)
    case .exception, .rejection:
      // What a listener threw is told by the bridge, which has caught it.
      logEvent(message.kind.rawValue, message.detail, as: message.detail["listener"] == nil ? .uncaught : .other)
    case .console, .violation, .storage, .consent: logEvent(message.kind.rawValue, message.detail)
    }
  }
}

extension PageController {
  private func socketURL(_ message: PageMessage) -> String {
    (message.detail["url"]?.string ?? "").cut(to: ResourceLoad.longestURL)
  }
}

/// Who a page is for: hears what its documents come to, and what its scripts tell.
@WebKitActor protocol PageOwner: AnyObject {
  /// A document begins to arrive.
  func committed(_ url: String, in page: AdPage)
  /// All of the bridge's document is there, and it has done what it does at its load.
  func becameReady(_ part: AdPart, _ page: AdPage)
  /// No document could be loaded.
  func loadDidFail(_ error: AdError)
  /// Something that the page asked for has come, or failed.
  func received(_ load: ResourceLoad, in page: AdPage)
  /// The bridge of the page tells something, in so many bytes.
  func heard(_ message: BridgeMessage, of part: AdPart, from page: PageController, weight: Int)
  /// The player in the page tells something.
  func heard(_ message: PlayerMessage, from page: PageController)
  /// The Open Measurement service in the page tells something.
  func heard(_ message: OMIDMessage, from page: PageController)
}

extension PageOwner {
  func committed(_ url: String, in page: AdPage) {}
  func becameReady(_ part: AdPart, _ page: AdPage) {}
  func loadDidFail(_ error: AdError) {}
  func received(_ load: ResourceLoad, in page: AdPage) {}
  func heard(_ message: BridgeMessage, of part: AdPart, from page: PageController, weight: Int) {}
  func heard(_ message: PlayerMessage, from page: PageController) {}
  func heard(_ message: OMIDMessage, from page: PageController) {}
}
