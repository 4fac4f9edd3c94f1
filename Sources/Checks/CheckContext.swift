package import Core
package import Exploration
internal import MRAID
package import RenderModel

/// Everything that is known of one creative on one device: what checks look at, and all they look at.
package struct CheckContext: Sendable {
  package var record: RenderRecord
  /// What happened: the render's own log first, then what each thing tried while exploring brought.
  package var journeys: [Journey]
  /// The creative's files; nil when they can't be read, as at an address.
  package var inventory: Inventory?
  /// What exploring found; nil when nobody explored.
  package var exploration: ExploredStates?
  /// What the render measured; nil when it didn't get as far.
  package var measurements: Measurements?
  /// What became of the ad without each host that it asks; nil when nobody tried.
  package var outages: [Outage]?
  /// The networks whose rules to judge by.
  package var profiles: [Profile]

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
  }

  /// The render's own log, as `events.ndjson` has it.
  package var events: [Event] { journeys.first?.events ?? [] }
}

extension CheckContext {
  /// An event, and on which way it was met.
  package struct Met: Sendable {
    package let event: Event
    /// What was done: nil for the render itself.
    package let action: String?

    /// The event's number in the render's own log; nil for what only exploring met.
    package var seq: Int? { action == nil ? event.seq : nil }
    /// `, after tap #expand`
    package var way: String { action.map { ", after \($0)" } ?? "" }

    /// A member of the detail as people write it.
    package func text(_ member: String) -> String { event.detail[member]?.plain ?? "–" }
  }

  /// Events of a source and of any of the names, on every way.
  package func events(_ source: Event.Source, _ names: String...) -> [Met] { events(source, names) }

  /// The same for a list of names.
  package func events(_ source: Event.Source, _ names: [String]) -> [Met] {
    journeys.flatMap { journey in
      journey.events.filter { $0.source == source && names.contains($0.name) }.map {
        Met(event: $0, action: journey.action)
      }
    }
  }

  /// Every way that led out of the ad, or would have, and where to.
  package var waysOut: [(met: Met, address: String)] {
    events(.creative, "open").compactMap { met in met.event.detail["arguments"]?[0]?.string.map { (met, $0) } }
      + (events(.host, "open") + events(.page, "popup", "navigation").filter(\.leads)).compactMap { met in
        met.event.detail["url"]?.string.map { (met, $0) }
      }
  }

  /// Addresses that pages asked for on the ways that exploring tried, where nothing is measured.
  package var requestsWhileExploring: [String] {
    events(.network, "resource").filter { $0.action != nil }.compactMap { $0.event.detail["url"]?.string }
  }

  /// Web sockets that scripts opened, at any time; they are no requests that the engine tells of.
  package var sockets: [String] { events(.page, "socket").compactMap { $0.event.detail["url"]?.string } }

  /// A remark for each of what was met, and none for what only says the same again.
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

  /// The picture that shows the moment: the next one taken, or else the last.
  package func picture(of met: Met) -> String? {
    guard let seq = met.seq else { return nil }
    let taken = events.filter { $0.source == .host && $0.name == "screenshot" }
    return (taken.first { $0.seq > seq } ?? taken.last)?.detail["name"]?.string
  }

  /// A remark for each anomaly of a kind; nil when nobody explored.
  func odd(_ code: Anomaly.Code, message: (ExploredStates.Odd) -> String) -> [CheckIssue]? {
    exploration?.anomalies.filter { $0.code == code }.map { odd in
      CheckIssue(message(odd), subject: odd.action ?? odd.message)
    }
  }

  /// Whether a page was there to misbehave.
  var hasLoaded: Bool { !events.isEmpty }

  /// Whether somebody touched the ad: only then can be said what touching leads to.
  package var wasTouched: Bool { exploration != nil || !events(.input, "tap", "swipe").isEmpty }

  /// Whether the creative uses MRAID at all, rather than being a plain HTML ad.
  package var usesMRAID: Bool {
    events.contains { $0.source == .creative } || journeys.contains { $0.events.contains { $0.source == .creative } }
  }
}

extension CheckContext.Met {
  /// Whether a window or navigation was to lead out of the ad.
  fileprivate var leads: Bool { event.name == "popup" || event.detail["allowed"]?.bool == false }
}

extension JSONValue {
  /// Text as it is, everything else as JSON.
  package var plain: String { string ?? text }
}

extension CheckContext {
  /// What the ad asked for: as measured, else as the render's log has it; without what the host itself stopped.
  package var resources: [MeasuredResource] {
    let all = measurements?.resources ?? logged
    return all.filter { $0.failure?.lowercased().contains("cancelled") != true }
  }

  /// What of the log is a request: data in an address is part of the file that it is written in.
  private var logged: [MeasuredResource] {
    events.filter { $0.source == .network && $0.name == "resource" }.map(Self.resource)
      .filter { load in !["data:", "blob:", "about:"].contains { load.url.hasPrefix($0) } }
  }

  /// The initial load by each boundary that is known; without measurements only the window's load event is.
  package var load: [LoadBoundary] {
    if let measurements { return measurements.load }
    let end = events.first { $0.source == .page && $0.name == "loadFinished" }?.t
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
  /// A page that answered.
  struct Read: Sendable {
    let page: PageAudit
    let document: DocumentAudit
  }

  /// The ad's documents, one a state; nil when none could be asked.
  var documents: [Read]? {
    let read = (measurements?.pages ?? []).compactMap { page in page.document.map { Read(page: page, document: $0) } }
    return read.isEmpty ? nil : read
  }

  /// A remark for each element that `elements` finds, and only one however many states show it.
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

/// What was logged on one way through the creative.
package struct Journey: Hashable, Sendable {
  /// What was done: `tap #expand`; nil for the render itself.
  package var action: String?
  /// The events it brought; those on the way to where it began are left out.
  package var events: [Event]

  package init(action: String? = nil, events: [Event]) {
    self.action = action
    self.events = events
  }
}

/// What exploring found that no single log tells.
package struct ExploredStates: Sendable {
  /// Something odd, as `exploration.json` has it.
  package struct Odd: Hashable, Sendable {
    package var code: Anomaly.Code
    package var message: String
    /// The state's number, nil while loading.
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
  /// What stood on the screen in each state, in the order they were found.
  package var states: [PageSnapshot]
  /// Whether everything that was found was tried.
  package var isComplete: Bool

  package init(anomalies: [Odd] = [], states: [PageSnapshot] = [], isComplete: Bool = true) {
    self.anomalies = anomalies
    self.states = states
    self.isComplete = isComplete
  }
}
