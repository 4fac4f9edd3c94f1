internal import Core

/// One element of an XML document, and the line of its start.
struct XMLTree: Hashable, Sendable {
  /// Name without a namespace prefix.
  var name: String
  var attributes: [String: String] = [:]
  /// All text directly inside, CDATA included, without surrounding white space.
  var text = ""
  var children: [XMLTree] = []
  /// Line, from 1.
  var line: Int

  /// Returns the first child of this name; nil if there is none.
  func child(_ name: String) -> XMLTree? { children.first { $0.name == name } }

  /// Returns every child of this name, in the document's order.
  func all(_ name: String) -> [XMLTree] { children.filter { $0.name == name } }

  /// Returns the elements under a path of two names; both names may occur several times.
  func all(_ first: String, _ second: String) -> [XMLTree] { all(first).flatMap { $0.all(second) } }

  /// Text of the element; nil if it is empty.
  var content: String? { text.isEmpty ? nil : text }

  /// Returns the texts of the children of this name that have one.
  func texts(_ name: String) -> [String] { all(name).compactMap(\.content) }

  /// Returns an attribute without surrounding white space; nil if it is missing or empty.
  func attribute(_ name: String) -> String? {
    guard let value = attributes[name]?.trimmedXML, !value.isEmpty else { return nil }
    return value
  }

  /// Returns a number in an attribute; nil if it is missing, no number, or outside of any screen.
  func number(_ name: String) -> Double? { attribute(name).flatMap { Bounded.decimal($0, in: Self.sides) } }

  /// Returns a whole number in an attribute; nil if it is missing, not whole, or larger than any valid count.
  func integer(_ name: String) -> Int? { number(name).flatMap { Int(exactly: $0) } }

  /// Range of a size or position, in dip or pixels; also wider than any bitrate and sequence number.
  private static let sides = -10_000_000.0...10_000_000

  /// Returns a Boolean attribute, `true` or `1`, `false` or `0` as in XML Schema, in any case; nil for anything else.
  func flag(_ name: String) -> Bool? {
    switch attribute(name)?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }
}

extension String {
  /// Text shortened to 60 characters for messages.
  var shortened: String { count > 60 ? "\(prefix(60))…" : self }
}

extension StringProtocol {
  /// Text without XML white space at both ends.
  var trimmedXML: String {
    let space: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
    let start = drop { space.contains($0) }
    let end = start.lastIndex { !space.contains($0) }
    return end.map { String(start[...$0]) } ?? ""
  }
}

extension XMLTree {
  /// The element as XML again: its name, its attributes sorted, its text before its children.
  ///
  /// Used for extensions and parameters, which are kept as they came; the order of mixed text and elements is lost.
  var xml: String {
    let written = attributes.sorted { $0.key < $1.key }.map { " \($0.key)=\"\(MarkupText.xml($0.value))\"" }.joined()
    let inside = MarkupText.xml(text) + children.map(\.xml).joined()
    return inside.isEmpty ? "<\(name)\(written)/>" : "<\(name)\(written)>\(inside)</\(name)>"
  }
}
