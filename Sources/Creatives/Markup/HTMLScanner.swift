internal import Core
import Glibc

/// Tokenizer for a document's doctype and start tags, in one pass: time is linear for any input.
///
/// Comments and the text of script, style, title and similar elements are skipped, so that a tag quoted in a script
/// isn't taken for one. See https://html.spec.whatwg.org/#tokenization.
struct HTMLScanner {
  /// Start tag.
  struct Tag: Equatable {
    /// Name in lower case.
    let name: String
    /// Attributes by name in lower case, values as written; the first of equal names; at most 32.
    let attributes: [String: String]
    /// Text of a title, as written, and of a style element if `keepsStyles` is set.
    var text: String?
  }
  enum Token: Equatable {
    case doctype
    case tag(Tag)
  }

  private static let rawElements: Set<String> = [
    "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext",
  ]
  /// Maximum number of attributes kept of a tag, and of bytes kept of a value.
  private static let mostAttributes = 32
  private static let longestValue = 1024

  private let bytes: [UInt8]
  private let keepsStyles: Bool
  private var position = 0

  init(_ bytes: [UInt8], keepsStyles: Bool = false) { (self.bytes, self.keepsStyles) = (bytes, keepsStyles) }

  /// Returns the next token; nil at the end. An unfinished tag counts as the end, as in browsers.
  mutating func next() -> Token? {
    while let start = find(UInt8(ascii: "<"), from: position) {
      position = start + 1
      guard let byte = peek else { return nil }
      switch byte {
      case UInt8(ascii: "!"):
        if skipDeclaration() { return .doctype }
      case UInt8(ascii: "?"): skip(past: UInt8(ascii: ">"))
      case UInt8(ascii: "/"):
        position += 1
        if peek?.isASCIILetter == true { _ = tag() } else { skip(past: UInt8(ascii: ">")) }
      case _ where byte.isASCIILetter:
        guard var tag = tag() else { return nil }
        if Self.rawElements.contains(tag.name) {
          let text = skipRawText(of: tag.name)
          if tag.name == "title" || (keepsStyles && tag.name == "style") {
            tag.text = String(decoding: bytes[text], as: UTF8.self)
          }
        }
        return .tag(tag)
      default: break
      }
    }
    position = bytes.count
    return nil
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Skips `!…`; returns true if it was a doctype.
  private mutating func skipDeclaration() -> Bool {
    position += 1
    if bytes[position...].starts(with: "--".utf8) {
      skipComment()
      return false
    }
    let isDoctype = bytes[position...].prefix(7).lowercasedASCII.elementsEqual("doctype".utf8)
    skip(past: UInt8(ascii: ">"))
    return isDoctype
  }

  private mutating func skipComment() {
    position += 2
    if peek == UInt8(ascii: ">") || bytes[position...].starts(with: "->".utf8) { return skip(past: UInt8(ascii: ">")) }
    while let dash = find(UInt8(ascii: "-"), from: position) {
      position = dash + 1
      if bytes[dash...].starts(with: "-->".utf8) || bytes[dash...].starts(with: "--!>".utf8) {
        return skip(past: UInt8(ascii: ">"))
      }
    }
    position = bytes.count
  }

  /// Reads a tag from its name to its `>`; nil if the text ends first.
  private mutating func tag() -> Tag? {
    let name = consume { !$0.isHTMLSpace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
    var attributes: [String: String] = [:]
    while true {
      _ = consume { $0.isHTMLSpace || $0 == UInt8(ascii: "/") }
      guard let byte = peek else { return nil }
      if byte == UInt8(ascii: ">") { break }
      guard let (key, value) = attribute() else { return nil }
      if attributes.count < Self.mostAttributes, attributes[key] == nil { attributes[key] = value }
    }
    position += 1
    return Tag(name: lowercased(name), attributes: attributes)
  }

  /// Reads `name`, `name=value`, `name="value"` or `name='value'`; nil if the text ends in a quoted value.
  private mutating func attribute() -> (name: String, value: String)? {
    let start = position
    position += 1
    _ = consume {
      !$0.isHTMLSpace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "=")
    }
    let name = lowercased(start..<position)
    _ = consume(while: \.isHTMLSpace)
    guard peek == UInt8(ascii: "=") else { return (name, "") }
    position += 1
    _ = consume(while: \.isHTMLSpace)
    guard let quote = peek else { return nil }
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return (name, value(consume { !$0.isHTMLSpace && $0 != UInt8(ascii: ">") }))
    }
    guard let end = find(quote, from: position + 1) else {
      position = bytes.count
      return nil
    }
    defer { position = end + 1 }
    return (name, value(position + 1..<end))
  }

  /// Moves past the element's end tag; returns the range of its text.
  private mutating func skipRawText(of name: String) -> Range<Int> {
    let start = position
    while name != "plaintext", let bracket = find(UInt8(ascii: "<"), from: position) {
      position = bracket + 1
      guard peek == UInt8(ascii: "/") else { continue }
      let after = bracket + 2 + name.utf8.count
      guard bytes[(bracket + 2)...].prefix(name.utf8.count).lowercasedASCII.elementsEqual(name.utf8),
        after < bytes.count, bytes[after].isHTMLSpace || [UInt8(ascii: "/"), UInt8(ascii: ">")].contains(bytes[after])
      else { continue }
      position = after
      skip(past: UInt8(ascii: ">"))
      return start..<bracket
    }
    position = bytes.count
    return start..<bytes.count
  }

  private mutating func consume(while isWanted: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while let byte = peek, isWanted(byte) { position += 1 }
    return start..<position
  }

  private mutating func skip(past byte: UInt8) {
    position = find(byte, from: position).map { $0 + 1 } ?? bytes.count
  }

  private func find(_ byte: UInt8, from start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    return bytes.withUnsafeBytes { buffer in
      let base = buffer.baseAddress!
      return memchr(base + start, Int32(byte), buffer.count - start).map { base.distance(to: UnsafeRawPointer($0)) }
    }
  }

  private func lowercased(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(Self.longestValue).lowercasedASCII, as: UTF8.self)
  }

  private func value(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(Self.longestValue), as: UTF8.self)
  }
}

extension UInt8 {
  /// Indicates if HTML counts the byte as white space: tab, line feed, form feed, return, space.
  var isHTMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D }

  /// Indicates if the byte is a to z in either case.
  var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  /// Indicates if the byte is 0 to 9.
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}

extension Sequence<UInt8> {
  /// Bytes with A to Z in lower case, others unchanged.
  var lowercasedASCII: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}
