internal import Core
import Exploration
import MRAID
import RenderModel

/// Creative defined by a map: renders trials by walking it, and logs the events of a real render.
struct FakeCreative: Sendable {
  struct Room: Sendable {
    var state = MRAIDState.default
    var modals: [String] = []
    var text = ""
    var targets: [TapTarget] = []
    var surfaces: [SwipeSurface] = []
    var fields: [EntryField] = []
    /// Rooms to which taps lead, by selector; the host's close control is `close`.
    var ways: [String: String] = [:]
    /// Events that an action logs besides those of the move, by the same keys.
    var events: [String: [(Event.Source, String, JSONValue)]] = [:]
    /// Outcomes and faults that end the trial at an action.
    var failures: [String: (RenderRecord.Outcome, Fault)] = [:]
    var document: String? = "creative://ad/index.html"
    /// Indicates if the host's close control can be tapped; `closeFitsAway` applies on a journey.
    var closeFits = true
    var closeFitsAway = true
    /// Area of the picture that changes at any action.
    var changed: Rect?
    var rest = PageSnapshot.Rest.stable
  }

  var rooms: [String: Room]
  var milliseconds = 100.0

  /// Plays a trial's scenario from the room called `start`.
  func render(_ trial: Trial) -> TrialResult {
    var visit = Visit(room: "start")
    visit.log(.mraid, "stateChange", ["arguments": ["default"]])
    visit.log(.mraid, "ready")
    visit.transitions.append(RenderRecord.Transition(from: .loading, to: .default, t: 0, cause: "ready"))
    var failure: (RenderRecord.Outcome, Fault)?
    for step in trial.scenario(placement: nil).steps where failure == nil {
      failure = play(step.action, &visit)
    }
    var record = RenderRecord(
      creative: .init(path: "fake"), device: .init(name: "d", width: 1, height: 1, scale: 1, renderScale: 1),
      outcome: failure?.0 ?? .completed, failure: failure?.1, transitions: visit.transitions)
    record.timings = ["total": milliseconds]
    return TrialResult(trial: trial, record: record, events: visit.events, observations: visit.observations)
  }

  private func play(_ action: Scenario.Action, _ visit: inout Visit) -> (RenderRecord.Outcome, Fault)? {
    switch action {
    case .tap(.selector(let selector)):
      visit.log(.input, "tap", ["selector": .string(selector)])
      return act(selector, &visit)
    case .tap(.point(let point)):
      visit.log(.input, "tap", ["x": .number(point.x)])
      return act("\(point.x.plain),\(point.y.plain)", &visit)
    case .swipeOver(let selector, let direction):
      visit.log(.input, "swipe", ["selector": .string(selector)])
      return act("\(selector) \(direction.rawValue)", &visit)
    case .type(_, .selector(let selector)?), .choose(_, .selector(let selector)):
      visit.log(.input, "type")
      return act(selector, &visit)
    case .close:
      visit.log(.host, "close")
      return act("close", &visit)
    case .rotate, .scroll, .background, .foreground:
      visit.log(.host, "rotate")
      return act("journey", &visit)
    case .observe(let moment): visit.observations.append(observe(moment, visit))
    default: break
    }
    return nil
  }

  private func act(_ word: String, _ visit: inout Visit) -> (RenderRecord.Outcome, Fault)? {
    guard let room = rooms[visit.room] else { return nil }
    if let failure = room.failures[word] { return failure }
    for (source, name, detail) in room.events[word] ?? [] { visit.log(source, name, detail) }
    guard let name = room.ways[word], let next = rooms[name] else { return nil }
    if next.state != room.state {
      visit.log(.mraid, "stateChange", ["arguments": [.string(next.state.rawValue)]])
      visit.transitions.append(RenderRecord.Transition(from: room.state, to: next.state, t: 1, cause: word))
    }
    if next.modals.count > room.modals.count { visit.log(.modal, "push") }
    if next.modals.count < room.modals.count { visit.log(.modal, "popState") }
    visit.room = name
    return nil
  }

  private func observe(_ moment: String, _ visit: Visit) -> PageSnapshot {
    let room = rooms[visit.room] ?? Room()
    return PageSnapshot(
      moment: moment, state: room.state, modals: room.modals, document: room.document,
      close: room.modals.isEmpty ? nil : Rect(x: 0, y: 0, width: 50, height: 50),
      closeFits: moment == Trial.away ? room.closeFitsAway : room.closeFits, targets: room.targets,
      surfaces: room.surfaces, fields: room.fields,
      text: room.text, fingerprint: visit.room, picture: "001-\(moment)",
      changed: moment == Trial.after ? room.changed : nil, rest: room.rest, events: visit.events.count,
      transitions: visit.transitions.count)
  }
}

/// State of one walk through the map.
private struct Visit {
  var room: String
  var events: [Event] = []
  var observations: [PageSnapshot] = []
  var transitions: [RenderRecord.Transition] = []

  mutating func log(_ source: Event.Source, _ name: String, _ detail: JSONValue = .object([:])) {
    events.append(Event(seq: events.count, t: 0, source: source, name: name, detail: detail))
  }
}

extension TapTarget {
  /// Creates a button with a listener.
  static func button(
    _ selector: String, _ reasons: [String] = ["listener:click"], reach: Reach = .tappable, closes: Bool = false,
    within: String? = nil
  ) -> TapTarget {
    TapTarget(
      selector: selector, element: selector, reasons: reasons, reach: reach, closes: closes, coveredBy: "#lid",
      within: within)
  }
}

extension FakeCreative {
  /// Creates a game that counts its taps, and shows an end card after so many.
  static func game(taps: Int) -> FakeCreative {
    let names = ["start"] + (1..<taps).map { "\($0)" } + ["end"]
    let rounds = names.dropLast().enumerated().map { count, name in
      (name, Room(text: "\(count) of \(taps)", targets: [.button("#star")], ways: ["#star": names[count + 1]]))
    }
    let end = Room(text: "Well done", targets: [.button("#install")])
    return FakeCreative(rooms: Dictionary(uniqueKeysWithValues: rounds + [("end", end)]))
  }
}

extension FakeCreative {
  /// Explores the creative, with `atOnce` trials at a time, whose results come back in the order that `shuffle` gives.
  func explored(
    _ budget: Budget = Budget(), placement: Placement.Kind = .banner, atOnce: Int = 1,
    shuffle: ([TrialResult]) -> [TrialResult] = { $0 }
  ) -> Crawler {
    var crawler = Crawler(placement: placement, screen: Size(width: 390, height: 800), budget: budget)
    var waiting = [crawler.start()]
    while !waiting.isEmpty {
      let batch = waiting.prefix(atOnce)
      waiting.removeFirst(batch.count)
      for result in shuffle(batch.map(render)) { waiting += crawler.handleResult(result) }
    }
    return crawler
  }

  func exploration(
    _ budget: Budget = Budget(), files: String? = nil, placement: Placement.Kind = .banner
  ) -> Exploration {
    var vocabulary = MRAIDUsage()
    if let files { vocabulary.read(files) }
    return explored(budget, placement: placement).exploration(
      placement: Placement(kind: placement), vocabulary: files == nil ? nil : vocabulary)
  }

  /// A banner that expands, with a menu two taps deep and a browser behind it.
  static let menu = FakeCreative(rooms: [
    "start": Room(text: "Hello", targets: [.button("#open")], ways: ["#open": "expanded"]),
    "expanded": Room(
      state: .expanded, modals: ["expanded"], text: "Courses", targets: [.button("#sea"), .button("#dead")],
      ways: ["#sea": "sea", "close": "start"]),
    "sea": Room(
      state: .expanded, modals: ["expanded"], text: "Sea", targets: [.button("#crab"), .button("#back")],
      ways: ["#crab": "browser", "#back": "expanded", "close": "start"],
      events: ["#crab": [(.creative, "open", ["gesture": true, "arguments": ["https://a.example/"]])]]),
    "browser": Room(
      state: .expanded, modals: ["expanded", "browser"], text: "Sea", targets: [.button("#crab")],
      ways: ["close": "sea"]),
  ])
}

extension Exploration {
  /// Anomalies, each as `code in state: action`.
  var odd: [String] { anomalies.map { "\($0.code.rawValue) in \($0.state ?? 0): \($0.action ?? "–")" } }
}

extension Crawler {
  /// Edges, each as `1 tap #open 2`.
  var ways: [String] { edges.map { "\($0.from) \($0.act.label) \($0.to.map(String.init) ?? "failed")" } }
}
