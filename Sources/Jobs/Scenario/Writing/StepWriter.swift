internal import Core
internal import MRAID

/// Writes one step on one line.
enum StepWriter {
  /// What follows the dash; nil for a step that no file can hold.
  static func text(of action: Scenario.Action) -> String? {
    switch action {
    case .wait(let condition): "wait: \(text(of: condition))"
    case .tap(let target): "tap: \(text(of: target))"
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
    case .observe, .reach: nil
    }
  }

  /// A double-quoted YAML scalar; JSON's escapes are YAML's too.
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
