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
