package import Core
package import Exploration
internal import MRAID
package import RenderModel

/// All data about one creative on one device that checks may use.
package struct CheckContext: Sendable {
  package var record: RenderRecord
  /// Events: first the render's own log, then the events of each act tried by the exploration.
  package var journeys: [Journey]
  /// Files of the creative; nil if they can't be read, as at an address.
  package var inventory: Inventory?
  /// Behaviour of the idle ad after the time that the other checks judge; nil if it wasn't observed.
  package var late: LateBehaviour?
  /// Findings of the exploration; nil if there was none.
  package var exploration: ExploredStates?
  /// Measurements of the render; nil if it ended before them.
  package var measurements: Measurements?
  /// Results of renders without one of the ad's hosts each; nil if none were made.
  package var outages: [Outage]?
  /// Indicates if this machine reaches no network at all, which isn't the ad's fault.
  package var isMachineOffline = false
  /// Networks whose rules are applied.
  package var profiles: [Profile]
  /// Reasons for which requests were blocked, by address, in the log's words.
  private(set) var refusals: [String: String] = [:]

  package init(
    record: RenderRecord, journeys: [Journey] = [], inventory: Inventory? = nil, exploration: ExploredStates? = nil,
    measurements: Measurements? = nil, profiles: [Profile] = []
  ) {
    self.record = record
    self.journeys = journeys
    self.inventory = inventory
    self.exploration = exploration
    self.measurements = measurements
    self.profiles = profiles
    for journey in journeys { takeRefusals(of: journey.events) }
    takeLateEvents(of: measurements)
  }

  /// The render's own log, as in `events.ndjson`.
  package var events: [Event] { journeys.first?.events ?? [] }
}

extension CheckContext {
  /// An event and the act that led to it.
  package struct Met: Sendable {
    package let event: Event
    /// Act that was tried; nil for the render itself.
    package let action: String?

    /// Number of the event in the render's own log; nil for events of the exploration.
    package var seq: Int? { action == nil ? event.seq : nil }
    /// Text for messages, as `, after tap #expand`; empty for the render itself.
    package var way: String { action.map { ", after \($0)" } ?? "" }

    /// Returns a member of the event's detail as text; a dash if it is missing.
    package func text(_ member: String) -> String { event.detail[member]?.plain ?? "–" }
  }

  /// Returns the events of a source that have one of the names, from all journeys.
  package func events(_ source: Event.Source, _ names: Event.Name...) -> [Met] { events(source, names) }

  /// Returns the events of a source that have one of the names in a list.
  package func events(_ source: Event.Source, _ names: [Event.Name]) -> [Met] {
    let names = Set(names)
    return journeys.flatMap { journey in
      journey.events.filter { $0.source == source && $0.isOne(of: names) }.map {
        Met(event: $0, action: journey.action)
      }
    }
  }

  /// Events that led out of the ad or tried to, from all journeys, with their addresses.
  package var waysOut: [(met: Met, address: String)] {
    let called: [(met: Met, address: String)] = events(.creative, .open).map { met in
      (met, met.event.detail["arguments"]?[0]?.string ?? "")
    }
    let left =
      events(.host, .open) + events(.page, .popup, .navigation).filter(\.event.leadsOut) + storesOpened
    let led: [(met: Met, address: String)] = left.compactMap { met in
      met.event.detail["url"]?.string.map { (met, $0) }
    }
    return called + led
  }

  /// Indicates if the ad led out of itself or tried to, if only by a store call without an address.
  var hasLedOut: Bool { !waysOut.isEmpty || !storesOpened.isEmpty }

  /// Calls for the store that were clicks, from all journeys; a call that the network ignored isn't.
  var storesOpened: [Met] {
    var opened: [Met] = []
    for met in events(.playable, .storeOpened, .ignored) {
      if !met.event.isNamed(.ignored) {
        opened.append(met)
      } else if let last = opened.lastIndex(where: { $0.event.detail["call"] == met.event.detail["call"] }) {
        opened.remove(at: last)
      }
    }
    return opened
  }

  /// Addresses of web sockets that scripts opened at any time; the engine doesn't report them as requests.
  package var sockets: [String] { events(.page, .socket).compactMap { $0.event.detail["url"]?.string } }

  /// Returns an issue for each event with a new subject; later events with the same subject are left out.
  package func issues(
    on met: [Met], subject: (Met) -> String, message: (Met) -> String
  ) -> [CheckIssue] {
    var known: Set<String> = []
    return met.compactMap { met in
      let name = subject(met)
      guard known.insert(name).inserted else { return nil }
      return CheckIssue(message(met) + met.way, subject: name, event: met.seq, screenshot: picture(of: met))
    }
  }

  /// Returns the screenshot for an event: the next one taken, or else the last.
  package func picture(of met: Met) -> String? {
    guard let seq = met.seq else { return nil }
    let taken = events.filter { $0.source == .host && $0.isNamed(.screenshot) }
    return (taken.first { $0.seq > seq } ?? taken.last)?.detail["name"]?.string
  }

  /// Returns an issue for each anomaly of a kind; nil without an exploration.
  func odd(_ code: Anomaly.Code, message: (ExploredStates.Odd) -> String) -> [CheckIssue]? {
    exploration?.anomalies.filter { $0.code == code }.map { odd in
      CheckIssue(message(odd), subject: odd.action ?? odd.message)
    }
  }

  /// Indicates if a page was loaded that could be judged.
  var hasLoaded: Bool { !events.isEmpty }

  /// Indicates if the ad was touched by the exploration or a scenario; only then effects of touching are known.
  package var wasTouched: Bool { exploration != nil || !events(.input, .tap, .press, .swipe).isEmpty }

  /// Indicates if the creative calls MRAID, rather than being a plain HTML ad.
  package var usesMRAID: Bool {
    events.contains { $0.source == .creative } || journeys.contains { $0.events.contains { $0.source == .creative } }
  }
}

extension JSONValue {
  /// Text of a string as it is, of any other value as JSON.
  package var plain: String { string ?? text }
}

extension CheckContext {
  /// A request and the act that led to it.
  struct Request: Sendable {
    let resource: MeasuredResource
    /// Act that was tried; nil for the render itself.
    let action: String?

    /// Text for messages, as `, after tap #expand`; empty for the render itself.
    var way: String { action.map { ", after \($0)" } ?? "" }
  }

  /// All requests of the ad: those of the render itself, then new ones of other journeys, each address once.
  ///
  /// Requests of other journeys are taken from their logs; only `resources` are counted or weighed as a load.
  var requests: [Request] {
    let own = resources
    var known = Set(own.map(\.url))
    let others = journeys.dropFirst().flatMap { journey in
      wanted(Self.logged(in: journey.events)).map { Request(resource: $0, action: journey.action) }
    }
    return own.map { Request(resource: $0, action: nil) } + others.filter { known.insert($0.resource.url).inserted }
  }

  /// Requests of the render itself, measured or else from its log, without those that the host itself cancelled.
  package var resources: [MeasuredResource] { wanted(measurements?.resources ?? Self.logged(in: events)) }

  private func wanted(_ resources: [MeasuredResource]) -> [MeasuredResource] {
    resources.filter { $0.failure?.lowercased().contains("cancelled") != true || refusals[$0.url] != nil }
  }

  /// Returns the requests in a log, without `data:`, `blob:` and `about:`, which use no network.
  private static func logged(in events: [Event]) -> [MeasuredResource] {
    events.filter { $0.source == .network && $0.isNamed(.resource) }.map(resource)
      .filter { load in !["data:", "blob:", "about:"].contains { load.url.hasPrefix($0) } }
  }

  /// The initial load by each known boundary; without measurements only the window's load event is known.
  package var load: [LoadBoundary] {
    if let measurements { return measurements.load }
    let end = events.first { $0.source == .page && $0.isNamed(.loadFinished) }?.t
    return end.map { [LoadBoundary(kind: .windowLoad, t: $0, dividing: resources)] } ?? []
  }

  private static func resource(_ event: Event) -> MeasuredResource {
    let detail = event.detail
    let url = detail["url"]?.string ?? ""
    return MeasuredResource(
      url: url, origin: origin(of: url), status: Bounded.int(detail["status"]?.number ?? 0, in: 0...999),
      type: detail["type"]?.string ?? "", start: detail["timing"]?["start"]?.number ?? event.t,
      end: detail["timing"]?["end"]?.number ?? event.t,
      decoded: detail["bytes"]?.number.map { Bounded.int($0, in: 0...9_000_000_000_000_000) },
      failure: detail["failure"]?.string, redirects: detail["redirects"]?.array?.compactMap(\.string) ?? [])
  }

  private static func origin(of url: String) -> MeasuredResource.Origin {
    if MRAIDScriptRequest.matches(url) { return .container }
    return url.hasPrefix("creative:") ? .creative : .network
  }
}

extension CheckContext {
  /// A page and its document, which could be read.
  struct Read: Sendable {
    let page: PageAudit
    let document: DocumentAudit
  }

  /// Documents of the ad, one for each state; nil if none could be read.
  var documents: [Read]? {
    let read = (measurements?.pages ?? []).compactMap { page in page.document.map { Read(page: page, document: $0) } }
    return read.isEmpty ? nil : read
  }

  /// Returns one issue for each element that `elements` finds in any number of states; nil without documents.
  func issues(
    on elements: (Read) -> [DocumentAudit.Element], message: (DocumentAudit.Element, Read) -> String
  ) -> [CheckIssue]? {
    guard let documents else { return nil }
    var known: Set<String> = []
    return documents.flatMap { read in
      elements(read).filter { known.insert("\($0.kind) \($0.selector) \($0.text)").inserted }.map { element in
        var issue = CheckIssue(message(element, read), subject: element.selector)
        issue.screenshot = read.page.screenshot
        return issue
      }
    }
  }
}

extension CheckContext {
  /// Adds the events of a render without the scenario that the creative brought along.
  package mutating func addUnsteered(_ events: [Event], late watch: LateWatch?) {
    let early = watch.map { watch in events.filter { $0.seq < watch.firstEvent } } ?? events
    journeys.append(Journey(action: "loading without its scenario", events: early))
    takeRefusals(of: events)
    guard late == nil, let watch else { return }
    late = LateBehaviour(watch: watch, events: events.filter { $0.seq >= watch.firstEvent }, isOfOwnLog: false)
  }
}

/// Events of one way through the creative.
package struct Journey: Hashable, Sendable {
  /// Act that was tried, as `tap #expand`; nil for the render itself.
  package var action: String?
  /// Events of the act; of those on the way to its state only the requests.
  package var events: [Event]

  package init(action: String? = nil, events: [Event]) {
    self.action = action
    self.events = events
  }
}

/// Behaviour of an ad that was left alone.
package struct LateBehaviour: Hashable, Sendable {
  package var watch: LateWatch
  package var events: [Event]
  /// Indicates if the events have their numbers in the render's own log.
  package var isOfOwnLog: Bool

  package init(watch: LateWatch, events: [Event] = [], isOfOwnLog: Bool = true) {
    (self.watch, self.events, self.isOfOwnLog) = (watch, events, isOfOwnLog)
  }
}

extension CheckContext {
  /// Stores the reasons for which requests were blocked.
  private mutating func takeRefusals(of events: [Event]) {
    for event in events where event.source == .network || event.isNamed(.addressRefused) {
      guard let url = event.detail["url"]?.string else { continue }
      if let refusal = event.detail["refused"]?.string {
        refusals[url] = refusal
      } else if event.isNamed(.addressRefused), event.detail["reason"]?.string == CutOff.offline {
        refusals[url] = CutOff.offline
      }
    }
  }

  /// Moves late events out of the render's own log, which is judged as if the render had ended before them.
  private mutating func takeLateEvents(of measurements: Measurements?) {
    guard let watch = measurements?.late, let own = journeys.first else { return }
    late = LateBehaviour(watch: watch, events: own.events.filter { $0.seq >= watch.firstEvent })
    journeys[0].events = own.events.filter { $0.seq < watch.firstEvent }
  }
}

/// Findings of an exploration that no single log has.
package struct ExploredStates: Sendable {
  /// An anomaly, as in `exploration.json`.
  package struct Odd: Hashable, Sendable {
    package var code: Anomaly.Code
    package var message: String
    /// Number of the state; nil while loading.
    package var state: Int?
    package var action: String?

    package init(_ code: Anomaly.Code, _ message: String, state: Int? = nil, action: String? = nil) {
      self.code = code
      self.message = message
      self.state = state
      self.action = action
    }
  }

  package var anomalies: [Odd]
  /// Snapshot of each state, in the order of discovery.
  package var states: [PageSnapshot]
  /// Indicates if all acts that were found were tried.
  package var isComplete: Bool
  /// Number of acts tried; `failures` is the number of those that ended before their effect could be seen.
  package var actions: Int
  package var failures: Int
  /// MRAID methods that the creative's files name, but no act has called.
  package var unreached: [String]
  /// Indicates if places whose texts differ, if only in numbers, were taken for one state.
  package var mergesNumbers: Bool

  package init(
    anomalies: [Odd] = [], states: [PageSnapshot] = [], isComplete: Bool = true, actions: Int = 0, failures: Int = 0,
    unreached: [String] = [], mergesNumbers: Bool = false
  ) {
    self.anomalies = anomalies
    self.states = states
    self.isComplete = isComplete
    self.actions = actions
    self.failures = failures
    self.unreached = unreached
    self.mergesNumbers = mergesNumbers
  }
}
