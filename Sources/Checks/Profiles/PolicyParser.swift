package import Core
internal import RenderModel

/// Reads a policy: YAML in, or a fault that names the line.
package enum PolicyParser {
  /// Reads a whole file; `source` is what failures call it. Every failure is `request`/`policy-invalid`.
  package static func parse(_ text: String, source: String) throws(Fault) -> Policy {
    let root = try YAMLDocument(text: text, source: source, kind: "policy").root()
    let keys = ["profile", "profile-files", "devices", "fail-on", "severity", "suppress", "options"]
    let members = try root.members(of: "a policy", allowed: keys)
    var policy = Policy()
    if let node = members["profile"] { policy.profiles = try words(node, "profile") }
    if let node = members["profile-files"] { policy.profileFiles = try words(node, "profile-files") }
    if let node = members["devices"] { policy.devices = try words(node, "devices") }
    if let node = members["fail-on"] { policy.failsOn = try node.choice(Severity.self, "fail-on") }
    if let node = members["severity"] { policy.weights = try weights(node) }
    if let node = members["suppress"] { policy.suppressions = try suppressions(node) }
    if let node = members["options"] { policy.options = try options(node) }
    return policy
  }

  private static func options(_ node: YAMLNode) throws(Fault) -> [Policy.Option] {
    var options: [Policy.Option] = []
    for (name, line, value) in try node.pairs(of: "options") {
      guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }), !name.hasPrefix("-") else {
        throw value.fault("an option is written without hyphens before it, as in size: 300x250", line: line)
      }
      var values: [String] = []
      for element in value.elements ?? [value] {
        guard let text = element.text, !text.isEmpty else {
          throw element.fault("the option \(name) must be text, a number, true or a list of them")
        }
        values.append(text)
      }
      options.append(Policy.Option(name: name, values: values))
    }
    return options
  }

  /// One word, or a list of them.
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
        throw value.fault("the severity of \(id) is one of note, warning, error, off")
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
    guard let day = members["expires"] else { throw node.fault("the suppression of \(check) needs a day it expires") }
    guard let expires = day.text, Day.isDay(expires) else { throw day.fault("expires is a day like 2026-12-31") }
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

/// A day as people and policies write it; as text, days stand in their own order.
package enum Day {
  /// Whether it is written like 2026-08-19, and such a day could be.
  package static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3 else { return false }
    return (1...12).contains(numbers[1]) && (1...31).contains(numbers[2])
  }
}
