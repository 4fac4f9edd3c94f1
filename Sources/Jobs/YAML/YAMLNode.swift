internal import Core
package import MRAID
internal import Yams

/// A YAML node that knows its line and says what is wrong with it.
///
/// Plain scalars follow YAML 1.2's core schema, so `yes` and `off` are text; quoted ones are always text.
package struct YAMLNode {
  private let node: Node
  private let source: String
  private let document: String
  /// From 1.
  package let line: Int

  /// A node without a mark takes the line of what it belongs to.
  init(_ node: Node, source: String, kind: String, line: Int) {
    self.node = node
    self.source = source
    document = kind
    self.line = node.mark?.line ?? line
  }

  /// What is wrong here, or on the line given.
  package func fault(_ problem: String, line other: Int? = nil) -> Fault {
    .request("\(document)-invalid", "\(source):\(other ?? line): \(problem)")
  }

  /// Whether it is a sequence, empty ones included.
  package var isList: Bool { node.sequence != nil }
  /// Whether it is a mapping, empty ones included.
  package var isMapping: Bool { node.mapping != nil }
  /// Whether it is null, written out or left empty.
  package var isNull: Bool { scalar == .null }

  /// What a person would call it in a sentence.
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

  /// A scalar as it is written, whatever type it has; nil for null, lists and mappings.
  package var text: String? { isNull ? nil : node.scalar?.string }

  /// The elements of a list, or nil.
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
