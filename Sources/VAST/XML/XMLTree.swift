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

  /// A number in an attribute; nil also where it is none.
  func number(_ name: String) -> Double? { attribute(name).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil } }

  /// A whole number in an attribute; nil also where it is none.
  func integer(_ name: String) -> Int? { attribute(name).flatMap { Int($0) } }

  /// `true` and `1`, as XML Schema has it, in any case.
  func flag(_ name: String) -> Bool? {
    switch attribute(name)?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }
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
