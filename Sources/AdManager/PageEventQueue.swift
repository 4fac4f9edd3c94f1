package import Device

/// Phase of a document's load, which decides if a page's events count as part of the load.
package enum LoadPhase: Hashable, Sendable {
  /// All events count as part of the load.
  case loading
  /// The tasks of the load event are done: only uncaught errors count, which the page may throw in its first frame.
  case drawing
  /// No event counts any more.
  case settled
}

/// Event of a page, with the facts that its place in the log depends on.
package struct PageEvent<Content> {
  package enum Kind: Hashable, Sendable {
    /// Error that was not caught. Each ends a task of its own, and the order of those tasks is a race.
    case uncaught(SourcePlace)
    /// The main frame navigates to another document.
    case departure
    /// Navigation that was stopped.
    case stopped
    case other
  }

  package let page: AdViewID
  package let kind: Kind
  /// Maximum number of bytes that the event holds until it is reported.
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

/// Place of an error in the page's sources; a rejection has no place and is sorted first.
package struct SourcePlace: Hashable, Comparable, Sendable {
  private let file: String
  private let line: Double
  private let column: Double
  /// Error message, which orders two errors of the same place.
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

/// Known state of a page at the time of its event.
package struct PageCircumstances: Hashable, Sendable {
  /// Indicates that the page answers an event of the host's.
  package var isAnswering: Bool
  package var loadPhase: LoadPhase
  /// Indicates that a bridge runs in the page, which makes it a part of the ad.
  package var isPart: Bool
  /// Indicates that the ad's load has ended.
  package var adIsLoaded: Bool

  package init(isAnswering: Bool = false, loadPhase: LoadPhase = .settled, isPart: Bool = true, adIsLoaded: Bool = true)
  {
    self.isAnswering = isAnswering
    self.loadPhase = loadPhase
    self.isPart = isPart
    self.adIsLoaded = adIsLoaded
  }
}

/// Puts the events of pages, and the actions that follow from them, into an order that doesn't depend on the machine.
///
/// A page's tasks race with the host, and their order is chance. So an event that a page starts itself while the host
/// is busy is reported, and acted on, once the host is idle again; an answer to the host's event, and an event during
/// the document's load, is reported at once. It is acted on when no transition or screenshot is in progress, ahead of
/// all events that aren't reported yet. Deliveries from the host to a page wait until the page has handled the earlier
/// ones.
package struct PageEventQueue<Content, Delivery> {
  package typealias PageEvent = AdManager.PageEvent<Content>

  private var waiting: [PageEvent] = [] {
    didSet { if waiting.isEmpty { weight = 0 } }
  }
  /// Errors of a loading document, which are held back and sorted until its load ends or another event occurs.
  private var uncaught: [PageEvent] = []
  /// Navigations that were stopped while documents loaded.
  private var stopped: [PageEvent] = []
  /// Bytes held by the events that were added since the queue was last empty.
  private var weight = 0
  /// Reported events that are still to be acted on, in the order in which they were reported.
  private var actions: [Content] = []
  /// Number of transitions and screenshots in progress.
  private var holds = 0
  /// Deliveries that wait for a page, by the page's number; no entry for a page that has handled all of them.
  private var deliveries: [Int: [Delivery]] = [:]
  /// Maximum number of events of each kind that are kept; the next constant limits their bytes.
  private let capacity: Int
  private static var heaviest: Int { 32 << 20 }
  /// Maximum number of waiting actions, for pages that call without end.
  private static var mostActions: Int { 1_000 }

  /// Creates a queue that keeps at most `capacity` events of each kind.
  package init(capacity: Int) { self.capacity = capacity }

  /// Indicates that no event waits for the host to become idle.
  package var isEmpty: Bool { waiting.isEmpty }

  /// Adds an event; returns the events to report at once because of it, in this order.
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

  /// Ends a document's load and returns its errors for reporting; the navigations stopped meanwhile come next.
  package mutating func settleLoad() -> [Content] {
    let errors = endLoad()
    waiting.insert(contentsOf: stopped, at: 0)
    stopped = []
    return errors
  }

  /// Returns the next event, or all the errors that are next in the queue; called while the host is idle.
  package mutating func next() -> [Content] {
    let errors = waiting.prefix { $0.place != nil }
    guard errors.isEmpty else {
      waiting.removeFirst(errors.count)
      return Self.inOrder(Array(errors))
    }
    return waiting.isEmpty ? [] : [waiting.removeFirst().content]
  }

  /// Indicates that a transition or a screenshot is in progress.
  package var isHeld: Bool { holds > 0 }

  /// Indicates that a reported event is acted on at once.
  package var isOpen: Bool { holds == 0 && actions.isEmpty }

  /// Notes that a transition or a screenshot begins.
  package mutating func hold() { holds += 1 }

  /// Notes that it has ended; the caller then gets the waiting actions from `nextAction`.
  package mutating func release() { holds -= 1 }

  /// Passes on a reported event to act on: returns it to act on now, or queues it and returns nil.
  package mutating func pass(_ content: Content) -> Content? {
    if isOpen { return content }
    if actions.count < Self.mostActions { actions.append(content) }
    return nil
  }

  /// Returns the next event to act on; nil if there is none or a transition or screenshot is in progress.
  package mutating func nextAction() -> Content? {
    holds == 0 && !actions.isEmpty ? actions.removeFirst() : nil
  }

  /// Indicates that the page has handled everything that was delivered to it.
  package func isIdle(_ page: Int) -> Bool { deliveries[page] == nil }

  /// Delivers something from the host to a page: returns it to deliver now, or queues it and returns nil.
  package mutating func hand(_ delivery: Delivery, to page: Int) -> Delivery? {
    guard deliveries[page] != nil else {
      deliveries[page] = []
      return delivery
    }
    deliveries[page]?.append(delivery)
    return nil
  }

  /// Notes that the page has handled its delivery and returns the next one; nil if none waits.
  package mutating func handled(by page: Int) -> Delivery? {
    guard let next = deliveries[page]?.first else {
      deliveries[page] = nil
      return nil
    }
    deliveries[page]?.removeFirst()
    return next
  }

  /// Returns all remaining events because the render is over.
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

  /// Sorts errors by their place in the source.
  private static func inOrder(_ errors: [PageEvent]) -> [Content] {
    errors.compactMap { error in error.place.map { (place: $0, content: error.content) } }
      .sorted { $0.place < $1.place }.map(\.content)
  }
}
