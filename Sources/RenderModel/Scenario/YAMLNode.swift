package import Core
internal import Yams

/// A YAML node that knows its line and makes the faults for its errors.
///
/// Plain scalars follow YAML 1.2's core schema, so `yes` and `off` are text; quoted scalars are always text.
package struct YAMLNode {
  private let node: Node
  private let source: String
  private let document: String
  /// Line in the file, from 1.
  package let line: Int

  /// Wraps a node; one without a mark gets the line of its parent.
  init(_ node: Node, source: String, kind: String, line: Int) {
    self.node = node
    self.source = source
    document = kind
    self.line = node.mark?.line ?? line
  }

  /// Makes a fault for a problem on this node's line, or on the given line.
  package func fault(_ problem: String, line other: Int? = nil) -> Fault {
    .request("\(document)-invalid", "\(source):\(other ?? line): \(problem)")
  }

  /// Indicates if the node is a sequence, including empty ones.
  package var isList: Bool { node.sequence != nil }
  /// Indicates if the node is a mapping, including empty ones.
  package var isMapping: Bool { node.mapping != nil }
  /// Indicates if the node is null, written out or left empty.
  package var isNull: Bool { scalar == .null }

  /// The node's type or value as named in error messages.
  package var kind: String {
    if isList { return "a list" }
    if isMapping { return "a mapping" }
    switch scalar {
    case nil, .null: return "nothing"
    case .bool(let value): return "\(value)"
    case .number(let value): return value.plain
    default: return "text"
    }
  }

  /// The text of a scalar of any type as it is written; nil for null, lists and mappings.
  package var text: String? { isNull ? nil : node.scalar?.string }

  /// The elements of a list; nil for any other node.
  package var elements: [YAMLNode]? {
    node.sequence.map { $0.map { YAMLNode($0, source: source, kind: document, line: line) } }
  }

  /// Null, a bool, a number or text; nil for lists and mappings.
  package var scalar: JSONValue? {
    guard let scalar = node.scalar else { return nil }
    guard scalar.style == .plain, scalar.tag == .implicit else { return .string(scalar.string) }
    switch scalar.string {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case let text:
      let isNumeric = text.allSatisfy { "+-.eE0123456789".contains($0) }
      guard isNumeric, let number = Double(text), number.isFinite else { return .string(text) }
      return .number(number)
    }
  }

  /// The keys and values of a mapping, in the file's order; keys must be scalars.
  package func pairs(of what: String) throws(Fault) -> [(key: String, keyLine: Int, value: YAMLNode)] {
    guard let mapping = node.mapping else { throw fault("\(what) must be a mapping, found \(kind)") }
    var pairs: [(key: String, keyLine: Int, value: YAMLNode)] = []
    for (key, value) in mapping {
      guard let name = key.scalar?.string else {
        throw YAMLNode(key, source: source, kind: document, line: line).fault(
          "a key of \(what) must be a single word or text")
      }
      let keyLine = key.mark?.line ?? line
      pairs.append((name, keyLine, YAMLNode(value, source: source, kind: document, line: keyLine)))
    }
    return pairs
  }
}

extension YAMLNode {
  /// A mapping's values by key.
  package typealias Members = [String: YAMLNode]

  /// The values by key of a mapping that may have only these keys.
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

  /// True or false.
  package func flag(_ what: String) throws(Fault) -> Bool {
    guard case .bool(let value) = scalar else { throw fault("\(what) must be true or false, found \(kind)") }
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

  /// Reads a number of repetitions: a whole number from `least` to 10000.
  func count(from least: Int) throws(Fault) -> Int {
    let value = try number("count", in: Double(least)...10_000)
    guard let count = Int(exactly: value) else { throw fault("count must be a whole number, found \(value.plain)") }
    return count
  }

  /// Reads one of an enumeration's words.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type, _ what: String
  ) throws(Fault) -> Choice where Choice.RawValue == String {
    let words = type.allCases.map(\.rawValue)
    guard let word = text else { throw fault("\(what) must be one of \(words.joined(separator: ", "))") }
    guard let choice = Choice(rawValue: word) else {
      let hint = Suggestion.hint(for: word, among: words)
      throw fault("unknown \(what) \"\(word)\"; use one of \(words.joined(separator: ", "))\(hint)")
    }
    return choice
  }

  /// Reads the name of an event that can be logged, with or without its source.
  func eventName() throws(Fault) -> String {
    let name = try string("event")
    if let problem = EventVocabulary.problem(with: name) { throw fault(problem) }
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
