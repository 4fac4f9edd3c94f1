/// How far a document's load is, as to what counts as done by it.
package enum LoadPhase: Hashable, Sendable {
  /// Everything does.
  case loading
  /// The tasks of its load event are done: only errors do, which it may throw in its first frame.
  case drawing
  /// Nothing does.
  case settled
}

/// Something a page did, as far as its place in the log depends on it.
package struct PageEvent<Content> {
  package enum Kind: Hashable, Sendable {
    /// An error that nobody caught. Each ends a task of its own, and which task runs first is a race.
    case uncaught(SourcePlace)
    /// The main frame goes on to another document.
    case departure
    /// A navigation that was stopped.
    case stopped
    case other
  }

  package let page: AdViewID
  package let kind: Kind
  /// Bytes that it holds on to until it is told, at the most.
  package let weight: Int
  package let content: Content

  package init(page: AdViewID, kind: Kind, weight: Int = 0, content: Content) {
    self.page = page
    self.kind = kind
    self.weight = weight
    self.content = content
  }

  fileprivate var place: SourcePlace? { if case .uncaught(let place) = kind { place } else { nil } }
}

/// Where in its sources a page failed; a rejection has no place and stands first.
package struct SourcePlace: Hashable, Comparable, Sendable {
  private let file: String
  private let line: Double
  private let column: Double
  /// What the error says, where two are of the same place.
  private let text: String

  package init(file: String = "", line: Double = 0, column: Double = 0, text: String) {
    self.file = file
    self.line = line
    self.column = column
    self.text = text
  }

  package static func < (one: SourcePlace, other: SourcePlace) -> Bool {
    (one.file, one.line, one.column, one.text) < (other.file, other.line, other.column, other.text)
  }
}

/// What is known of a page when it does something.
package struct PageCircumstances: Hashable, Sendable {
  /// Whether it answers an event of the host's.
  package var isAnswering: Bool
  package var loadPhase: LoadPhase
  /// Whether a bridge runs in it: it is a part of the ad.
  package var isPart: Bool
  /// Whether the ad's load has ended.
  package var adIsLoaded: Bool

  package init(isAnswering: Bool = false, loadPhase: LoadPhase = .settled, isPart: Bool = true, adIsLoaded: Bool = true)
  {
    self.isAnswering = isAnswering
    self.loadPhase = loadPhase
    self.isPart = isPart
    self.adIsLoaded = adIsLoaded
  }
}

/// Puts what pages do, and what is done about it, in an order that doesn't depend on the machine.
///
/// A page's tasks race with the host: which of them runs first is chance. So what a page does by itself while the host
/// is busy is told, and acted upon, when the host rests again; what answers an event of the host's, and what is done
/// while the document loads, is told at once. It is acted upon once no transition and no picture is under way, ahead of
/// all that isn't told yet. What the host has for a page waits until the page has handled what came before.
package struct PageEventQueue<Content, Delivery> {
  package typealias PageEvent = AdManager.PageEvent<Content>

  private var waiting: [PageEvent] = [] {
    didSet { if waiting.isEmpty { weight = 0 } }
  }
  /// Errors of a loading document, which wait for each other until its load ends or something else happens.
  private var uncaught: [PageEvent] = []
  /// Navigations that were stopped while documents load.
  private var stopped: [PageEvent] = []
  /// Bytes that those which came since nothing waited hold on to.
  private var weight = 0
  /// What was told and is to be acted on, in the order of the telling.
  private var actions: [Content] = []
  /// Transitions and pictures under way.
  private var holds = 0
  /// What a page is handed next, by the page's number; nothing at all for one that has handled everything.
  private var deliveries: [Int: [Delivery]] = [:]
  /// The most that are kept, by number and by bytes.
  private let capacity: Int
  private static var heaviest: Int { 32 << 20 }
  /// Of a page that calls for ever no more than so many actions wait.
  private static var mostActions: Int { 1_000 }

  /// Keeps at most so many events of each kind.
  package init(capacity: Int) { self.capacity = capacity }

  /// Whether nothing waits for the host to rest.
  package var isEmpty: Bool { waiting.isEmpty }

  /// Takes an event in; what is to be told at once because of it, in this order.
  package mutating func add(
    _ event: PageEvent, of page: PageCircumstances, hostRests: Bool
  ) -> [Content] {
    if page.isAnswering { return [event.content] }
    switch event.kind {
    // It won't be shown, and what it did is behind it.
    case .departure where !page.adIsLoaded: return endLoad() + flushWhileIdle() + [event.content]
    // How far the load has come is chance, and it goes on.
    case .stopped where page.isPart && page.loadPhase != .settled:
      if stopped.count < capacity { stopped.append(event) }
      return []
    default: break
    }
    let isPartOfLoad = page.loadPhase == .loading || (page.loadPhase == .drawing && event.place != nil)
    return isPartOfLoad ? addLoading(event, hostRests: hostRests) : addOwn(event, hostRests: hostRests)
  }

  /// A document's load is over, with the errors of it that are to be told; what it was stopped from comes next.
  package mutating func settleLoad() -> [Content] {
    let errors = endLoad()
    waiting.insert(contentsOf: stopped, at: 0)
    stopped = []
    return errors
  }

  /// The next event, or all the errors that come next; asked for while the host rests.
  package mutating func next() -> [Content] {
    let errors = waiting.prefix { $0.place != nil }
    guard errors.isEmpty else {
      waiting.removeFirst(errors.count)
      return Self.inOrder(Array(errors))
    }
    return waiting.isEmpty ? [] : [waiting.removeFirst().content]
  }

  /// Whether a transition or a picture is under way.
  package var isHeld: Bool { holds > 0 }

  /// Whether what is told is acted on at once.
  package var isOpen: Bool { holds == 0 && actions.isEmpty }

  /// A transition or a picture begins.
  package mutating func hold() { holds += 1 }

  /// It is over; what waits is asked for by `nextAction`.
  package mutating func release() { holds -= 1 }

  /// What was told is to be acted on: now, or, when nothing comes back, once it is its turn.
  package mutating func pass(_ content: Content) -> Content? {
    if isOpen { return content }
    if actions.count < Self.mostActions { actions.append(content) }
    return nil
  }

  /// The next to be acted on; nil when there is none, or something holds it back.
  package mutating func nextAction() -> Content? {
    holds == 0 && !actions.isEmpty ? actions.removeFirst() : nil
  }

  /// Whether the page has handled all that it was handed.
  package func isIdle(_ page: Int) -> Bool { deliveries[page] == nil }

  /// The host has something for a page: it is handed over now, or, when nothing comes back, once it is its turn.
  package mutating func hand(_ delivery: Delivery, to page: Int) -> Delivery? {
    guard deliveries[page] != nil else {
      deliveries[page] = []
      return delivery
    }
    deliveries[page]?.append(delivery)
    return nil
  }

  /// The page has handled what it was handed; what it is handed next.
  package mutating func handled(by page: Int) -> Delivery? {
    guard let next = deliveries[page]?.first else {
      deliveries[page] = nil
      return nil
    }
    deliveries[page]?.removeFirst()
    return next
  }

  /// All that is left: the render is over.
  package mutating func close() -> [Content] { endLoad() + flushWhileIdle() }

  private mutating func addLoading(_ event: PageEvent, hostRests: Bool) -> [Content] {
    if event.place != nil {
      if uncaught.count < capacity { uncaught.append(event) }
      return []
    }
    if waiting.contains(where: { $0.page == event.page }) { return addOwn(event, hostRests: hostRests) }
    return endLoad() + [event.content]
  }

  private mutating func addOwn(_ event: PageEvent, hostRests: Bool) -> [Content] {
    if waiting.isEmpty, hostRests { return [event.content] }
    guard waiting.count < capacity, weight + event.weight <= Self.heaviest else { return [] }
    weight += event.weight
    waiting.append(event)
    return []
  }

  private mutating func endLoad() -> [Content] {
    defer { uncaught = [] }
    return Self.inOrder(uncaught)
  }

  private mutating func flushWhileIdle() -> [Content] {
    defer { (waiting, stopped) = ([], []) }
    return (waiting + stopped).map(\.content)
  }

  /// By their place in the source.
  private static func inOrder(_ errors: [PageEvent]) -> [Content] {
    errors.compactMap { error in error.place.map { (place: $0, content: error.content) } }
      .sorted { $0.place < $1.place }.map(\.content)
  }
}
