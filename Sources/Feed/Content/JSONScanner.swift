/// Scans a JSON text value by value, counting lines.
struct JSONScanner {
  private let bytes: [UInt8]
  private var index = 0
  /// Line, from 1.
  private(set) var line = 1
  private static let deepest = 100

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Moves to a member or element of the value that begins here; false if it doesn't exist.
  mutating func enter(_ step: JSONLocator.Step) throws(JSONLocator.Problem) -> Bool {
    skipSpace()
    let isObject = peek == UInt8(ascii: "{")
    guard isObject || peek == UInt8(ascii: "[") else { return false }
    advance()
    var count = 0
    while true {
      skipSpace()
      guard let byte = peek, byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") else { return false }
      var name = JSONLocator.Step.index(count)
      if isObject {
        name = .key(try string())
        try expect(":")
      }
      skipSpace()
      if name == step { return true }
      try skipValue()
      skipSpace()
      if peek == UInt8(ascii: ",") { advance() }
      count += 1
    }
  }

  /// Skips the value that begins here; throws the line at which the text isn't valid JSON.
  mutating func skipValue(depth: Int = 0) throws(JSONLocator.Problem) {
    skipSpace()
    guard depth < Self.deepest else { throw problem("nested more than \(Self.deepest) levels deep") }
    switch peek {
    case UInt8(ascii: "{"): try skipContainer("}", depth, named: true)
    case UInt8(ascii: "["): try skipContainer("]", depth, named: false)
    case UInt8(ascii: "\""): _ = try string()
    case nil: throw problem("it ends where a value is expected")
    default: try skipWord()
    }
  }

  /// Throws unless only white space is left.
  mutating func end() throws(JSONLocator.Problem) {
    skipSpace()
    if peek != nil { throw problem("something stands after the end") }
  }

  mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { advance() }
  }

  private mutating func skipContainer(
    _ closing: Unicode.Scalar, _ depth: Int, named: Bool
  ) throws(JSONLocator.Problem) {
    advance()
    skipSpace()
    if peek == UInt8(ascii: closing) { return advance() }
    while true {
      skipSpace()
      if named {
        _ = try string()
        try expect(":")
      }
      try skipValue(depth: depth + 1)
      skipSpace()
      if peek == UInt8(ascii: closing) { return advance() }
      try expect(",")
    }
  }

  private mutating func string() throws(JSONLocator.Problem) -> String {
    guard peek == UInt8(ascii: "\"") else { throw problem("expected a name or text in quotes") }
    let begin = index + 1
    advance()
    while let byte = peek, byte != UInt8(ascii: "\"") {
      if byte < 0x20 { throw problem("text ends without a quote") }
      advance()
      if byte == UInt8(ascii: "\\") { advance() }
    }
    guard peek != nil else { throw problem("text ends without a quote") }
    defer { advance() }
    return String(decoding: bytes[begin..<index], as: UTF8.self)
  }

  /// Skips a number, `true`, `false` or `null`.
  private mutating func skipWord() throws(JSONLocator.Problem) {
    let begin = index
    while let byte = peek, Self.isWordByte(byte) { advance() }
    let word = String(decoding: bytes[begin..<index], as: UTF8.self)
    guard ["true", "false", "null"].contains(word) || (Double(word) != nil && word.first != "+") else {
      throw problem(word.isEmpty ? "unexpected \(found)" : "unexpected \(word)")
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private mutating func expect(_ sign: Unicode.Scalar) throws(JSONLocator.Problem) {
    skipSpace()
    guard peek == UInt8(ascii: sign) else { throw problem("expected \(sign), found \(found)") }
    advance()
  }

  private var found: String {
    peek.map { String(UnicodeScalar($0)) } ?? "the end"
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func advance() {
    if peek == 0x0A { line += 1 }
    index = min(index + 1, bytes.count)
  }

  private func problem(_ text: String) -> JSONLocator.Problem { JSONLocator.Problem(line: line, text: text) }
}

/// Finds the line of a value in a JSON text, since decoders don't give it.
struct JSONLocator {
  /// One step from a value into it.
  enum Step: Hashable {
    case key(String)
    case index(Int)
  }

  /// Place at which a text isn't valid JSON.
  struct Problem: Error {
    var line: Int
    var text: String
  }

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// First place that isn't valid JSON; nil if the whole text is valid.
  var problem: Problem? {
    var scanner = JSONScanner(bytes)
    do throws(Problem) {
      try scanner.skipValue()
      try scanner.end()
      return nil
    } catch {
      return error
    }
  }

  /// Returns the line, from 1, of the value at the end of the path.
  ///
  /// If the path ends early, it is the line of the last value that was found.
  func line(of path: [Step]) -> Int {
    var scanner = JSONScanner(bytes)
    scanner.skipSpace()
    var line = scanner.line
    do throws(Problem) {
      for step in path {
        guard try scanner.enter(step) else { return line }
        line = scanner.line
      }
    } catch {
      return error.line
    }
    return line
  }
}
