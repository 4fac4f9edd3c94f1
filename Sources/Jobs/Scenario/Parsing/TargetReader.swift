internal import MRAID

/// Reads where a finger goes: a selector or a point.
enum TargetReader {
  /// A selector, or `{selector: …}`, or `{x: …, y: …}`.
  static func target(_ value: YAMLNode, _ what: String) throws(Fault) -> Scenario.Target {
    guard value.isMapping else {
      guard case .string = value.scalar else {
        throw value.fault("\(what) needs a selector in quotes or {x: 10, y: 20}, found \(value.kind)")
      }
      return .selector(try selector(value))
    }
    let members = try value.members(of: what, allowed: ["x", "y", "selector"])
    if let node = members["selector"] {
      guard members.count == 1 else { throw value.fault("\(what) takes a selector or a point, not both") }
      return .selector(try selector(node))
    }
    guard let x = members["x"], let y = members["y"] else { throw value.fault("\(what) needs both x and y") }
    return .point(Point(x: try x.number("x", in: 0...10_000), y: try y.number("y", in: 0...10_000)))
  }

  /// `{from: …, to: …}`, or `{over: …, direction: …}`
  static func swipe(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    let members = try value.members(of: "swipe", allowed: ["from", "to", "over", "direction"])
    if let over = members["over"], let direction = members["direction"], members.count == 2 {
      return .swipeOver(try selector(over), try direction.choice(SwipeDirection.self, "direction"))
    }
    guard let from = members["from"], let to = members["to"], members.count == 2 else {
      throw value.fault("swipe needs from and to, or over and direction")
    }
    return .swipe(from: try target(from, "from"), to: try target(to, "to"))
  }

  /// `{option: …, from: …}`; the option as it reads.
  static func choosing(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    let members = try value.members(of: "choose", allowed: ["option", "from"])
    guard let option = members["option"], let from = members["from"] else {
      throw value.fault("choose needs option and from")
    }
    return .choose(option: try keys(option, "option"), from: try target(from, "from"))
  }

  /// Text, or `{text: …, into: …}`; digits and other plain words are typed as they stand.
  static func typing(_ value: YAMLNode) throws(Fault) -> Scenario.Action {
    guard value.isMapping else { return .type(text: try keys(value, "type"), into: nil) }
    let members = try value.members(of: "type", allowed: ["text", "into"])
    guard let text = members["text"] else { throw value.fault("type needs text") }
    let into = try members["into"].map { node throws(Fault) in try target(node, "into") }
    return .type(text: try keys(text, "text"), into: into)
  }

  private static func keys(_ value: YAMLNode, _ what: String) throws(Fault) -> String {
    guard let text = value.text else { throw value.fault("\(what) must be text, found \(value.kind)") }
    guard (1...1000).contains(text.count) else { throw value.fault("\(what) must have 1 to 1000 characters") }
    return text
  }

  static func selector(_ value: YAMLNode) throws(Fault) -> String {
    let selector = try value.string("selector")
    guard selector.contains(where: { !$0.isWhitespace }) else { throw value.fault("selector is empty") }
    return selector
  }
}
