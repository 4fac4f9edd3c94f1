/// Script element of a page.
package struct ScriptElement {
  /// Value of the attribute `type` in lower case; empty for none.
  package let type: String
  /// Contents, as a range of the page's UTF-8.
  package let content: Range<Int>

  /// Indicates if browsers run the contents, rather than keep them as data.
  package var runs: Bool {
    type.isEmpty || type == "module" || type.contains("javascript") || type.contains("ecmascript")
  }

  /// Returns the script elements of a page, in its order; a tag within a script's text begins no other.
  package static func all(in page: [UInt8]) -> [ScriptElement] {
    var found: [ScriptElement] = []
    var scan = ElementScan(bytes: page)
    while let element = scan.next() { found.append(element) }
    return found
  }
}

/// Code in a page.
package struct PageCode: Hashable, Sendable {
  /// Range of the page's UTF-8.
  package let range: Range<Int>
  /// Indicates if it is an attribute's value, in which characters are escaped as in HTML.
  package let isAttribute: Bool

  /// Returns the scripts that run and the attributes that browsers run, such as `onclick`, in the page's order.
  package static func all(in page: [UInt8]) -> [PageCode] {
    var scan = ElementScan(bytes: page)
    return scan.code()
  }
}

/// Search for script elements that reads each byte of a page once.
private struct ElementScan {
  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next element; nil if there is no other.
  mutating func next() -> ScriptElement? {
    guard skip(to: "<script"), let type = readTag() else { return nil }
    let start = index
    let hasEnd = skip(to: "</script")
    return ScriptElement(type: type, content: start..<(hasEnd ? index - "</script".utf8.count : bytes.count))
  }

  /// Goes behind the next tag of a name; returns false if there is none.
  private mutating func skip(to opening: String) -> Bool {
    let opening = Array(opening.utf8)
    while index + opening.count <= bytes.count {
      if bytes[index] == opening[0], begins(opening) {
        index += opening.count
        return true
      }
      index += 1
    }
    index = bytes.count
    return false
  }

  /// Indicates if a tag of this name begins here, in capital letters or not.
  private func begins(_ opening: [UInt8]) -> Bool {
    let end = index + opening.count
    guard bytes[index..<end].elementsEqual(opening, by: { Self.small($0) == $1 }) else { return false }
    return end == bytes.count || Self.endsName(bytes[end])
  }

  /// Reads a tag's attributes to its end; returns the value of `type`, or nil if the tag has no end.
  private mutating func readTag() -> String? {
    var type: String?
    let hasEnd = readAttributes { name, value in if name == "type" { type = type ?? value.lowercased } }
    return hasEnd ? type ?? "" : nil
  }

  /// Attribute's value, as a range of the page and as text in lower case.
  private struct Value {
    let range: Range<Int>
    let lowercased: String
  }

  /// Reads a tag's attributes to its end; returns false if the tag has no end.
  private mutating func readAttributes(_ found: (String, Value) -> Void) -> Bool {
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: ">") {
        index += 1
        return true
      }
      guard !Self.endsName(bytes[index]) else {
        index += 1
        continue
      }
      let name = read { Self.endsName($0) || $0 == UInt8(ascii: "=") }
      found(name, readValue())
    }
    return false
  }

  /// Reads an attribute's value, if an equals sign comes next.
  private mutating func readValue() -> Value {
    skipBlanks()
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return value { _ in true } }
    index += 1
    skipBlanks()
    guard index < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[index]) else {
      return value { Self.isBlank($0) || $0 == UInt8(ascii: ">") }
    }
    let quote = bytes[index]
    index += 1
    let found = value { $0 == quote }
    index = min(bytes.count, index + 1)
    return found
  }

  private mutating func value(until ends: (UInt8) -> Bool) -> Value {
    let start = index
    let text = read(until: ends)
    return Value(range: start..<index, lowercased: text)
  }

  private mutating func skipBlanks() {
    while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
  }

  /// Reads text in lower case up to a byte that ends it.
  private mutating func read(until ends: (UInt8) -> Bool) -> String {
    let start = index
    while index < bytes.count, !ends(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index].map(Self.small), as: UTF8.self)
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }

  private static func endsName(_ byte: UInt8) -> Bool {
    isBlank(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  /// Returns all code of the page.
  mutating func code() -> [PageCode] {
    var found: [PageCode] = []
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      index += 1
      if bytes[index...].starts(with: Self.comment) { skipComment() } else { readElement(&found) }
    }
    return found
  }

  private static let comment = Array("!--".utf8)
  private static let link = Array("javascript:".utf8)

  private mutating func skipComment() {
    index += Self.comment.count
    let end = Array("-->".utf8)
    while index < bytes.count, !bytes[index...].starts(with: end) { index += 1 }
  }

  /// Reads a tag, and the contents of a script element; any other text behind `<` isn't read.
  private mutating func readElement(_ found: inout [PageCode]) {
    guard index < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(Self.small(bytes[index])) else {
      return
    }
    let name = read(until: Self.endsName)
    var (type, hasSource) = ("", false)
    var handlers: [PageCode] = []
    let hasEnd = readAttributes { attribute, value in
      if attribute == "type", type.isEmpty { type = value.lowercased }
      if attribute == "src" { hasSource = true }
      if attribute.hasPrefix("on") { handlers.append(PageCode(range: value.range, isAttribute: true)) }
      if ["href", "action", "formaction"].contains(attribute), value.lowercased.hasPrefix("javascript:") {
        let start = value.range.lowerBound + Self.link.count
        handlers.append(PageCode(range: start..<value.range.upperBound, isAttribute: true))
      }
    }
    found += handlers
    guard name == "script", hasEnd else { return }
    let start = index
    let isClosed = skip(to: "</script")
    let element = ScriptElement(type: type, content: start..<(isClosed ? index - "</script".utf8.count : bytes.count))
    if element.runs, !hasSource { found.append(PageCode(range: element.content, isAttribute: false)) }
  }
}
