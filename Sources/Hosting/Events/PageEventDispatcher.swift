package import AdManager
package import Core
package import Engine
package import MRAID
package import RenderModel

/// Logs events of pages, reacts to them and delivers the host's messages, each in the order of `PageEventQueue`.
///
/// Calls of pages wait while a transition or a screenshot is in progress, so that every state gets a screenshot.
@EngineActor package final class PageEventDispatcher {
  private let recorder: Recorder
  /// Indicates that no work of the host is pending.
  package var hostRests: () -> Bool = { true }
  private var queue = PageEventQueue<PageReport, PageDelivery>(capacity: Recorder.capacity)
  private var teller: Task<Void, Never>?
  private var pages = 0

  package init(recorder: Recorder) { self.recorder = recorder }

  /// Indicates that nothing waits for the host to come to rest.
  package var isEmpty: Bool { queue.isEmpty }

  /// Indicates that a transition or a screenshot is in progress.
  package var areHeld: Bool { queue.isHeld }

  /// Indicates that the host reacts to calls of pages at once.
  package var areOpen: Bool { queue.isOpen }

  /// Logs an event of a page in these circumstances and reacts to it, now or in its turn.
  package func add(_ event: PageEvent<PageReport>, of page: PageCircumstances) {
    let rests = queue.isEmpty && hostRests()
    queue.add(event, of: page, hostRests: rests).forEach(passReport)
    tellLater()
  }

  /// Registers a page; returns the number that identifies it here.
  package func enter() -> Int {
    pages += 1
    return pages
  }

  /// Indicates that the page with this number has handled everything delivered to it.
  package func isIdle(_ page: Int) -> Bool { queue.isIdle(page) }

  /// Takes a delivery to the page with this number; returns it if it is to be made now, nil if others come before it.
  package func begin(_ delivery: PageDelivery, to page: Int) -> PageDelivery? { queue.hand(delivery, to: page) }

  /// Ends the delivery that the page has handled; returns the next one to it, nil for none.
  package func end(by page: Int) -> PageDelivery? { queue.handled(by: page) }

  /// Performs an action as soon as calls of pages may be handled, after all that wait for that.
  package func pass(_ action: @escaping () -> Void) { passReport(PageReport(action)) }

  /// Begins a transition or a screenshot.
  package func hold() { queue.hold() }

  /// Ends it and performs the waiting actions, until one of them begins the next.
  package func release() {
    queue.release()
    while let report = queue.nextAction() { report.action?() }
  }

  /// Ends the load of a document: a navigation that was stopped is its first action of its own.
  package func settleLoad() {
    queue.settleLoad().forEach(passReport)
    tellLater()
  }

  /// Logs the remaining events without reacting to them, as the render is over.
  package func close() {
    queue.close().forEach(log)
    recorder.wakeWaiters()
  }

  private func tellLater() {
    guard teller == nil, !queue.isEmpty else { return }
    teller = Task { @EngineActor [weak self] in await self?.flushWhenIdle() }
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

/// Log entry of a page's event, and its consequences.
@EngineActor package struct PageReport {
  /// Line of the log.
  package struct Line {
    package let source: Event.Source
    package let name: String
    package let detail: JSONValue
    /// Time of the event, in the log's milliseconds.
    package let time: Double

    package init(source: Event.Source, name: String, detail: JSONValue, time: Double) {
      self.source = source
      self.name = name
      self.detail = detail
      self.time = time
    }
  }

  /// Line of the log; nil for reports of Galley's own pages, of which only the consequences are logged.
  package let line: Line?
  /// Called as soon as the event is logged.
  package let whenTold: (() -> Void)?
  /// Reaction of the host, once nothing holds it back.
  package let action: (() -> Void)?

  package init(_ line: Line, whenTold: (() -> Void)? = nil, action: (() -> Void)? = nil) {
    self.line = line
    self.whenTold = whenTold
    self.action = action
  }

  /// Creates a report that isn't logged.
  package init(_ action: @escaping () -> Void) {
    line = nil
    whenTold = nil
    self.action = action
  }
}

/// Script of the host for a page.
@EngineActor package struct PageDelivery {
  package let script: String
  package let arguments: [String: String]
  /// Called when the page has handled it.
  package let done: @EngineActor () -> Void

  package init(script: String, arguments: [String: String] = [:], done: @escaping @EngineActor () -> Void = {}) {
    self.script = script
    self.arguments = arguments
    self.done = done
  }

  /// Creates the delivery of an update to the bridge.
  package init(_ update: BridgeUpdate, done: @escaping @EngineActor () -> Void) {
    self.init(script: "galley.tell('bridge', update)", arguments: ["update": update.json.text], done: done)
  }
}

extension SourcePlace {
  /// Creates the place where an error was thrown, from its detail in the log.
  package init(of detail: JSONValue) {
    self.init(
      file: detail["file"]?.string ?? "", line: detail["line"]?.number ?? 0, column: detail["column"]?.number ?? 0,
      text: detail.text)
  }
}
