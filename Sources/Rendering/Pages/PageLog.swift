internal import AdManager
internal import Core
internal import RenderModel
internal import WebKitRuntime

/// Logs what pages do, in an order that doesn't depend on the machine.
///
/// A page's tasks race with the host: which of them runs first is chance. So what a page does by itself while the host
/// is busy is told, and acted upon, when the host rests again; what answers an event of the host's, and what is done
/// while the document loads, is told at once.
@WebKitActor final class PageLog {
  private let recorder: Recorder
  /// Whether nothing of the host's is under way.
  var hostRests: () -> Bool = { true }
  private var waiting: [PageEvent] = [] {
    didSet { if waiting.isEmpty { weight = 0 } }
  }
  private var uncaught: [PageEvent] = []
  /// Bytes that those which came since nothing waited hold on to, and the most they may.
  private var weight = 0
  private static let heaviest = 32 << 20
  /// Navigations that were stopped while documents load.
  private var stopped: [PageEvent] = []
  private var teller: Task<Void, Never>?

  init(recorder: Recorder) { self.recorder = recorder }

  var isEmpty: Bool { waiting.isEmpty }

  /// An event of a document that is still loading; errors wait for each other until `endLoad()` or another event.
  func addLoading(_ event: PageEvent) {
    if event.isUncaught {
      if uncaught.count < Recorder.capacity { uncaught.append(event) }
      return
    }
    guard !waiting.contains(where: { $0.page == event.page }) else { return add(event) }
    endLoad()
    tell(event)
  }

  /// A navigation that was stopped while its document loads: how far the load has come is chance, and it goes on.
  func addStopped(_ event: PageEvent) {
    if stopped.count < Recorder.capacity { stopped.append(event) }
  }

  /// A document's load is over: what it was stopped from is the first that it does by itself.
  func settleLoad() {
    endLoad()
    waiting.insert(contentsOf: stopped, at: 0)
    stopped = []
    tellLater()
  }

  /// Tells the errors of a document that has loaded.
  func endLoad() {
    let run = uncaught.inOrderOfPlaces()
    uncaught = []
    run.forEach(tell)
  }

  /// A document goes on to another before the ad is loaded: it won't be shown, and what it did is behind it.
  func addDeparture(_ event: PageEvent) {
    endLoad()
    for event in takeRest() + [event] { tell(event) }
  }

  /// An event that the host brought about.
  func addAnswer(_ event: PageEvent) { tell(event) }

  /// An event of the page's own making.
  func add(_ event: PageEvent) {
    if waiting.isEmpty, hostRests() { return tell(event) }
    guard waiting.count < Recorder.capacity, weight + event.weight <= Self.heaviest else { return }
    weight += event.weight
    waiting.append(event)
    tellLater()
  }

  /// Logs what is left and acts on none of it: the render is over.
  func close() {
    endLoad()
    for event in takeRest() { log(event) }
    recorder.wakeWaiters()
  }

  private func tellLater() {
    guard teller == nil, !waiting.isEmpty else { return }
    teller = Task { @WebKitActor [weak self] in await self?.tellAtRest() }
  }

  private func takeRest() -> [PageEvent] {
    defer { (waiting, stopped) = ([], []) }
    return waiting + stopped
  }

  private func tellAtRest() async {
    while !waiting.isEmpty {
      guard await recorder.wait(until: { [self] in waiting.isEmpty || hostRests() }) else { break }
      while !waiting.isEmpty, hostRests() { tellNext() }
      recorder.wakeWaiters()
    }
    teller = nil
    recorder.wakeWaiters()
  }

  /// Tells the next event, or all the errors that come next.
  private func tellNext() {
    let run = waiting.prefix(while: \.isUncaught)
    guard run.isEmpty else {
      waiting.removeFirst(run.count)
      return Array(run).inOrderOfPlaces().forEach(tell)
    }
    tell(waiting.removeFirst())
  }

  private func tell(_ event: PageEvent) {
    log(event)
    event.consequence?()
  }

  private func log(_ event: PageEvent) {
    guard event.isLogged else { return }
    recorder.record(event.source, event.name, event.detail, at: event.time)
  }
}

/// Something a page did, and what it leads to once it is told.
@WebKitActor struct PageEvent {
  let page: AdViewID
  let source: Event.Source
  let name: String
  let detail: JSONValue
  /// When it happened, in the log's milliseconds.
  let time: Double
  /// Bytes that it holds on to until it is told, at the most.
  var weight = 0
  /// What the host does about it.
  let consequence: (() -> Void)?
  /// False for what a page of Galley's own reports, of which only the consequences are told.
  var isLogged = true

  /// Whether it is an error that nobody caught. Each ends a task of its own, and which task runs first is a race.
  var isUncaught: Bool { source == .page && (name == "exception" || name == "rejection") && detail["listener"] == nil }
}

extension [PageEvent] {
  /// By their place in the source, then by what they say; rejections have no place and stand first.
  @WebKitActor func inOrderOfPlaces() -> [PageEvent] {
    sorted { one, other in
      let (first, second) = (one.detail, other.detail)
      return (first["file"]?.string ?? "", first["line"]?.number ?? 0, first["column"]?.number ?? 0, first.text)
        < (second["file"]?.string ?? "", second["line"]?.number ?? 0, second["column"]?.number ?? 0, second.text)
    }
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
