internal import AdManager
internal import Core
internal import MRAID
internal import RenderModel
internal import WebKitRuntime

/// Logs what pages do, acts on it and hands them what the host has for them, each in the turn that `PageEventQueue`
/// gives it.
///
/// What pages call waits while a transition or a picture is under way, so that every state is pictured.
@WebKitActor final class PageTurns {
  private let recorder: Recorder
  /// Whether nothing of the host's is under way.
  var hostRests: () -> Bool = { true }
  private var queue = PageEventQueue<PageReport, PageDelivery>(capacity: Recorder.capacity)
  private var teller: Task<Void, Never>?
  private var pages = 0

  init(recorder: Recorder) { self.recorder = recorder }

  /// Whether nothing waits for the host to rest.
  var isEmpty: Bool { queue.isEmpty }

  /// Whether a transition or a picture is under way.
  var areHeld: Bool { queue.isHeld }

  /// Whether whatever pages call is acted on at once.
  var areOpen: Bool { queue.isOpen }

  /// Logs an event of a page in these circumstances and acts on it, now or when its turn comes.
  func add(_ event: PageEvent<PageReport>, of page: PageCircumstances) {
    let rests = queue.isEmpty && hostRests()
    queue.add(event, of: page, hostRests: rests).forEach(passReport)
    tellLater()
  }

  /// A page is there; the number by which it is known here.
  func enter() -> Int {
    pages += 1
    return pages
  }

  /// Whether the page with this number has handled all that it was handed.
  func isIdle(_ page: Int) -> Bool { queue.isIdle(page) }

  /// Hands something to a page in its turn.
  ///
  /// One task does all that waits: who is woken by another goes by another thread, which a stepped clock doesn't see.
  func hand(_ delivery: PageDelivery, to page: AdPage) {
    guard let first = queue.hand(delivery, to: page.number) else { return }
    Task { @WebKitActor [weak page, view = page.view, number = page.number] in
      var next: PageDelivery? = first
      while let delivery = next {
        // The page may be gone or its web process dead; both are told elsewhere.
        _ = try? await view.call(delivery.script, delivery.arguments)
        next = queue.handled(by: number)
        page?.isAnswering = false
        delivery.done()
      }
    }
  }

  /// Does something as soon as what pages call may be acted on, after all that waits for that.
  func pass(_ action: @escaping () -> Void) { passReport(PageReport(action)) }

  /// A transition or a picture begins.
  func hold() { queue.hold() }

  /// It is over: what was called meanwhile is acted on, until that begins the next.
  func release() {
    queue.release()
    while let report = queue.nextAction() { report.action?() }
  }

  /// A document's load is over: what it was stopped from is the first that it does by itself.
  func settleLoad() {
    queue.settleLoad().forEach(passReport)
    tellLater()
  }

  /// Logs what is left and acts on none of it: the render is over.
  func close() {
    queue.close().forEach(log)
    recorder.wakeWaiters()
  }

  private func tellLater() {
    guard teller == nil, !queue.isEmpty else { return }
    teller = Task { @WebKitActor [weak self] in await self?.flushWhenIdle() }
  }

  private func flushWhenIdle() async {
    while !queue.isEmpty {
      guard await recorder.wait(until: { [self] in queue.isEmpty || hostRests() }) else { break }
      while !queue.isEmpty, hostRests() { queue.next().forEach(passReport) }
      recorder.wakeWaiters()
    }
    teller = nil
    recorder.wakeWaiters()
  }

  private func passReport(_ report: PageReport) {
    log(report)
    report.whenTold?()
    guard report.action != nil, let report = queue.pass(report) else { return }
    report.action?()
  }

  private func log(_ report: PageReport) {
    guard let line = report.line else { return }
    recorder.record(line.source, line.name, line.detail, at: line.time)
  }
}

/// What the log says of something a page did, and what it leads to.
@WebKitActor struct PageReport {
  /// A line of the log.
  struct Line {
    let source: Event.Source
    let name: String
    let detail: JSONValue
    /// When it happened, in the log's milliseconds.
    let time: Double
  }

  /// Nil for what a page of Galley's own reports, of which only the consequences are told.
  let line: Line?
  /// What is known as soon as it is told.
  let whenTold: (() -> Void)?
  /// What the host does about it, once nothing holds it back.
  let action: (() -> Void)?

  init(_ line: Line, whenTold: (() -> Void)? = nil, action: (() -> Void)? = nil) {
    self.line = line
    self.whenTold = whenTold
    self.action = action
  }

  /// Something that isn't logged.
  init(_ action: @escaping () -> Void) {
    line = nil
    whenTold = nil
    self.action = action
  }
}

/// A script of the host's for a page.
@WebKitActor struct PageDelivery {
  let script: String
  let arguments: [String: String]
  /// The page has handled it.
  let done: @WebKitActor () -> Void

  init(script: String, arguments: [String: String] = [:], done: @escaping @WebKitActor () -> Void = {}) {
    self.script = script
    self.arguments = arguments
    self.done = done
  }

  /// What the bridge is told.
  init(_ update: BridgeUpdate, done: @escaping @WebKitActor () -> Void) {
    self.init(script: "galley.tell('bridge', update)", arguments: ["update": update.json.text], done: done)
  }
}

extension SourcePlace {
  /// Where an error was thrown, as its detail in the log has it.
  init(of detail: JSONValue) {
    self.init(
      file: detail["file"]?.string ?? "", line: detail["line"]?.number ?? 0, column: detail["column"]?.number ?? 0,
      text: detail.text)
  }
}
