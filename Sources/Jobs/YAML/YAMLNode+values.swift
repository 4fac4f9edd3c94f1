internal import Core
internal import MRAID

extension YAMLNode {
  /// A mapping's values by key.
  package typealias Members = [String: YAMLNode]

  /// The values by key of a mapping that may have these keys only.
  package func members(of what: String, allowed: [String]) throws(Fault) -> Members {
    var members: Members = [:]
    for (key, keyLine, value) in try pairs(of: what) {
      guard allowed.contains(key) else {
        let hint = Suggestion.hint(for: key, among: allowed)
        throw fault("unknown key \"\(key)\" in \(what)\(hint)", line: keyLine)
      }
      members[key] = value
    }
    return members
  }

  /// Text that isn't empty.
  package func string(_ what: String) throws(Fault) -> String {
    guard case .string(let text) = scalar else { throw fault("\(what) must be text, found \(kind)") }
    guard !text.isEmpty else { throw fault("\(what) is empty") }
    return text
  }

  /// A number between two bounds, both included.
  package func number(_ what: String, in range: ClosedRange<Double>) throws(Fault) -> Double {
    guard case .number(let value) = scalar else { throw fault("\(what) must be a number, found \(kind)") }
    guard range.contains(value) else {
      throw fault("\(what) must be from \(range.lowerBound.plain) to \(range.upperBound.plain), found \(value.plain)")
    }
    return value
  }

  /// A number of seconds above 0 and at most 60.
  func seconds(_ what: String) throws(Fault) -> Double {
    guard case .number(let value) = scalar else { throw fault("\(what) must be a number of seconds, found \(kind)") }
    guard value > 0, value <= 60 else {
      throw fault("\(what) must be more than 0 and at most 60 seconds, found \(value.plain)")
    }
    return value
  }

  /// How often something happens, a whole number of at most 10000.
  func count(from least: Int) throws(Fault) -> Int {
    let value = try number("count", in: Double(least)...10_000)
    guard let count = Int(exactly: value) else { throw fault("count must be a whole number, found \(value.plain)") }
    return count
  }

  /// One of an enumeration's words.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type, _ what: String
  ) throws(Fault) -> Choice where Choice.RawValue == String {
    let words = type.allCases.map(\.rawValue)
    guard let word = text else { throw fault("\(what) must be one of \(words.joined(separator: ", "))") }
    guard let choice = Choice(rawValue: word) else {
      let hint = Suggestion.hint(for: word, among: words)
      throw fault("unknown \(what) \"\(word)\"; it is one of \(words.joined(separator: ", "))\(hint)")
    }
    return choice
  }

  /// An event's name, with or without its source.
  func eventName() throws(Fault) -> String {
    let name = try string("event")
    guard EventPattern(name) != nil else {
      throw fault("\"\(name)\" is no event name; write stateChange, or mraid/stateChange")
    }
    return name
  }

  /// Any value, at most 32 levels deep.
  func json(depth: Int = 0) throws(Fault) -> JSONValue {
    guard depth < 32 else { throw fault("the value is nested more than 32 levels deep") }
    if let scalar { return scalar }
    if let elements {
      var values: [JSONValue] = []
      for element in elements { values.append(try element.json(depth: depth + 1)) }
      return .array(values)
    }
    var members: [String: JSONValue] = [:]
    for (key, _, value) in try pairs(of: "a value") { members[key] = try value.json(depth: depth + 1) }
    return .object(members)
  }
}
