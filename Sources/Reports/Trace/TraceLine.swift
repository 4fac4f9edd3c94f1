internal import Core
internal import FoundationEssentials
internal import RenderModel

/// Lines of a trace for events and requests, and values that all lines share.
enum TraceLine {
  /// Id of the only page; `frame` is that of its only frame.
  static let page = "page@1"
  static let frame = "frame@1"
  /// Name of the scenario in viewers; they look for its file by the SHA-1 of that name.
  static let scenarioName = "scenario.yaml"
  static let scenarioFile = "resources/src@f69eef52f340e2f901d1d4a4fe8210dd743e2378.txt"
  /// Maximum line number of scenario steps that are shown.
  private static let mostLines = 20_000

  /// Returns a time in milliseconds on the trace's clock.
  ///
  /// It begins at 1, since viewers take 0 for an unknown time.
  static func time(_ t: Double) -> JSONValue { .number(1 + Timeline.time(t)) }

  /// Returns the line for console output, an exception or another event; nil for requests, which have their own lines.
  static func event(_ event: Event) -> JSONValue? {
    if event.isConsole { return console(event) }
    guard event.source != .network else { return nil }
    let isThrown = event.source == .page && event.isOne(of: [.exception, .rejection])
    return [
      "type": "event", "time": time(event.t), "class": isThrown ? "BrowserContext" : .string(event.source.rawValue),
      "method": isThrown ? "pageError" : .string(event.name),
      "params": isThrown ? ["error": ["error": thrown(event)]] : event.detail, "pageId": .string(page),
    ]
  }

  private static func thrown(_ event: Event) -> JSONValue {
    let message = event.detail["message"]?.string ?? event.name
    let place = [event.detail["file"]?.string, number(event, "line"), number(event, "column")].compactMap(\.self)
    return [
      "name": "Error", "message": .string(message),
      "stack": .string(message + (place.isEmpty ? "" : "\n    at \(place.joined(separator: ":"))")),
    ]
  }

  private static func console(_ event: Event) -> JSONValue {
    let level = event.detail["level"]?.string ?? "log"
    return [
      "type": "console", "time": time(event.t), "pageId": .string(page),
      "messageType": .string(level == "warn" ? "warning" : level),
      "text": .string(event.detail["text"]?.string ?? ""),
      "location": [
        "url": .string(event.detail["file"]?.string ?? ""), "lineNumber": event.detail["line"] ?? 0,
        "columnNumber": event.detail["column"] ?? 0,
      ],
    ]
  }

  private static func number(_ event: Event, _ key: String) -> String? { event.detail[key]?.number.map(\.plain) }

  /// Returns the line for a request with its time on the trace's clock; nil if it has no JSON form.
  static func request(_ request: NetworkRequest, began: Double) -> JSONValue? {
    let entry = HAREntry(request, page: page, began: began)
    guard let bytes = try? JSONText.bytes(entry), var members = JSONText.value(bytes)?.object else { return nil }
    members["_frameref"] = .string(frame)
    members["_monotonicTime"] = time(request.start)
    if var response = members["response"]?.object {
      response["_transferSize"] = .number(Double(max(0, request.bytes)))
      if let failure = request.failure { response["_failureText"] = .string(failure) }
      // Viewers take this, not 0, for a request that got no answer.
      if request.status == 0 { response["status"] = -1 }
      members["response"] = .object(response)
    }
    return ["type": "resource-snapshot", "snapshot": .object(members)]
  }

  /// Returns the steps at their lines, as far as the record has them; nil if there was no scenario.
  static func scenario(_ steps: [RenderRecord.Step]) -> String? {
    let known = steps.filter { (1...mostLines).contains($0.line) }
    guard let last = known.map(\.line).max() else { return nil }
    var lines = [String](repeating: "", count: last)
    for step in known {
      let text = "- " + ReportText.line(step.text)
      lines[step.line - 1] += lines[step.line - 1].isEmpty ? text : "  \(text)"
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension Event {
  /// Indicates if the event is console output of a page.
  var isConsole: Bool { source == .page && isNamed(.console) }
}
