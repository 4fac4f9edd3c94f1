internal import Core
internal import MRAID

/// Reads what a `wait` step ends on.
enum WaitReader {
  /// Seconds a wait for time itself may take beyond what it asks for.
  private static let slack = 5.0

  /// A number of seconds, or a mapping of one condition with its options.
  static func condition(_ value: YAMLNode) throws(Fault) -> Scenario.WaitCondition {
    guard value.isMapping else {
      guard case .number = value.scalar else {
        throw value.fault("wait takes {event: …}, {state: …}, {visible: …}, {seconds: …} or a number of seconds")
      }
      return pause(try value.seconds("wait"))
    }
    let members = try value.members(of: "wait", allowed: ["event", "state", "visible", "seconds", "count", "timeout"])
    let kinds = ["event", "state", "visible", "seconds"].filter { members[$0] != nil }
    guard kinds.count == 1 else {
      throw value.fault("wait needs exactly one of event, state, visible and seconds")
    }
    if kinds != ["event"], let count = members["count"] { throw count.fault("count goes with event") }
    if let seconds = members["seconds"] {
      if let timeout = members["timeout"] { throw timeout.fault("timeout goes with event, state or visible") }
      return pause(try seconds.seconds("seconds"))
    }
    let timeout = try members["timeout"]?.seconds("timeout") ?? 5
    if let state = members["state"] {
      return Scenario.WaitCondition(.state(try state.choice(MRAIDState.self, "state")), timeout: timeout)
    }
    if let visible = members["visible"] {
      return Scenario.WaitCondition(.visible(try TargetReader.selector(visible)), timeout: timeout)
    }
    let name = try members["event"]?.eventName() ?? ""
    let count = try members["count"]?.count(from: 1) ?? 1
    return Scenario.WaitCondition(.event(name, count: count), timeout: timeout)
  }

  /// An amount of time to let pass: `2.5s` or a number of seconds for the page, `5d` for the app's history.
  static func passing(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    if let text = value.text, text.hasSuffix("d"), let days = Double(text.dropLast()) {
      guard days > 0, days <= 10_000 else {
        throw value.fault("advance must be more than 0 and at most 10000 days, found \(text)")
      }
      return .app(.days(days))
    }
    guard let text = value.text, text.hasSuffix("s"), let number = Double(text.dropLast()) else {
      return .wait(pause(try value.seconds("advance")))
    }
    guard number > 0, number <= 60 else {
      throw value.fault("advance must be more than 0 and at most 60 seconds, found \(text)")
    }
    return .wait(pause(number))
  }

  private static func pause(_ seconds: Double) -> Scenario.WaitCondition {
    Scenario.WaitCondition(.seconds(seconds), timeout: seconds + slack)
  }
}
