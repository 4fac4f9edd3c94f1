/// Script element of a page.
struct ScriptElement {
  /// Value of the attribute `type` in lower case; empty for none.
  let type: String
  /// Contents, as a range of the page's UTF-8.
  let content: Range<Int>

  /// Indicates if browsers run the contents, rather than keep them as data.
  var runs: Bool {
    type.isEmpty || type == "module" || type.contains("javascript") || type.contains("ecmascript")
  }

  /// Returns the script elements of a page, in its order; a tag within a script's text begins no other.
  static func all(in page: [UInt8]) -> [ScriptElement] {
    var found: [ScriptElement] = []
    var scan = ElementScan(bytes: page)
    while let element = scan.next() { found.append(element) }
    return found
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
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: ">") {
        index += 1
        return type ?? ""
      }
      guard !Self.endsName(bytes[index]) else {
        index += 1
        continue
      }
      let name = read { Self.endsName($0) || $0 == UInt8(ascii: "=") }
      let value = readValue()
      if name == "type" { type = type ?? value }
    }
    return nil
  }

  /// Reads an attribute's value, if an equals sign comes next.
  private mutating func readValue() -> String {
    skipBlanks()
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return "" }
    index += 1
    skipBlanks()
    guard index < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[index]) else {
      return read { Self.isBlank($0) || $0 == UInt8(ascii: ">") }
    }
    let quote = bytes[index]
    index += 1
    let value = read { $0 == quote }
    index += 1
    return value
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
}
