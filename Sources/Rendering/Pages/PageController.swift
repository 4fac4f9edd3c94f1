internal import AdManager
internal import Core
internal import Creatives
internal import Engine
internal import Hosting
internal import MRAID
internal import OMID
internal import RenderModel
internal import WebKitRuntime

/// Controls one page: its load, its navigation, and the messages of its scripts to the host.
@EngineActor final class PageController {
  let page: AdPage
  let context: AdContext
  private(set) weak var owner: (any PageOwner)?

  /// - Parameter owner: the receiver of the page's events; nil for a page without one.
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

  /// Handles all events of the web view.
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
    case .popup(let request): handleClickthrough(request, .popup, as: .other)
    case .dialog(let kind, let message):
      logEvent(.dialog, ["kind": .string(kind), "message": .string(String(message.prefix(500)))])
      context.countDialog()
    case .resource(let load): received(load)
    case .processEnded(let end): processEnded(end)
    case .closeRequested: logEvent(.close)
    case .permission(let kind): logEvent(.permission, ["kind": .string(kind), "granted": false])
    case .download(let url): logEvent(.download, ["url": .string(context.addresses.display(url))])
    case .print: logEvent(.print)
    case .fileChooser: logEvent(.fileChooser)
    case .authentication(let host): logEvent(.authentication, ["host": .string(host)])
    }
  }

  private func received(_ load: ResourceLoad) {
    if load.index == 0 { page.documentLoad = load }
    context.noteImage(load, in: page)
    page.logEvent(load)
    owner?.received(load, in: page)
    // The frames of measuring code are Galley's own, as the page is that they stand in.
    let isOwn = page.isMeasuring && load.url == "about:srcdoc"
    page.network?.add(load, isShown: !page.wasRefused(load) && !isOwn)
  }

  private func processEnded(_ end: ProcessEnd) {
    guard end != .terminatedByHost, context.delegate?.processEnded(end) != true else { return }
    render.turns.close()
    recorder.record(.page, .webProcessEnded, ["reason": .string(end.rawValue)])
    switch end {
    case .memoryLimit: render.failForMemory()
    case .crashed, .terminatedByHost:
      render.fail(.creative(.webProcessCrashed, "the web process ended while it showed the creative"))
    }
  }
}

extension PageController {
  /// Kinds of page events that affect their order.
  enum Deed {
    /// An uncaught error.
    case uncaught
    /// The main frame goes to another document.
    case departure
    /// A navigation was stopped.
    case stopped
    case other
  }

  /// Logs an event of the page in its turn; `action` is the host's reaction, once nothing holds it back.
  func logEvent(
    source: Event.Source = .page, _ name: Event.Name, _ detail: JSONValue = .object([:]), as deed: Deed = .other,
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
    let line = PageReport.Line(source: source, name: name.rawValue, detail: detail, time: recorder.now)
    let report = PageReport(line, whenTold: whenTold, action: action)
    let event = PageEvent(page: page.id, kind: kind, weight: weight + kept.bytes, content: report)
    render.turns.add(event, of: circumstances)
  }

  /// Reacts to a message of Galley's own page, in the same turn as if it were logged.
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

  /// Handles a message of the host's own scripts in the page.
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
      logEvent(message.name, message.detail)
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
      logEvent(source: .omid, .scriptError, message.detail)
    case .exception, .rejection:
      // What a listener threw is told by the bridge, which has caught it.
      logEvent(message.name, message.detail, as: message.detail["listener"] == nil ? .uncaught : .other)
    case .console, .violation, .storage, .consent, .fullScreen: logEvent(message.name, message.detail)
    }
  }
}

extension PageController {
  private func socketURL(_ message: PageMessage) -> String {
    (message.detail["url"]?.string ?? "").cut(to: ResourceLoad.longestURL)
  }
}

extension PageMessage {
  /// Name of the event in the log.
  fileprivate var name: Event.Name { Event.Name(rawValue: kind.rawValue) }
}

/// Receiver of a page's events: the loads of its documents, and the messages of its scripts.
@EngineActor protocol PageOwner: AnyObject {
  /// Called when a document begins to arrive.
  func committed(_ url: String, in page: AdPage)
  /// Called when the bridge's document is complete and has done the work that belongs to its load.
  func becameReady(_ part: AdPart, _ page: AdPage)
  /// Called when no document could be loaded.
  func loadDidFail(_ error: AdError)
  /// Called when a resource that the page asked for has arrived or failed.
  func received(_ load: ResourceLoad, in page: AdPage)
  /// Called with a message of the page's bridge, and its size in bytes.
  func heard(_ message: BridgeMessage, of part: AdPart, from page: PageController, weight: Int)
  /// Called with a message of the player in the page.
  func heard(_ message: PlayerMessage, from page: PageController)
  /// Called with a message of the Open Measurement service in the page.
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
