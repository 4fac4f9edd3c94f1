internal import Core

/// Network that shows a playable: decides from the page's calls and the ad's life what the page is sent.
struct PlayableHost: Hashable, Sendable {
  let interface: PlayableInterface
  /// Moments and calls that have come.
  private var past: Set<String> = []
  /// Entries of `sends` that are sent no more.
  private var spent: Set<Int> = []

  init(_ interface: PlayableInterface) { self.interface = interface }

  /// Returns what the page is sent after one of its calls.
  mutating func called(_ call: PlayableCall, _ facts: AdFacts) -> [MRAIDEvent] {
    let sent = come(call.name, facts)
    return call.problem == nil ? sent : sent + come(PlayableSend.Moment.misuse.rawValue, facts, call)
  }

  /// Translates the standard's events of deliveries into what this network sends.
  mutating func translate(_ effects: [MRAIDEffect], _ facts: AdFacts) -> [MRAIDEffect] {
    var translated: [MRAIDEffect] = []
    for effect in effects {
      guard case .deliver(var update, let part) = effect else {
        translated.append(effect)
        continue
      }
      let moments = update.events.compactMap(PlayableSend.Moment.init(of:))
      update.events = []
      for moment in moments { update.events += come(moment.rawValue, facts) }
      if !update.events.isEmpty || !update.properties.isEmpty { translated.append(.deliver(update, to: part)) }
    }
    return translated
  }

  /// Records that a moment has come and returns what is sent because of it.
  private mutating func come(_ moment: String, _ facts: AdFacts, _ call: PlayableCall? = nil) -> [MRAIDEvent] {
    past.insert(moment)
    var events: [MRAIDEvent] = []
    for (number, send) in interface.sends.enumerated() where send.when.contains(moment) && !spent.contains(number) {
      guard past.isSuperset(of: send.when) else { continue }
      if send.once { spent.insert(number) }
      events.append(MRAIDEvent(send.name, send.arguments.map { facts.filling($0, of: call) }))
    }
    return events
  }
}

extension PlayableSend.Moment {
  /// Moment of one of the standard's events; nil for others.
  fileprivate init?(of event: MRAIDEvent) {
    switch event.name {
    case "ready": self = .ready
    case "viewableChange": self = event.arguments.first == true ? .shown : .hidden
    case "sizeChange": self = .resized
    case "audioVolumeChange": self = .volume
    case "stateChange" where event.arguments.first == "hidden": self = .closed
    default: return nil
    }
  }
}

extension AdFacts {
  /// Returns an argument of the data with the values of the ad and of a wrong call in place of its variables.
  fileprivate func filling(_ value: JSONValue, of call: PlayableCall?) -> JSONValue {
    switch value {
    case .string(let text):
      switch PlayableSend.Variable(rawValue: text) {
      case .width: .number(geometry.maxSize.width)
      case .height: .number(geometry.maxSize.height)
      case .volume: volume.map { .number($0) } ?? .null
      case .message: call?.problem.map { .string($0) } ?? .null
      case .action: call.map { .string($0.action) } ?? .null
      case nil: value
      }
    case .array(let values): .array(values.map { filling($0, of: call) })
    case .object(let members): .object(members.mapValues { filling($0, of: call) })
    case .null, .bool, .number: value
    }
  }
}
