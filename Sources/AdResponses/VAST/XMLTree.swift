internal import Core

/// One element of an XML document, and the line it begins on.
struct XMLTree: Hashable, Sendable {
  /// Without a namespace's prefix.
  var name: String
  var attributes: [String: String] = [:]
  /// All text directly inside, CDATA included, without space around it.
  var text = ""
  var children: [XMLTree] = []
  /// From 1.
  var line: Int

  /// The first child of this name.
  func child(_ name: String) -> XMLTree? { children.first { $0.name == name } }

  /// Every child of this name, in the document's order.
  func all(_ name: String) -> [XMLTree] { children.filter { $0.name == name } }

  /// What lies under this way down: each element on it may be there more than once.
  func all(_ first: String, _ second: String) -> [XMLTree] { all(first).flatMap { $0.all(second) } }

  /// The text, nil where there is none.
  var content: String? { text.isEmpty ? nil : text }

  /// Texts of every child of this name that has one.
  func texts(_ name: String) -> [String] { all(name).compactMap(\.content) }

  /// An attribute without space around it, nil where it is missing or empty.
  func attribute(_ name: String) -> String? {
    guard let value = attributes[name]?.trimmedXML, !value.isEmpty else { return nil }
    return value
  }

  /// A number in an attribute; nil also where it is none, or no side or place on a screen.
  func number(_ name: String) -> Double? { attribute(name).flatMap { Bounded.decimal($0, in: Self.sides) } }

  /// A whole number in an attribute; nil also where it is none, or larger than anything that is counted here.
  func integer(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) } }

  /// What a side or a place may be, in dip or pixels; also more than any bitrate and place in a row.
  private static let sides = -10_000_000.0...10_000_000

  /// `true` and `1`, as XML Schema has it, in any case.
  func flag(_ name: String) -> Bool? {
    switch attribute(name)?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }
}

extension String {
  /// As much of it as a message needs.
  var shortened: String { count > 60 ? "\(prefix(60))…" : self }
}

extension StringProtocol {
  /// Without XML's white space at both ends.
  var trimmedXML: String {
    let space: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
    let start = drop { space.contains($0) }
    let end = start.lastIndex { !space.contains($0) }
    return end.map { String(start[...$0]) } ?? ""
  }
}

extension XMLTree {
  /// The element as XML again: names, attributes sorted, text before children.
  ///
  /// For what is kept as it came, extensions and parameters; where text and elements are mixed their order is lost.
  var xml: String {
    let written = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(MarkupText.xml($0.value))\"" }.joined()
    let inside = MarkupText.xml(text) + children.map(\.xml).joined()
    return inside.isEmpty ? "<\(name)\(written)/>" : "<\(name)\(written)>\(inside)</\(name)>"
  }
}
