internal import Core
internal import MRAID
internal import RenderModel

/// Actions in a trace viewer's list: the load, steps, pictures, the end, and calls below the action they belong to.
struct TraceActions {
  /// Actions in the order of their beginnings.
  private(set) var all: [TraceAction]

  init(record: RenderRecord, events: [Event], timeline: Timeline, store: inout TraceStore) {
    let load = Self.load(record, events, until: timeline.end)
    var roots = [load] + Self.steps(record, events)
    for (index, shot) in record.screenshots.enumerated() {
      let parent = roots.firstIndex { $0.method == "step" && $0.start <= shot.t && shot.t <= $0.end }
      if let parent {
        roots[parent].attachments += Self.files(of: shot, &store)
      } else {
        roots.append(Self.picture(shot, index, &store))
      }
    }
    roots.append(Self.end(record, at: timeline.end, &store))
    roots.sort { $0.start < $1.start }
    for index in roots.indices { roots[index].id = "call@\(index + 1)" }
    for event in events where event.source != .network && !event.isConsole {
      guard let owner = roots.lastIndex(where: { $0.start <= event.t }) else { continue }
      roots[owner].log.append(event)
    }
    let calls = Self.calls(events, below: roots)
    all = (roots + calls).enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
  }

  /// Lines of the trace file: each action begins, logs and ends.
  var lines: [JSONValue] { all.flatMap(\.lines) }

  private static func load(_ record: RenderRecord, _ events: [Event], until end: Double) -> TraceAction {
    let loaded = events.first { $0.source == .page && $0.isNamed(.loadFinished) }?.t
    var action = TraceAction(title: "Load \(ReportText.line(record.creative.path))", method: "load", start: 0)
    action.end = loaded ?? end
    action.params = [
      "device": .string(record.device.name), "container": record.container.map { .string($0) } ?? "standard",
    ]
    if let placement = record.placement {
      action.params["placement"] = .string(
        "\(placement.kind.rawValue) \(placement.width.plain)x\(placement.height.plain)")
    }
    return action
  }

  private static func steps(_ record: RenderRecord, _ events: [Event]) -> [TraceAction] {
    (record.steps ?? []).map { step in
      var action = TraceAction(title: ReportText.line(step.text), method: "step", start: step.start)
      action.end = max(step.start, step.end)
      action.line = step.line
      if let failure = step.failure {
        let ids = step.candidates.map { $0.isEmpty ? "" : "\nExisting ids: \($0.joined(separator: " "))" }
        action.failure = failure + (ids ?? "")
      }
      let touch = events.first {
        $0.source == .input && (step.start...action.end).contains($0.t) && $0.detail["x"]?.number != nil
      }
      if let touch, let x = touch.detail["x"]?.number, let y = touch.detail["y"]?.number { action.point = (x, y) }
      return action
    }
  }

  private static func picture(
    _ shot: RenderRecord.Screenshot, _ index: Int, _ store: inout TraceStore
  ) -> TraceAction {
    var action = TraceAction(title: "Screenshot \(ReportText.line(shot.name))", method: "picture", start: shot.t)
    action.params = ["state": .string(shot.state.rawValue)]
    action.attachments = files(of: shot, &store)
    action.shows = index
    return action
  }

  /// Returns the action for the end of the render, with its outcome and the documents it wrote.
  private static func end(_ record: RenderRecord, at end: Double, _ store: inout TraceStore) -> TraceAction {
    var action = TraceAction(title: "End: \(record.outcome.rawValue)", method: "end", start: end)
    // A step that failed tells it better.
    if record.outcome != .completed, record.steps?.contains(where: { $0.failure != nil }) != true {
      action.failure = record.message ?? record.outcome.rawValue
    }
    for (name, type) in [
      ("result.json", "application/json"), ("events.ndjson", "application/x-ndjson"),
      (Measurements.fileName, "application/json"), ("filmstrip.png", "image/png"),
    ] {
      if let file = store.take(name) { action.attachments.append((name, type, file)) }
    }
    return action
  }

  private static func files(
    of shot: RenderRecord.Screenshot, _ store: inout TraceStore
  ) -> [TraceAction.Attachment] {
    [(shot.path, shot.name), (shot.pathOfAd, "\(shot.name)-ad")].compactMap { path, name in
      store.take(path).map { ("\(ReportText.line(name)).png", "image/png", $0) }
    }
  }

  private static func calls(_ events: [Event], below roots: [TraceAction]) -> [TraceAction] {
    events.filter { $0.source == .creative }.map { event in
      let words = event.detail["arguments"]?.array?.map(\.text).joined(separator: ", ") ?? ""
      var action = TraceAction(
        title: ReportText.cut(ReportText.line("mraid.\(event.name)(\(words))"), to: 200), method: event.name,
        start: event.t)
      action.id = "call@e\(event.seq)"
      action.isCall = true
      action.params = event.detail.object ?? [:]
      action.isQuestion = !event.isEffect
      action.parent = roots.last { $0.start <= event.t && event.t <= $0.end }?.id
      return action
    }
  }
}

/// Entry of a viewer's list.
struct TraceAction {
  /// Attached file: its name, its type, and its file name among the resources.
  typealias Attachment = (name: String, type: String, file: String)

  let title: String
  let method: String
  let start: Double
  var id = ""
  var end: Double
  var parent: String?
  var params: [String: JSONValue] = [:]
  /// Events logged during the action.
  var log: [Event] = []
  var attachments: [Attachment] = []
  var failure: String?
  /// Position of the touch in dips; nil for none.
  var point: (x: Double, y: Double)?
  /// Line of the scenario; nil for actions that aren't steps.
  var line: Int?
  /// Index in the record of the picture that the action shows; nil for none.
  var shows: Int?
  /// Indicates if the action is a call of the creative.
  ///
  /// A call takes no time, and has the picture of the action it belongs to.
  var isCall = false
  /// Indicates if the call only reads a value; viewers hide such calls by default.
  var isQuestion = false

  init(title: String, method: String, start: Double) {
    (self.title, self.method, self.start, end) = (title, method, start, start)
  }

  /// Returns the name of the action's snapshot for a phase.
  func snapshot(_ phase: TracePhase) -> String { "\(phase.rawValue)@\(id)" }
}

/// Phase of an action that a snapshot shows.
enum TracePhase: String, CaseIterable {
  case before, input, after
}

extension TraceAction {
  fileprivate var lines: [JSONValue] {
    var lines = [begin]
    if let point {
      lines.append([
        "type": "input", "callId": .string(id), "inputSnapshot": .string(snapshot(.input)),
        "point": ["x": .number(point.x), "y": .number(point.y)],
      ])
    }
    lines += log.map { event -> JSONValue in
      [
        "type": "log", "callId": .string(id), "time": TraceLine.time(event.t),
        "message": .string(
          [event.source.rawValue, event.name, EventDetail.text(event.detail)].filter { !$0.isEmpty }
            .joined(separator: " ")),
      ]
    }
    return lines + [finish]
  }

  private var begin: JSONValue {
    var members: [String: JSONValue] = [
      "type": "before", "callId": .string(id), "stepId": .string(id), "startTime": TraceLine.time(start),
      "title": .string(title), "class": isCall ? "Creative" : "Galley",
      "method": .string(method), "params": .object(params), "pageId": .string(TraceLine.page),
    ]
    if let parent { members["parentId"] = .string(parent) }
    if isQuestion { members["group"] = "getter" }
    if !isCall { members["beforeSnapshot"] = .string(snapshot(.before)) }
    if let line {
      members["stack"] = [["file": .string(TraceLine.scenarioName), "line": .number(Double(line)), "column": 1]]
    }
    return .object(members)
  }

  private var finish: JSONValue {
    var members: [String: JSONValue] = [
      "type": "after", "callId": .string(id), "endTime": TraceLine.time(end),
    ]
    if !isCall { members["afterSnapshot"] = .string(snapshot(.after)) }
    if let failure { members["error"] = ["name": "Error", "message": .string(failure)] }
    if !attachments.isEmpty {
      members["attachments"] = .array(
        attachments.map { ["name": .string($0.name), "contentType": .string($0.type), "sha1": .string($0.file)] })
    }
    return .object(members)
  }
}
