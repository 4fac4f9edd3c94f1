internal import Core
internal import Device
internal import MRAID

/// Writes scenarios in the usual form: `ScenarioParser` reads the same steps back, except for their lines.
package enum ScenarioWriter {
  /// Text of a whole file, with the lines of `comment` at its top; without the steps of exploring.
  package static func text(of scenario: Scenario, comment: [String] = []) -> String {
    let head = comment.map { "# " + oneLine($0) + "\n" }.joined()
    let steps = scenario.steps.compactMap { StepWriter.text(of: $0.action) }
    guard scenario.placement != nil || scenario.consent != nil || scenario.omid != nil else {
      return head + steps.map { "- \($0)\n" }.joined()
    }
    var lines: [String] = []
    if let placement = scenario.placement {
      lines.append("placement: \(placement.kind.rawValue)")
      if placement.kind == .banner {
        if let size = placement.size { lines.append("size: \(size)") }
        if placement.position != .center { lines.append("position: \(placement.position.rawValue)") }
      }
    }
    if let consent = scenario.consent { lines.append("consent: \(consent.rawValue)") }
    if let omid = scenario.omid { lines.append("omid: \(omid)") }
    lines.append(steps.isEmpty ? "steps: []" : "steps:")
    return head + (lines + steps.map { "  - \($0)" }).map { $0 + "\n" }.joined()
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

extension Scenario.Action {
  /// The step's text in a scenario; nil for a step that no file can contain.
  package var text: String? { StepWriter.text(of: self) }
}

/// Writes one step on one line.
enum StepWriter {
  /// The text after the dash; nil for a step that no file can contain.
  static func text(of action: Scenario.Action) -> String? {
    switch action {
    case .wait(let condition): "wait: \(text(of: condition))"
    case .tap(let target): "tap: \(text(of: target))"
    case .tapCovered(let selector): "tap: {selector: \(quoted(selector)), covered: true}"
    case .press(let target, let seconds): "press: {at: \(text(of: target)), seconds: \(seconds.plain)}"
    case .swipe(let from, let to): "swipe: {from: \(text(of: from)), to: \(text(of: to))}"
    case .swipeOver(let selector, let direction):
      "swipe: {over: \(quoted(selector)), direction: \(direction.rawValue)}"
    case .type(let text, nil): "type: \(quoted(text))"
    case .type(let text, let into?): "type: {text: \(quoted(text)), into: \(self.text(of: into))}"
    case .choose(let option, let from): "choose: {option: \(quoted(option)), from: \(self.text(of: from))}"
    case .close: "close"
    case .rotate(let orientation): "rotate: \(orientation.rawValue)"
    case .background: "background"
    case .foreground: "foreground"
    case .volume(let volume): "volume: \(volume.map(\.plain) ?? "null")"
    case .scroll(let offset): "scroll: \(offset.plain)"
    case .evaluate(let script): "evaluate: \(quoted(script))"
    case .screenshot(let name): "screenshot: \(quoted(name))"
    case .expect(let expectations): "expect: \(ExpectationWriter.text(of: expectations))"
    case .app(let event): text(of: event)
    case .observe, .reach, .play: nil
    }
  }

  /// A double-quoted YAML scalar; JSON's escapes are valid in YAML.
  static func quoted(_ text: String) -> String { JSONValue.string(text).text }

  private static func text(of target: Scenario.Target) -> String {
    switch target {
    case .selector(let selector): quoted(selector)
    case .point(let point): "{x: \(point.x.plain), y: \(point.y.plain)}"
    }
  }

  private static func text(of event: AppEvent) -> String {
    switch event {
    case .launch: "launch"
    case .days(let days): "advance: \(days.plain)d"
    case .update(let version): "update: \(quoted(version))"
    case .register(true): "register"
    case .register(false): "register: false"
    case .failNextRequest: "fail next request"
    case .offline: "offline"
    case .online: "online"
    }
  }

  private static func text(of wait: Scenario.WaitCondition) -> String {
    let timeout = wait.timeout == 5 ? "" : ", timeout: \(wait.timeout.plain)"
    return switch wait.condition {
    case .seconds(let seconds): seconds.plain
    case .state(let state): "{state: \(state.rawValue)\(timeout)}"
    case .visible(let selector): "{visible: \(quoted(selector))\(timeout)}"
    case .event(let name, count: 1): "{event: \(name)\(timeout)}"
    case .event(let name, let count): "{event: \(name), count: \(count)\(timeout)}"
    }
  }
}

/// Writes the expectations of an `expect` step as one mapping.
enum ExpectationWriter {
  /// Groups members of a kind, in the order in which the kinds first occur.
  static func text(of expectations: [Scenario.Expectation]) -> String {
    var members: [(kind: String, entries: [String])] = []
    for expectation in expectations {
      let (kind, entry) = entry(of: expectation)
      // A state is said once; of two the file can only hold the last.
      if let index = members.firstIndex(where: { $0.kind == kind }) {
        members[index].entries = kind == "state" ? [entry] : members[index].entries + [entry]
      } else {
        members.append((kind, [entry]))
      }
    }
    let texts = members.map { kind, entries in
      let all = entries.joined(separator: ", ")
      return switch kind {
      case "state": "state: \(all)"
      case "events": "events: [\(all)]"
      default: "\(kind): {\(all)}"
      }
    }
    return "{" + texts.joined(separator: ", ") + "}"
  }

  private static func entry(of expectation: Scenario.Expectation) -> (kind: String, entry: String) {
    switch expectation {
    case .state(let state): ("state", state.rawValue)
    case .event(let name, let count, let detail): ("events", event(name, count, detail))
    case .property(let path, let value): ("property", "\(path): \(value.text)")
    case .evaluate(let expression, let value): ("evaluate", "\(StepWriter.quoted(expression)): \(value.text)")
    }
  }

  private static func event(_ name: String, _ count: Int?, _ detail: JSONValue?) -> String {
    guard count != nil || detail != nil else { return name }
    var members = ["name: \(name)"]
    if let count { members.append("count: \(count)") }
    if let detail { members.append("detail: \(detail.text)") }
    return "{" + members.joined(separator: ", ") + "}"
  }
}
