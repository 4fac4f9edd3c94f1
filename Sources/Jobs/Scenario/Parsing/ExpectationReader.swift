internal import MRAID

/// Reads an `expect` step into single expectations, in the file's order.
enum ExpectationReader {
  private static let kinds = ["state", "event", "events", "property", "evaluate"]

  /// Every member of the mapping, lists unfolded.
  static func expectations(_ value: YAMLNode) throws(Fault) -> [Scenario.Expectation] {
    _ = try value.members(of: "expect", allowed: kinds)
    var expectations: [Scenario.Expectation] = []
    for (key, _, node) in try value.pairs(of: "expect") {
      switch key {
      case "state": expectations.append(.state(try node.choice(MRAIDState.self, "state")))
      case "event": expectations.append(try event(node))
      case "events": expectations += try events(node)
      case "property": expectations += try properties(node)
      default: expectations += try evaluations(node)
      }
    }
    guard !expectations.isEmpty else {
      throw value.fault("expect needs at least one of \(kinds.joined(separator: ", "))")
    }
    return expectations
  }

  /// A name, or `{name: …, count: …, detail: {…}}`; a count of 0 says it must not happen.
  private static func event(_ node: YAMLNode) throws(Fault) -> Scenario.Expectation {
    guard node.isMapping else { return .event(try node.eventName(), count: nil, detail: nil) }
    let members = try node.members(of: "event", allowed: ["name", "count", "detail"])
    guard let name = members["name"] else { throw node.fault("event needs a name") }
    let count = try members["count"]?.count(from: 0)
    let detail = try members["detail"].map { node throws(Fault) in
      guard node.isMapping else { throw node.fault("detail must be a mapping, found \(node.kind)") }
      return try node.json()
    }
    return .event(try name.eventName(), count: count, detail: detail)
  }

  private static func events(_ node: YAMLNode) throws(Fault) -> [Scenario.Expectation] {
    guard let elements = node.elements else { throw node.fault("events must be a list, found \(node.kind)") }
    var expectations: [Scenario.Expectation] = []
    for element in elements { expectations.append(try event(element)) }
    return expectations
  }

  /// Dotted paths that start with a getter's name without `get`: `currentPosition.width`.
  private static func properties(_ node: YAMLNode) throws(Fault) -> [Scenario.Expectation] {
    var expectations: [Scenario.Expectation] = []
    for (path, _, value) in try node.pairs(of: "property") {
      let names = path.split(separator: ".", omittingEmptySubsequences: false)
      guard names.allSatisfy(EventPattern.isName) else {
        throw value.fault("\"\(path)\" is no property; write a path such as currentPosition.width")
      }
      expectations.append(.property(path, try value.json()))
    }
    return expectations
  }

  private static func evaluations(_ node: YAMLNode) throws(Fault) -> [Scenario.Expectation] {
    var expectations: [Scenario.Expectation] = []
    for (expression, _, value) in try node.pairs(of: "evaluate") {
      guard expression.contains(where: { !$0.isWhitespace }) else { throw value.fault("the expression is empty") }
      expectations.append(.evaluate(expression, try value.json()))
    }
    return expectations
  }
}
