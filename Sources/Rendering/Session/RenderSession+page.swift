internal import AdExperience
internal import Bundles
internal import Jobs
internal import MRAID
internal import WebKitRuntime

extension RenderSession {
  /// Everything a web view tells ends here.
  func handle(_ event: WebViewEvent, of page: AdPage) {
    guard !isOver else { return }
    meter?.hear(event, of: page)
    switch event {
    case .message(let text): handleMessage(text, of: page)
    case .loadStarted: loadStarted(page)
    case .loadCommitted(let url): committed(url, page)
    case .loadFinished: finishLoading(page)
    case .loadFailed(let url, let message, let interrupted): loadFailed(url, message, interrupted, of: page)
    case .navigation(let request, let allowed):
      if allowed { page.lastAllowed = request.url } else { refused(request) }
    case .popup(let request): popup(request)
    case .dialog(let kind, let message): dialog(kind, message)
    case .resource(let load): resource(load, of: page)
    case .processEnded(let end): processEnded(end)
    case .closeRequested: recorder.record(.page, "close")
    case .permission(let kind): recorder.record(.page, "permission", ["kind": .string(kind), "granted": false])
    case .download(let url): recorder.record(.page, "download", ["url": .string(addresses.display(url))])
    case .fullScreen(let entered): recorder.record(.page, "fullScreen", ["entered": .bool(entered)])
    case .print: recorder.record(.page, "print")
    case .fileChooser: recorder.record(.page, "fileChooser")
    case .authentication(let host): recorder.record(.page, "authentication", ["host": .string(host)])
    }
  }

  private func handleMessage(_ text: String, of page: AdPage) {
    if let message = PageMessage(text) { return recorder.record(.page, message.name, message.detail) }
    guard let part = page.part, let message = BridgeMessage.decode(text) else { return }
    switch message {
    case .call(let call): handleCall(call, from: part)
    case .listenerError(let event, let message, _):
      recorder.record(.page, "exception", ["message": .string(message), "listener": .string(event)])
    case .vpaid(let event, let arguments):
      recorder.record(.creative, "vpaid", ["event": .string(event), "arguments": .array(arguments)])
    }
  }

  private func handleCall(_ call: BridgeCall, from part: AdPart) {
    var detail: [String: JSONValue] = ["arguments": .array(call.arguments), "gesture": .bool(call.gesture)]
    if let state = call.state { detail["state"] = .string(state.rawValue) }
    if let problem = call.problem { detail["problem"] = .string(problem) }
    if part == .two { detail["part"] = "two" }
    recorder.record(.creative, call.name, .object(detail))
    guard let command = call.command else { return }
    gate.pass { [weak self] in self?.creative?.handle(command, from: part, gesture: call.gesture) }
  }

  private func committed(_ url: String, _ page: AdPage) {
    // What the engine shows instead of an address that it refuses, such as a port of another protocol's.
    if page.part == .one, bundle.url != nil, loadEnd == nil, url == "about:blank" {
      onCreativeLoaded?(AdError("\(bundle.url ?? url) is refused by the engine"))
    }
    page.hasCommitted = true
  }

  private func finishLoading(_ page: AdPage) {
    guard !page.isLoaded else { return }
    page.isLoaded = true
    if page.part == .one, lastNavigation != nil { lastNavigation = clock.now }
    guard let part = page.part else { return recorder.wakeWaiters() }
    guard part == .two || page.hasCommitted else {
      onCreativeLoaded?(AdError("\(addresses.display(page.view.url)) gave no document"))
      return
    }
    Task { @WebKitActor [weak self, weak page] in
      // The last resources are told a moment after the load's end.
      _ = await self?.recorder.wait(.milliseconds(250)) { page?.resourcesHaveEnded ?? true }
      guard let self, let page, !isOver else { return }
      if case .failure = loadEnd { return }
      page.network?.flush()
      becomeReady(part)
    }
  }

  /// The part's page is complete: it gets `ready`.
  private func becomeReady(_ part: AdPart) {
    recorder.record(.page, "loadFinished", part == .two ? ["part": "two"] : .object([:]))
    // What it asks for in `ready` waits until it has been shown as it is.
    if part == .one, onCreativeLoaded != nil { gate.hold() }
    creative?.pageDidLoad(part)
    if part == .one { onCreativeLoaded?(nil) }
  }

  private func loadFailed(_ url: String, _ message: String, _ interrupted: Bool, of page: AdPage) {
    if interrupted, page.hasCommitted || page.part != .one { return page.hasCommitted ? finishLoading(page) : () }
    recorder.record(.page, "loadFailed", ["url": .string(addresses.display(url)), "message": .string(message)])
    if page.part == .one, !page.hasCommitted {
      onCreativeLoaded?(AdError("\(addresses.display(url)) can't be loaded: \(message)"))
    } else {
      finishLoading(page)
    }
  }

  private func dialog(_ kind: String, _ message: String) {
    dialogs += 1
    recorder.record(.page, "dialog", ["kind": .string(kind), "message": .string(String(message.prefix(500)))])
    if dialogs > Self.mostDialogs {
      fail(.failed, .creative("endless-dialogs", "the creative opened more than \(Self.mostDialogs) dialogs"))
    }
  }

  /// Dialogs after which a page is taken to open them for ever.
  private static let mostDialogs = 100

  private func resource(_ load: ResourceLoad, of page: AdPage) {
    if page.part == .one, load.index == 0, bundle.url != nil {
      if load.status >= 400 {
        onCreativeLoaded?(AdError("\(load.url) answered with status \(load.status)"))
      } else if load.failure == nil, !Self.documentTypes.contains(load.mimeType) {
        onCreativeLoaded?(AdError("\(load.url) is \(load.mimeType), not HTML"))
      }
    }
    page.network?.add(load)
  }

  /// What a creative's own document may come as from a web server.
  private static let documentTypes: Set<String> = ["text/html", "application/xhtml+xml", "image/svg+xml"]

  private func processEnded(_ end: ProcessEnd) {
    guard end != .terminatedByHost else { return }
    recorder.record(.page, "webProcessEnded", ["reason": .string(end.rawValue)])
    switch end {
    case .memoryLimit: failForMemory()
    case .crashed, .terminatedByHost:
      fail(.crashed, .creative("web-process-crashed", "the web process ended while it showed the creative"))
    }
  }

  /// The web process used more than it may.
  func failForMemory() {
    fail(.failed, .creative("memory-limit", "the creative used more than \(job.limits.memory) MiB of memory"))
  }
}
