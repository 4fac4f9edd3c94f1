extension XMLTree {
  /// The element as XML again: names, attributes sorted, text before children.
  ///
  /// For what is kept as it came, extensions and parameters; where text and elements are mixed their order is lost.
  var xml: String {
    let written = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(Self.escaped($0.value))\"" }.joined()
    let inside = Self.escaped(text) + children.map(\.xml).joined()
    return inside.isEmpty ? "<\(name)\(written)/>" : "<\(name)\(written)>\(inside)</\(name)>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
