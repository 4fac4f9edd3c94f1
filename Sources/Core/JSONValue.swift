internal import FoundationEssentials

/// Any JSON value, as received from creatives and as stored in event details.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Each kind that it isn't is an error thrown and caught: the common kinds come first.
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([String: JSONValue].self) {
      self = .object(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else {
      self = .array(try container.decode([JSONValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      if let whole = Bounded.whole(value, in: -9_000_000_000_000_000...9_000_000_000_000_000) {
        try container.encode(whole)
      } else if value.isFinite {
        try container.encode(value)
      } else {
        // JSON has no other word for it, and a document isn't to be lost for one number.
        try container.encodeNil()
      }
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
  package init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  /// The member named `key`; nil if this is no object or has no such member.
  package subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The element at `index`; nil if this is no array or is shorter.
  package subscript(index: Int) -> JSONValue? {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var number: Double? { if case .number(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
}

extension JSONValue {
  /// JSON that is also safe inside a script: keys sorted, no `<`, U+2028 or U+2029; infinities and NaN become null.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += value.isFinite ? value.plain : "null"
    case .string(let value): Self.write(value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, key) in members.keys.sorted().enumerated() {
        if index > 0 { text += "," }
        Self.write(key, to: &text)
        text += ":"
        members[key]?.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "<", "\u{2028}", "\u{2029}", "\u{0}"..<" ", "\u{7F}":
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// A JSON value cut to a limited size, since its source may have made it large.
package struct CutValue: Hashable, Sendable {
  package let value: JSONValue
  /// True if a part of the value was left out.
  package let isCut: Bool
  /// Upper bound of the value's size as JSON, in bytes.
  package let bytes: Int
}

extension String {
  /// The first `count` Unicode scalars and an ellipsis; the text itself if it has no more.
  ///
  /// The limit counts scalars, not characters: a single character can be a megabyte long.
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
  /// Characters that are kept of each text: enough for a console line or for an address that all browsers accept.
  package static let keptText = 2_048
  /// Bytes that are kept of a whole value.
  package static let keptBytes = 32_768

  /// The value with its texts cut to `texts` scalars, and without the parts that follow once `bytes` are used up.
  ///
  /// Members are visited in the order of their names.
  package func cut(texts: Int = keptText, bytes: Int = keptBytes) -> CutValue {
    var knife = Knife(texts: texts, left: bytes)
    let value = knife.cut(self)
    return CutValue(value: value, isCut: knife.hasCut, bytes: bytes - knife.left)
  }
}

/// Walks through a value, cuts it and counts its bytes.
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
