package import Core
internal import Device
internal import MRAID

/// Reads scenario files: YAML in, steps with their lines out, or a fault that names the line.
package enum ScenarioParser {
  /// Steps a scenario may have.
  private static let maximumSteps = 500
  /// Bytes a scenario file may have.
  package static let maximumBytes = YAMLDocument.maximumBytes

  /// Reads a whole file; `source` is what failures call it. Every failure is `request`/`scenario-invalid`.
  package static func parse(_ text: String, source: String) throws(Fault) -> Scenario {
    let root = try YAMLDocument(text: text, source: source).root()
    if root.isList { return Scenario(source: source, steps: try steps(root, mayBeEmpty: false)) }
    guard root.isMapping else { throw root.fault("a scenario is a list of steps, or a mapping with steps") }
    let members = try root.members(of: "a scenario", allowed: ["placement", "size", "position", "consent", "omid", "steps"])
    guard let list = members["steps"] else { throw root.fault("the scenario has no steps") }
    let placement = try placement(members)
    let consent = try members["consent"]?.choice(Consent.self, "consent")
    let omid = try members["omid"]?.flag("omid")
    return Scenario(
      source: source, placement: placement, consent: consent, omid: omid,
      steps: try steps(list, mayBeEmpty: placement != nil || consent != nil || omid != nil))
  }

  private static func steps(_ node: YAMLNode, mayBeEmpty: Bool) throws(Fault) -> [Scenario.Step] {
    guard let elements = node.elements else { throw node.fault("steps must be a list, found \(node.kind)") }
    if elements.isEmpty, !mayBeEmpty { throw node.fault("the scenario has no steps") }
    if elements.count > maximumSteps {
      throw elements[maximumSteps].fault("\(elements.count) steps are too many; the most is \(maximumSteps)")
    }
    var steps: [Scenario.Step] = []
    var screenshots: [String: Int] = [:]
    for element in elements {
      let step = Scenario.Step(line: element.line, action: try StepReader.action(element))
      if case .screenshot(let name) = step.action {
        if let line = screenshots.updateValue(step.line, forKey: name) {
          throw element.fault("screenshot \"\(name)\" is already taken on line \(line)")
        }
      }
      steps.append(step)
    }
    return steps
  }

  private static func placement(_ members: YAMLNode.Members) throws(Fault) -> Placement? {
    let kind = try members["placement"]?.choice(Placement.Kind.self, "placement")
    if let kind, kind != .banner, let extra = members["size"] ?? members["position"] {
      throw extra.fault(
        "size and position go with a banner; "
          + (kind == .feed ? "a feed has its own" : "an interstitial fills the screen"))
    }
    let size = try members["size"].map { node throws(Fault) in try self.size(node) }
    let position = try members["position"]?.choice(Placement.Position.self, "position")
    guard kind != nil || size != nil || position != nil else { return nil }
    return Placement(kind: kind ?? .banner, size: size, position: position ?? .center)
  }

  /// `320x50` in dip, each side 1–10000.
  private static func size(_ node: YAMLNode) throws(Fault) -> Size {
    let parts = (node.text ?? "").split(separator: "x", omittingEmptySubsequences: false)
    let sides = parts.compactMap { $0.allSatisfy(\.isWholeNumber) ? Int($0) : nil }
    guard parts.count == 2, sides.count == 2, sides.allSatisfy((1...10_000).contains) else {
      throw node.fault("size must be like 320x50, each side from 1 to 10000")
    }
    return Size(width: Double(sides[0]), height: Double(sides[1]))
  }
}

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
