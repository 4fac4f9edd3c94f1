package import Core
internal import RenderModel

/// Parses a policy in YAML; throws errors that name the line.
package enum PolicyParser {
  /// Parses a whole file; `source` is its name in messages. All errors are `request`/`policy-invalid`.
  package static func parse(_ text: String, source: String) throws(Fault) -> Policy {
    let root = try YAMLDocument(text: text, source: source, kind: "policy").root()
    let keys = ["profile", "profile-files", "devices", "fail-on", "strict", "severity", "suppress", "options"]
    let members = try root.members(of: "a policy", allowed: keys)
    var policy = Policy()
    if let node = members["profile"] { policy.profiles = try words(node, "profile") }
    if let node = members["profile-files"] { policy.profileFiles = try words(node, "profile-files") }
    if let node = members["devices"] { policy.devices = try words(node, "devices") }
    if let node = members["fail-on"] { policy.failsOn = try node.choice(Severity.self, "fail-on") }
    if let node = members["strict"] { policy.isStrict = try node.flag("strict") }
    if let node = members["severity"] { policy.weights = try weights(node) }
    if let node = members["suppress"] { policy.suppressions = try suppressions(node) }
    if let node = members["options"] { policy.options = try options(node) }
    return policy
  }

  private static func options(_ node: YAMLNode) throws(Fault) -> [Policy.Option] {
    var options: [Policy.Option] = []
    for (name, line, value) in try node.pairs(of: "options") {
      guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }), !name.hasPrefix("-") else {
        throw value.fault("write an option without leading hyphens, as in size: 300x250", line: line)
      }
      var values: [String] = []
      for element in value.elements ?? [value] {
        guard let text = element.text, !text.isEmpty else {
          throw element.fault("the option \(name) must be text, a number, true or a list of these")
        }
        values.append(text)
      }
      options.append(Policy.Option(name: name, values: values))
    }
    return options
  }

  /// Returns one word, or a list of them.
  private static func words(_ node: YAMLNode, _ what: String) throws(Fault) -> [String] {
    guard let elements = node.elements else { return [try node.string(what)] }
    var words: [String] = []
    for element in elements { words.append(try element.string(what)) }
    return words
  }

  private static func weights(_ node: YAMLNode) throws(Fault) -> [String: Policy.Weight] {
    var weights: [String: Policy.Weight] = [:]
    for (id, line, value) in try node.pairs(of: "severity") {
      try know(id, at: value, line: line)
      let word = value.text ?? ""
      guard word == "off" || Severity(rawValue: word) != nil else {
        throw value.fault("the severity of \(id) must be note, warning, error or off")
      }
      weights[id] = Severity(rawValue: word).map { .severity($0) } ?? .off
    }
    return weights
  }

  private static func suppressions(_ node: YAMLNode) throws(Fault) -> [Policy.Suppression] {
    guard let elements = node.elements else { throw node.fault("suppress must be a list, found \(node.kind)") }
    var suppressions: [Policy.Suppression] = []
    for element in elements { suppressions.append(try suppression(element)) }
    return suppressions
  }

  private static func suppression(_ node: YAMLNode) throws(Fault) -> Policy.Suppression {
    let members = try node.members(of: "a suppression", allowed: ["check", "creative", "key", "reason", "expires"])
    guard let check = try members["check"]?.string("check") else { throw node.fault("a suppression needs a check") }
    try know(check, at: node)
    guard let reason = try members["reason"]?.string("reason") else {
      throw node.fault("the suppression of \(check) needs a reason")
    }
    guard let day = members["expires"] else {
      throw node.fault("the suppression of \(check) needs expires, its last day")
    }
    guard let expires = day.text, Day.isDay(expires) else { throw day.fault("expires must be a day like 2026-12-31") }
    return Policy.Suppression(
      check: check, creative: try members["creative"]?.string("creative"), key: try members["key"]?.string("key"),
      reason: reason, expires: expires)
  }

  private static func know(_ id: String, at node: YAMLNode, line: Int? = nil) throws(Fault) {
    guard Check.named(id) == nil else { return }
    let hint = RetiredChecks.suggestion(for: id).map { "; did you mean \($0)?" } ?? ""
    throw node.fault("there is no check '\(id)'\(hint)", line: line)
  }
}
