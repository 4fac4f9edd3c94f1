/// Named values in addresses, forms and other texts, at any depth of encoding.
///
/// It reads a text only once, so depth adds no cost: `idfa%253D` is a name and its equals sign.
struct NamedValues {
  /// Kind of the text that is searched.
  enum Kind {
    /// An address, a form or a header: every name counts.
    case pairs
    /// Markup, a script or prose: names count only in addresses, as elsewhere they may be variables.
    case markup
  }

  /// A decoded character, with the form in which it is written.
  private struct Sign {
    let byte: UInt8
    /// Number of bytes in which it is written.
    let length: Int
    /// Number of times that it is percent-encoded.
    let depth: Int
  }

  /// Maximum number of bytes in a name.
  private static let longestName = 200
  private static let quotes: Set<UInt8> = Set("\"'`".utf8)
  private static let ends: Set<UInt8> = Set("&#;<>\"'`".utf8)

  private let text: [UInt8]
  private let kind: Kind
  private let isMeant: (String) -> Bool
  private var place = 0
  private var written: [UInt8] = []
  private var hasChanged = false
  /// Name that is being read, the character before it, and a quoted name that has just ended.
  private var name: [UInt8] = []
  private var before: UInt8 = 0
  private var quoted: [UInt8] = []
  /// State of the reading: `isAddress` is true within an address, `isQuery` after the begin of its query.
  private var isAddress = false
  private var isQuery = false
  private var last: (UInt8, UInt8) = (0, 0)

  private init(_ text: [UInt8], _ kind: Kind, _ isMeant: @escaping (String) -> Bool) {
    (self.text, self.kind, self.isMeant) = (text, kind, isMeant)
    written.reserveCapacity(text.count)
  }

  /// Returns the text with `Redaction.mark` for each value whose name `isMeant` accepts; nil if there is none.
  static func without(_ text: [UInt8], _ kind: Kind, where isMeant: @escaping (String) -> Bool) -> [UInt8]? {
    var values = NamedValues(text, kind, isMeant)
    while values.place < text.count { values.read() }
    return values.hasChanged ? values.written : nil
  }

  private mutating func read() {
    let sign = sign(at: place)
    keep(sign)
    switch sign.byte {
    case UInt8(ascii: "=") where counts(name): replace(after: sign)
    case UInt8(ascii: ":") where kind == .pairs && !quoted.isEmpty && isMeant(String(decoding: quoted, as: UTF8.self)):
      replaceMember()
    default: note(sign)
    }
  }

  /// Updates the state of the reading by one character.
  private mutating func note(_ sign: Sign) {
    let byte = sign.byte
    let isBlank = byte <= 0x20
    if Self.quotes.contains(byte), before == byte, !name.isEmpty { quoted = name } else if !isBlank { quoted = [] }
    let beginsPath = byte == UInt8(ascii: "/") && Self.quotes.contains(last.1)
    if beginsPath || last == (UInt8(ascii: ":"), UInt8(ascii: "/")) && byte == UInt8(ascii: "/") { isAddress = true }
    if byte == UInt8(ascii: "?") { isQuery = true }
    if sign.depth == 0, isBlank || "\"'`<>".utf8.contains(byte) { (isAddress, isQuery) = (false, false) }
    last = (last.1, byte)
    if Self.isNamed(byte) {
      if name.count <= Self.longestName { name.append(byte) }
    } else {
      (name, before) = ([], byte)
    }
  }

  private func counts(_ name: [UInt8]) -> Bool {
    guard !name.isEmpty, name.count <= Self.longestName else { return false }
    if kind == .markup {
      guard isAddress, "?&;#".utf8.contains(before) else { return false }
    }
    return isMeant(String(decoding: name, as: UTF8.self))
  }

  /// Replaces the following value by the mark, up to a terminator that is encoded no deeper than the equals sign.
  private mutating func replace(after equals: Sign) {
    let isMatrix = before == UInt8(ascii: ";") && !isQuery
    let opening = place < text.count ? sign(at: place) : nil
    if kind == .pairs, let opening, Self.quotes.contains(opening.byte) {
      keep(opening)
      skip { $0.byte == opening.byte && $0.depth <= opening.depth }
    } else {
      skip { sign in
        guard sign.depth <= equals.depth else { return false }
        return sign.byte <= 0x20 || Self.ends.contains(sign.byte) || isMatrix && "/?".utf8.contains(sign.byte)
      }
    }
    forget()
  }

  /// Replaces the value of a JSON member in a text, which is quoted or a number.
  private mutating func replaceMember() {
    while place < text.count, sign(at: place).byte <= 0x20 { keep(sign(at: place)) }
    guard place < text.count else { return }
    let opening = sign(at: place)
    if Self.quotes.contains(opening.byte) {
      keep(opening)
      skip { $0.byte == opening.byte && $0.depth <= opening.depth && $0.length <= opening.length }
    } else if opening.byte == UInt8(ascii: "-") || (48...57).contains(opening.byte) {
      skip { !Self.isNamed($0.byte) && $0.byte != UInt8(ascii: "+") }
    } else {
      return note(Sign(byte: UInt8(ascii: ":"), length: 0, depth: 0))
    }
    forget()
  }

  /// Skips the value without copying it and writes the mark.
  private mutating func skip(until isEnd: (Sign) -> Bool) {
    let start = place
    while place < text.count {
      let sign = sign(at: place)
      if isEnd(sign) { break }
      place += sign.length
    }
    guard place > start else { return }
    let mark = Array(Redaction.mark.utf8)
    if !text[start..<place].elementsEqual(mark) { hasChanged = true }
    written += mark
  }

  /// Resets the state of the reading after a value.
  private mutating func forget() { (name, quoted, before, last) = ([], [], 0, (0, 0)) }

  private mutating func keep(_ sign: Sign) {
    written += text[place..<place + sign.length]
    place += sign.length
  }

  private static func isNamed(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, 0x80...: true
    default: "_.-[]$".utf8.contains(byte)
    }
  }

  /// Reads `=`, `%3D`, `%253D`, `\u003d`, `\x3d`, `\"`, `&#61;` and `&amp;` as the character that each stands for.
  private func sign(at index: Int) -> Sign {
    let byte = text[index]
    switch byte {
    case UInt8(ascii: "%"):
      var (digits, depth) = (index + 1, 1)
      while digits + 2 < text.count, text[digits] == UInt8(ascii: "2"), text[digits + 1] == UInt8(ascii: "5"),
        Self.hex(text[digits + 2]) != nil
      {
        (digits, depth) = (digits + 2, depth + 1)
      }
      guard let value = number(digits, 2) else { return Sign(byte: byte, length: 1, depth: 0) }
      return Sign(byte: value, length: digits + 2 - index, depth: depth)
    case UInt8(ascii: "\\") where index + 1 < text.count: return escaped(index)
    case UInt8(ascii: "&") where kind == .markup: return reference(index)
    default: return Sign(byte: byte, length: 1, depth: 0)
    }
  }

  private func escaped(_ index: Int) -> Sign {
    switch text[index + 1] {
    case UInt8(ascii: "u"):
      if let value = number(index + 4, 2), text[index + 2] == 48, text[index + 3] == 48 {
        return Sign(byte: value, length: 6, depth: 0)
      }
    case UInt8(ascii: "x"):
      if let value = number(index + 2, 2) { return Sign(byte: value, length: 4, depth: 0) }
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return Sign(byte: 0x20, length: 2, depth: 0)
    case let next where "/\"'`\\".utf8.contains(next): return Sign(byte: next, length: 2, depth: 0)
    default: break
    }
    return Sign(byte: text[index], length: 1, depth: 0)
  }

  /// Reads the HTML references that occur in addresses.
  private func reference(_ index: Int) -> Sign {
    let names: [(String, Character)] = [
      ("&amp;", "&"), ("&#38;", "&"), ("&#x26;", "&"), ("&#61;", "="), ("&#x3d;", "="), ("&equals;", "="),
    ]
    for (name, meaning) in names {
      let end = index + name.utf8.count
      guard end <= text.count, let byte = meaning.asciiValue else { continue }
      if zip(text[index..<end], name.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
        return Sign(byte: byte, length: name.utf8.count, depth: 0)
      }
    }
    return Sign(byte: text[index], length: 1, depth: 0)
  }

  private func number(_ index: Int, _ count: Int) -> UInt8? {
    guard index + count <= text.count else { return nil }
    return text[index..<index + count].reduce(UInt8?(0)) { value, byte in
      guard let value, let digit = Self.hex(byte) else { return nil }
      return value &* 16 &+ digit
    }
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
