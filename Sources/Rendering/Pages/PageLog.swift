internal import AdManager
internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Logs what pages do and acts on it, in the order that `PageEventQueue` gives it.
@WebKitActor final class PageLog {
  private let recorder: Recorder
  /// Whether nothing of the host's is under way.
  var hostRests: () -> Bool = { true }
  private var queue = PageEventQueue<PageReport>(capacity: Recorder.capacity)
  private var teller: Task<Void, Never>?

  init(recorder: Recorder) { self.recorder = recorder }

  var isEmpty: Bool { queue.isEmpty }

  /// Logs an event of a page in these circumstances, now or when its turn comes.
  func add(_ event: PageEvent<PageReport>, of page: PageCircumstances) {
    let rests = queue.isEmpty && hostRests()
    queue.add(event, of: page, hostRests: rests).forEach(tell)
    tellLater()
  }

  /// A document's load is over: what it was stopped from is the first that it does by itself.
  func settleLoad() {
    queue.settleLoad().forEach(tell)
    tellLater()
  }

  /// Logs what is left and acts on none of it: the render is over.
  func close() {
    queue.close().forEach(log)
    recorder.wakeWaiters()
  }

  private func tellLater() {
    guard teller == nil, !queue.isEmpty else { return }
    teller = Task { @WebKitActor [weak self] in await self?.tellAtRest() }
  }

  private func tellAtRest() async {
    while !queue.isEmpty {
      guard await recorder.wait(until: { [self] in queue.isEmpty || hostRests() }) else { break }
      while !queue.isEmpty, hostRests() { queue.next().forEach(tell) }
      recorder.wakeWaiters()
    }
    teller = nil
    recorder.wakeWaiters()
  }

  private func tell(_ report: PageReport) {
    log(report)
    report.consequence?()
  }

  private func log(_ report: PageReport) {
    guard report.isLogged else { return }
    recorder.record(report.source, report.name, report.detail, at: report.time)
  }
}

/// What the log says of something a page did, and what it leads to once it is told.
@WebKitActor struct PageReport {
  let source: Event.Source
  let name: String
  let detail: JSONValue
  /// When it happened, in the log's milliseconds.
  let time: Double
  /// What the host does about it.
  let consequence: (() -> Void)?
  /// False for what a page of Galley's own reports, of which only the consequences are told.
  var isLogged = true
}

extension SourcePlace {
  /// Where an error was thrown, as its detail in the log has it.
  init(of detail: JSONValue) {
    self.init(
      file: detail["file"]?.string ?? "", line: detail["line"]?.number ?? 0, column: detail["column"]?.number ?? 0,
      text: detail.text)
  }
}

/// Holds the creative's commands back while a transition or a picture is under way, so that every state is pictured.
@WebKitActor final class CommandGate {
  private var holds = 0
  private var waiting: [() -> Void] = []
  /// Commands of a page that calls for ever are dropped beyond this.
  private static let capacity = 1_000

  var isHeld: Bool { holds > 0 }

  var isOpen: Bool { holds == 0 && waiting.isEmpty }

  /// Runs `command` now, or after those waiting once nothing holds it back.
  func pass(_ command: @escaping () -> Void) {
    if isOpen { command() } else if waiting.count < Self.capacity { waiting.append(command) }
  }

  func hold() { holds += 1 }

  func release() {
    holds -= 1
    while holds == 0, !waiting.isEmpty { waiting.removeFirst()() }
  }
}
