package import Core
internal import Device
internal import MRAID

/// Parses scenario files: returns the steps with their lines, or throws a fault that names the line.
package enum ScenarioParser {
  /// Maximum number of steps in a scenario.
  private static let maximumSteps = 500
  /// Maximum size of a scenario file in bytes.
  package static let maximumBytes = YAMLDocument.maximumBytes

  /// Parses a whole file; `source` names it in faults. Every fault is `request`/`scenario-invalid`.
  package static func parse(_ text: String, source: String) throws(Fault) -> Scenario {
    let root = try YAMLDocument(text: text, source: source).root()
    if root.isList { return Scenario(source: source, steps: try steps(root, mayBeEmpty: false)) }
    guard root.isMapping else { throw root.fault("a scenario is a list of steps, or a mapping with steps") }
    let members = try root.members(
      of: "a scenario", allowed: ["placement", "size", "position", "consent", "omid", "steps"])
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
      throw elements[maximumSteps].fault("the scenario has \(elements.count) steps; the maximum is \(maximumSteps)")
    }
    var steps: [Scenario.Step] = []
    var screenshots: [String: Int] = [:]
    for element in elements {
      let step = Scenario.Step(line: element.line, action: try StepReader.action(element))
      if case .screenshot(let name) = step.action {
        if let line = screenshots.updateValue(step.line, forKey: name) {
          throw element.fault("screenshot \"\(name)\" already exists on line \(line)")
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
        "size and position are for banners; "
          + (kind == .feed ? "a feed sets its own" : "an interstitial fills the screen"))
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

  /// Reads every member of the mapping and flattens lists.
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

  /// Reads a name, or `{name: …, count: …, detail: {…}}`; a count of 0 means that the event must not occur.
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

  /// Reads dotted paths that begin with a getter's name without `get`: `currentPosition.width`.
  private static func properties(_ node: YAMLNode) throws(Fault) -> [Scenario.Expectation] {
    guard node.isMapping else {
      throw node.fault("property must be a mapping such as {currentPosition.width: 320}, found \(node.kind)")
    }
    var expectations: [Scenario.Expectation] = []
    for (path, _, value) in try node.pairs(of: "property") {
      let names = path.split(separator: ".", omittingEmptySubsequences: false)
      guard names.allSatisfy(EventPattern.isName) else {
        throw value.fault("\"\(path)\" isn't a property; write a path such as currentPosition.width")
      }
      expectations.append(.property(path, try value.json()))
    }
    return expectations
  }

  private static func evaluations(_ node: YAMLNode) throws(Fault) -> [Scenario.Expectation] {
    guard node.isMapping else {
      throw node.fault("evaluate must be a mapping such as {\"document.title\": \"Shop\"}, found \(node.kind)")
    }
    var expectations: [Scenario.Expectation] = []
    for (expression, _, value) in try node.pairs(of: "evaluate") {
      guard expression.contains(where: { !$0.isWhitespace }) else { throw value.fault("the expression is empty") }
      expectations.append(.evaluate(expression, try value.json()))
    }
    return expectations
  }
}
