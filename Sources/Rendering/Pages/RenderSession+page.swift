internal import AdManager
internal import Core
internal import Creatives
internal import Foundation
internal import MRAID
internal import RenderModel
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
      if allowed { page.lastAllowed = request } else { refused(request, by: page) }
    case .popup(let request): popup(request, from: page)
    case .dialog(let kind, let message): dialog(kind, message, of: page)
    case .resource(let load): resource(load, of: page)
    case .processEnded(let end): processEnded(end)
    case .closeRequested: note(page, "close")
    case .permission(let kind): note(page, "permission", ["kind": .string(kind), "granted": false])
    case .download(let url): note(page, "download", ["url": .string(addresses.display(url))])
    case .fullScreen(let entered): note(page, "fullScreen", ["entered": .bool(entered)])
    case .print: note(page, "print")
    case .fileChooser: note(page, "fileChooser")
    case .authentication(let host): note(page, "authentication", ["host": .string(host)])
    }
  }

  /// What orders an event of a page beside its circumstances.
  enum PageDeed {
    /// An error that nobody caught.
    case uncaught
    /// Its main frame goes on to another document.
    case departure
    /// A navigation that was stopped.
    case stopped
    case other
  }

  /// Logs what a page did, in its turn; `consequence` is carried out when it is told.
  func note(
    _ page: AdPage, source: Event.Source = .page, _ name: String, _ detail: JSONValue = .object([:]),
    as deed: PageDeed = .other, weight: Int = 0, then consequence: (() -> Void)? = nil
  ) {
    // More than the log keeps, since addresses are shortened there.
    let kept = detail.cut(texts: 2 * JSONValue.keptText)
    let detail = named(kept.value)
    let kind: PageEvent<PageReport>.Kind =
      switch deed {
      case .uncaught: .uncaught(SourcePlace(of: detail))
      case .departure: .departure
      case .stopped: .stopped
      case .other: .other
      }
    let report = PageReport(
      source: source, name: name, detail: detail, time: recorder.now, consequence: consequence)
    pageLog.add(
      PageEvent(page: page.id, kind: kind, weight: weight + kept.bytes, content: report), of: circumstances(of: page))
  }

  /// Acts on what a page of Galley's own told, in the same turn as if it were logged.
  func heed(_ page: AdPage, _ consequence: @escaping () -> Void) {
    let report = PageReport(
      source: .page, name: "", detail: .null, time: recorder.now, consequence: consequence, isLogged: false)
    pageLog.add(PageEvent(page: page.id, kind: .other, content: report), of: circumstances(of: page))
  }

  private func circumstances(of page: AdPage) -> PageCircumstances {
    PageCircumstances(
      isAnswering: page.isAnswering, loadPhase: page.loadPhase, isPart: page.part != nil, adIsLoaded: loadEnd != nil)
  }

  private func handleMessage(_ text: String, of page: AdPage) {
    guard let message = HostMessage(text) else { return }
    // Each is heard as what it may be and nothing else: only a bridge calls, only a player says what a person does.
    switch message.speaker {
    case .host:
      if let mark = LoadMark(rawValue: message.text) { pass(mark, page) }
      if let mark = InputMark(rawValue: message.text) { hear(mark, of: page) }
      if let mark = ViewportMark(message.text) { heed(mark, of: page) }
    case .films: if let mark = FilmMark(rawValue: message.text) { page.films.hear(mark) }
    case .player: if let report = PlayerMessage(message.text) { handle(report, of: page) }
    case .page: if let seen = PageMessage(message.text) { observe(seen, of: page) }
    case .frame: if let seen = PageMessage(message.text) { observe(seen, inFrameOf: page) }
    case .bridge:
      guard let part = page.part, let said = BridgeMessage.decode(message.text) else { return }
      handle(said, from: part, of: page, weight: message.text.utf8.count)
    }
  }

  private func handle(_ message: PlayerMessage, of page: AdPage) {
    if let film = video.films[page.id] { return hear(message, of: film, page) }
    hearHostPlayer(message, page)
  }

  private func handle(_ message: BridgeMessage, from part: AdPart, of page: AdPage, weight: Int) {
    switch message {
    case .call(let call): handleCall(call, from: part, of: page, weight: weight)
    case .listenerError(let event, let message, let place):
      let detail: [String: JSONValue] = ["message": .string(message), "listener": .string(event)]
      note(page, "exception", .object(detail.merging(place.detail) { $1 }))
    case .vpaid(let event, let arguments):
      note(page, source: .creative, "vpaid", ["event": .string(event), "arguments": .array(arguments)]) {
        [weak self] in self?.hasSpoken = true
      }
    case .dispatch(let begins): page.isAnswering = begins
    }
  }

  /// What happens in a frame is logged as such.
  private func observe(_ message: PageMessage, inFrameOf page: AdPage) {
    var message = message
    message.isInFrame = true
    observe(message, of: page)
  }

  private func observe(_ message: PageMessage, of page: AdPage) {
    switch message.kind {
    case .socket:
      note(page, message.kind.rawValue, message.detail)
      page.network?.addSocket(to: message.detail["url"]?.string ?? "")
    case .exception, .rejection:
      // What a listener threw is told by the bridge, which has caught it.
      let deed = message.detail["listener"] == nil ? PageDeed.uncaught : .other
      note(page, message.kind.rawValue, message.detail, as: deed)
    case .console, .violation: note(page, message.kind.rawValue, message.detail)
    }
  }

  private func handleCall(_ call: BridgeCall, from part: AdPart, of page: AdPage, weight: Int) {
    var detail: [String: JSONValue] = ["arguments": .array(call.arguments), "gesture": .bool(call.gesture)]
    if let state = call.state { detail["state"] = .string(state.rawValue) }
    if let problem = call.problem { detail["problem"] = .string(problem) }
    if call.skipsListener { detail["skips"] = true }
    if part == .two { detail["part"] = "two" }
    note(page, source: .creative, call.name, .object(detail), weight: weight) { [weak self] in
      guard let self else { return }
      hasSpoken = true
      guard let command = call.command else { return }
      gate.pass { [weak self] in
        self?.becomeActive()
        self?.carryOut(command, call, from: part)
      }
    }
  }

  /// An `error` that the container raised in the call itself is logged here and not sent again.
  private func carryOut(_ command: MRAIDCommand, _ call: BridgeCall, from part: AdPart) {
    if let told = call.told {
      recorder.record(.mraid, "error", ["arguments": [.string(told), .string(call.name)], "inCall": true])
      errorTold = call.name
    }
    creative?.handle(command, from: part, gesture: call.gesture)
    errorTold = nil
  }

  private func dialog(_ kind: String, _ message: String, of page: AdPage) {
    dialogs += 1
    note(page, "dialog", ["kind": .string(kind), "message": .string(String(message.prefix(500)))])
    if dialogs > Self.mostDialogs {
      fail(.failed, .creative("endless-dialogs", "the creative opened more than \(Self.mostDialogs) dialogs"))
    }
  }

  /// Dialogs after which a page is taken to open them for ever.
  private static let mostDialogs = 100

  private func resource(_ load: ResourceLoad, of page: AdPage) {
    if load.index == 0 { page.documentLoad = load }
    noteImage(load)
    page.note(load)
    if let film = video.films[page.id], (200..<300).contains(load.status),
      (load.redirects.first ?? load.url) == film.source.url
    {
      film.isFound = true
    }
    if page.part == .one, load.index == 0, bundle.url != nil {
      if load.status >= 400 {
        onCreativeLoaded?(AdError("\(load.url) answered with status \(load.status)"))
      } else if load.failure == nil, !Self.documentTypes.contains(load.mimeType) {
        onCreativeLoaded?(AdError("\(load.url) is \(load.mimeType), not HTML", code: Self.answersWithResponse))
      }
    }
    page.network?.add(load, isShown: !page.wasRefused(load))
  }

  /// What a creative's own document may come as from a web server.
  private static let documentTypes: Set<String> = ["text/html", "application/xhtml+xml", "image/svg+xml"]

  private func processEnded(_ end: ProcessEnd) {
    guard end != .terminatedByHost else { return }
    if let feed = host?.feed, feed.hasProcesses {
      guard !isOver else { return }
      return feed.lose(self, end)
    }
    pageLog.close()
    recorder.record(.page, "webProcessEnded", ["reason": .string(end.rawValue)])
    switch end {
    case .memoryLimit: failForMemory()
    case .crashed, .terminatedByHost:
      fail(.crashed, .creative("web-process-crashed", "the web process ended while it showed the creative"))
    }
  }

  /// The web process used more than it may.
  func failForMemory() {
    fail(.failed, .creative(RenderRecord.memoryCode, "the creative used more than \(job.limits.memory) MiB of memory"))
  }
}

/// What the observing scripts in each frame report; the bridge's own messages are `BridgeMessage`.
struct PageMessage: Sendable {
  /// What it reports; the raw values are the log's names.
  enum Kind: String {
    case console, exception, rejection, violation, socket
  }

  let kind: Kind
  private let members: [String: JSONValue]
  /// Whether it happened in a frame of the page.
  var isInFrame = false

  /// As the log has it.
  var detail: JSONValue { .object(isInFrame ? members.merging(["frame": "iframe"]) { $1 } : members) }

  /// Nil when the text is something else; nothing in it is trusted.
  init?(_ json: String) {
    guard json.utf8.count < 1_000_000, let data = json.data(using: .utf8),
      case .object(let members)? = try? JSONDecoder().decode(JSONValue.self, from: data),
      case .string(let name)? = members["observed"], let kind = Kind(rawValue: name)
    else { return nil }
    self.kind = kind
    self.members = members["detail"]?.object ?? [:]
  }
}

/// What a script of the host's world posts: what it says itself, or what it was told by an element that only it and a
/// script of Galley's in the page's world know.
struct HostMessage {
  /// Who says it. A page can pretend to be none of them but, in frames that it made, the observing scripts there.
  enum Speaker: String {
    /// The host's own scripts.
    case host
    /// The observing scripts of the top frame, and of a frame in it.
    case page, frame
    /// The script that counts where films are.
    case films
    /// `mraid` of the top frame.
    case bridge
    /// The player's page.
    case player
  }

  let speaker: Speaker
  let text: String

  /// Nil when it is nobody's.
  init?(_ message: String) {
    guard let space = message.firstIndex(of: " "), let speaker = Speaker(rawValue: String(message[..<space])) else {
      return nil
    }
    self.speaker = speaker
    text = String(message[message.index(after: space)...])
  }
}
