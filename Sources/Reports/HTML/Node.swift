internal import Core

/// A piece of an HTML document; whatever is text gets escaped, so no creative can add markup.
indirect enum Node {
  case text(String)
  case element(String, [(name: String, value: String)], [Node])
  /// Several in a row, without an element around them.
  case group([Node])
  /// Style or script of Galley's own.
  case raw(String)

  static let empty = Node.group([])
}

extension Node: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self = .text(value) }
}

extension Node {
  /// The whole document's bytes.
  static func document(_ root: Node) -> [UInt8] {
    var bytes = Array("<!doctype html>\n".utf8)
    root.append(to: &bytes)
    return bytes + [UInt8(ascii: "\n")]
  }

  private static let void: Set<String> = ["meta", "img", "input", "br", "link"]

  /// Its markup after what there is.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .text(let text): MarkupText.append(html: ReportText.shown(text), to: &bytes)
    case .raw(let text): bytes += text.utf8
    case .group(let nodes): for node in nodes { node.append(to: &bytes) }
    case .element(let name, let attributes, let children):
      bytes += "<\(name)".utf8
      for (name, value) in attributes {
        bytes += " \(name)=\"".utf8
        MarkupText.append(html: ReportText.shown(value), to: &bytes)
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(UInt8(ascii: ">"))
      guard !Self.void.contains(name) else { return }
      for child in children { child.append(to: &bytes) }
      bytes += "</\(name)>".utf8
    }
  }
}

/// Builds the children of an element from statements.
@resultBuilder
enum NodeBuilder {
  static func buildExpression(_ node: Node) -> Node { node }
  static func buildExpression(_ nodes: [Node]) -> Node { .group(nodes) }
  static func buildExpression(_ text: String) -> Node { .text(text) }
  static func buildBlock(_ nodes: Node...) -> Node { .group(nodes) }
  static func buildOptional(_ node: Node?) -> Node { node ?? .empty }
  static func buildEither(first: Node) -> Node { first }
  static func buildEither(second: Node) -> Node { second }
  static func buildArray(_ nodes: [Node]) -> Node { .group(nodes) }
}

/// An element; attributes without a value are left out.
func element(
  _ name: String, _ attributes: KeyValuePairs<String, String?> = [:], @NodeBuilder _ children: () -> Node = { .empty }
) -> Node {
  let given = attributes.compactMap { name, value in
    value.map { (name: name, value: $0) }
  }
  return .element(name, given, [children()])
}
