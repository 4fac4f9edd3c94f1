/// What is kept of a value that somebody may have made to be large.
package struct CutValue: Hashable, Sendable {
  package let value: JSONValue
  /// Whether something of it was left out.
  package let isCut: Bool
  /// Bytes that it takes as JSON, at the most.
  package let bytes: Int
}

extension String {
  /// The first `count` Unicode scalars and an ellipsis; itself when it has no more.
  ///
  /// Scalars, not characters: a single character can be a megabyte long.
  package func cut(to count: Int) -> String {
    guard utf8.count > count else { return self }
    let scalars = unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
      end != scalars.endIndex
    else { return self }
    return String(self[..<end]) + "…"
  }
}

extension JSONValue {
  /// Characters that are kept of each text: a line on the console, an address that browsers take everywhere.
  package static let keptText = 2_048
  /// Bytes that are kept of a whole value.
  package static let keptBytes = 32_768

  /// The value with its texts cut, and without what follows once it has `bytes`; members in the order of their names.
  package func cut(texts: Int = keptText, bytes: Int = keptBytes) -> CutValue {
    var knife = Knife(texts: texts, left: bytes)
    let value = knife.cut(self)
    return CutValue(value: value, isCut: knife.hasCut, bytes: bytes - knife.left)
  }
}

/// Walks through a value and counts what it takes.
private struct Knife {
  let texts: Int
  var left: Int
  var hasCut = false

  mutating func cut(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool, .number:
      left -= 24
      return value
    case .string(let text): return .string(cut(text))
    case .array(let elements):
      var kept: [JSONValue] = []
      for element in elements {
        guard hasRoom() else { break }
        kept.append(cut(element))
      }
      left -= kept.count + 2
      return .array(kept)
    case .object(let members):
      var kept: [String: JSONValue] = [:]
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        guard hasRoom() else { break }
        kept[cut(name)] = cut(member)
      }
      left -= 2 * kept.count + 2
      return .object(kept)
    }
  }

  private mutating func hasRoom() -> Bool {
    if left <= 0 { hasCut = true }
    return left > 0
  }

  private mutating func cut(_ text: String) -> String {
    let kept = text.cut(to: texts)
    if !kept.utf8.elementsEqual(text.utf8) { hasCut = true }
    // Control characters, quotes and the like are escaped.
    left -= 2 + kept.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    return kept
  }
}
