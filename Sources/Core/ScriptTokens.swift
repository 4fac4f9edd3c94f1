/// Tokens of a script, without its comments.
///
/// Each byte is read a bounded number of times, whatever the script has.
package struct ScriptTokens {
  /// Piece of a script.
  package enum Token: Hashable, Sendable {
    /// Name, or a word of the language.
    case name(Range<Int>)
    /// Content of a text in quotes, or a part of a template literal.
    case text(Range<Int>)
    case number
    /// Regular expression.
    case pattern
    /// Any other byte, and the byte behind it; `?.` is one sign, `.`, and so is a row of `=`.
    case sign(UInt8, then: UInt8)
  }

  private let bytes: [UInt8]
  private let end: Int
  private var index: Int
  /// Indicates if a slash divides here, rather than beginning a pattern.
  private var isAfterOperand = false
  /// Indicates that the last token was a word such as `if`, whose bracket is followed by a statement.
  private var isAfterControl = false
  /// For each open bracket, if such a word stands before it.
  private var brackets: [Bool] = []
  /// For each template literal around the current place the number of open braces in its expression.
  private var templates: [Int] = []
  /// Bytes that may still be read behind slashes that turn out to begin no pattern.
  private var patience: Int

  /// Begins to read a part of a file.
  package init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    (index, end) = (range.lowerBound, range.upperBound)
    patience = 16 * range.count
  }

  /// Returns the next token; nil at the end.
  package mutating func next() -> Token? {
    while index < end {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
      case UInt8(ascii: "/") where at(1) == UInt8(ascii: "/"): skip { $0 == UInt8(ascii: "\n") }
      case UInt8(ascii: "/") where at(1) == UInt8(ascii: "*"): skipComment()
      case UInt8(ascii: "/"): return isAfterOperand ? sign(byte) : pattern()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): return text(byte)
      case UInt8(ascii: "`"):
        index += 1
        return template()
      case UInt8(ascii: "}") where templates.last == 0:
        index += 1
        templates.removeLast()
        return template()
      case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
      case _ where byte.isOfScriptName: return name()
      default: return sign(byte)
      }
    }
    return nil
  }

  private func at(_ offset: Int) -> UInt8 { index + offset < end ? bytes[index + offset] : 0 }

  private mutating func skip(to ends: (UInt8) -> Bool) {
    while index < end, !ends(bytes[index]) { index += 1 }
  }

  private mutating func skipComment() {
    index += 2
    while index < end, !(bytes[index] == UInt8(ascii: "*") && at(1) == UInt8(ascii: "/")) { index += 1 }
    index = min(end, index + 2)
  }

  private mutating func text(_ quote: UInt8) -> Token {
    let start = index + 1
    index = start
    while index < end, bytes[index] != quote, bytes[index] != UInt8(ascii: "\n") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    let content = start..<max(start, min(end, index))
    index = min(end, index + 1)
    isAfterOperand = true
    return .text(content)
  }

  /// Reads a template literal up to its end or its next expression.
  private mutating func template() -> Token {
    let start = index
    while index < end, bytes[index] != UInt8(ascii: "`") {
      if bytes[index] == UInt8(ascii: "$"), at(1) == UInt8(ascii: "{") {
        let content = start..<index
        index += 2
        templates.append(0)
        isAfterOperand = false
        return .text(content)
      }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    let content = start..<max(start, min(end, index))
    index = min(end, index + 1)
    isAfterOperand = true
    return .text(content)
  }

  private mutating func pattern() -> Token {
    var isInClass = false
    var last = index + 1
    let limit = min(end, index + patience)
    while last < limit, bytes[last] != UInt8(ascii: "\n"), isInClass || bytes[last] != UInt8(ascii: "/") {
      if bytes[last] == UInt8(ascii: "[") { isInClass = true }
      if bytes[last] == UInt8(ascii: "]") { isInClass = false }
      last += bytes[last] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard last < limit, bytes[last] == UInt8(ascii: "/") else {
      patience -= min(patience, last - index)
      return sign(UInt8(ascii: "/"))
    }
    index = last + 1
    isAfterOperand = true
    return .pattern
  }

  private mutating func number() -> Token {
    skip { !$0.isOfScriptName && $0 != UInt8(ascii: ".") }
    isAfterOperand = true
    return .number
  }

  private mutating func name() -> Token {
    let start = index
    skip { !$0.isOfScriptName }
    isAfterOperand = !Self.isOne(of: Self.wordsBeforePattern, bytes[start..<index])
    isAfterControl = Self.isOne(of: Self.wordsBeforeStatement, bytes[start..<index])
    return .name(start..<index)
  }

  /// Words of the language after which a slash begins a pattern.
  private static let wordsBeforePattern = [
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do",
  ].map { Array($0.utf8) }

  private static let wordsBeforeStatement = ["if", "while", "for", "with"].map { Array($0.utf8) }

  private static func isOne(of words: [[UInt8]], _ word: ArraySlice<UInt8>) -> Bool {
    word.count <= 6 && words.contains { $0.count == word.count && word.elementsEqual($0) }
  }

  private mutating func sign(_ byte: UInt8) -> Token {
    let next = at(1)
    index += 1
    isAfterOperand = byte == UInt8(ascii: "]")
    defer { isAfterControl = false }
    switch byte {
    case UInt8(ascii: "("): brackets.append(isAfterControl)
    case UInt8(ascii: ")"): isAfterOperand = brackets.popLast() != true
    case UInt8(ascii: "="): skip { $0 != byte }
    case UInt8(ascii: "?") where next == UInt8(ascii: ".") && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(at(1)):
      index += 1
      return .sign(UInt8(ascii: "."), then: at(0))
    case UInt8(ascii: "{"): if let open = templates.last { templates[templates.count - 1] = open + 1 }
    case UInt8(ascii: "}"): if let open = templates.last { templates[templates.count - 1] = open - 1 }
    default: break
    }
    return .sign(byte, then: next)
  }
}
