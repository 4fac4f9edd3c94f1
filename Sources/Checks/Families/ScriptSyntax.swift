internal import Core

/// Search for syntax of newer editions of ECMAScript in a script, outside its texts, patterns and comments.
struct ScriptSyntax {
  /// Piece of syntax, and the edition that it came with.
  struct Feature: Hashable, Sendable {
    let text: String
    let edition: Int

    static let arrow = Feature(text: "an arrow function", edition: 2015)
    static let template = Feature(text: "a template literal", edition: 2015)
    static let power = Feature(text: "the operator **", edition: 2016)
    static let asynchronous = Feature(text: "an async function", edition: 2017)
    static let objectSpread = Feature(text: "spread in an object", edition: 2018)
    static let bareCatch = Feature(text: "catch without a parameter", edition: 2019)
    static let chaining = Feature(text: "the operator ?.", edition: 2020)
    static let coalescing = Feature(text: "the operator ??", edition: 2020)
    static let bigInteger = Feature(text: "a BigInt", edition: 2020)
    static let global = Feature(text: "globalThis", edition: 2020)
    static let logicalAssignment = Feature(text: "a logical assignment", edition: 2021)
    static let separator = Feature(text: "a numeric separator", edition: 2021)
    static let privateMember = Feature(text: "a private member", edition: 2022)
    static let staticBlock = Feature(text: "a static block", edition: 2022)

    /// Returns the feature of a declaration by its first word.
    static func declaration(_ word: String) -> Feature { Feature(text: "\(word)", edition: 2015) }
  }

  private let bytes: [UInt8]
  private var index = 0
  /// Last byte of code that isn't white space, and the last word.
  private var last: UInt8 = 0
  private var lastWord = ""
  /// For each template literal around the current place the number of open braces in its expression.
  private var templates: [Int] = []
  private var offsets: [Feature: Int] = [:]
  /// Bytes that may still be read behind slashes that turn out to begin no pattern; it bounds the time for a hostile
  /// script.
  private var patience: Int

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    patience = 16 * bytes.count
  }

  /// Returns each feature in a script or in a page's scripts, with its first place.
  static func features(in source: SourceText) -> [(feature: Feature, index: String.Index)] {
    let text = source.text
    guard !source.path.hasSuffix(".css"), !source.path.hasSuffix(".svg") else { return [] }
    let bytes = Array(text.utf8)
    let parts = source.isScript ? [bytes.indices] : ScriptElement.all(in: bytes).filter(\.runs).map(\.content)
    var found: [(feature: Feature, index: String.Index)] = []
    for part in parts {
      var search = ScriptSyntax(Array(bytes[part]))
      search.run()
      for (feature, offset) in search.offsets where !found.contains(where: { $0.feature == feature }) {
        found.append((feature, text.utf8.index(text.startIndex, offsetBy: part.lowerBound + offset)))
      }
    }
    // A page that sets the global, or asks for it first, runs without it.
    let guards = [".globalThis=", ".globalThis =", "typeof globalThis", "\"globalThis\"", "'globalThis'"]
    let isGuarded = guards.contains { text.contains($0) }
    return found.filter { !(isGuarded && $0.feature == .global) }.sorted { $0.index < $1.index }
  }
}

extension ScriptSyntax {
  /// Reads the script once, from its beginning to its end.
  private mutating func run() {
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipText(byte)
      case UInt8(ascii: "`"): readTemplate()
      case UInt8(ascii: "/"): readSlash()
      case UInt8(ascii: "0")...UInt8(ascii: "9"): readNumber()
      case _ where byte.isOfScriptName: readWord()
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
      default: readSign(byte)
      }
    }
  }

  private func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }

  private mutating func note(_ feature: Feature) {
    if offsets[feature] == nil { offsets[feature] = index }
  }

  /// Ends a token that can be an operand, after which a slash divides.
  private mutating func endOperand() { (last, lastWord) = (UInt8(ascii: "a"), "") }

  private mutating func skipText(_ quote: UInt8) {
    index += 1
    while index < bytes.count, bytes[index] != quote, bytes[index] != UInt8(ascii: "\n") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index += 1
    endOperand()
  }

  private mutating func readTemplate() {
    note(.template)
    index += 1
    skipTemplateText()
  }

  /// Skips the text of a template literal up to its end or its next expression.
  private mutating func skipTemplateText() {
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "`") { break }
      if bytes[index] == UInt8(ascii: "$"), byte(1) == UInt8(ascii: "{") {
        index += 2
        templates.append(0)
        last = UInt8(ascii: "{")
        return
      }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index += 1
    endOperand()
  }

  private mutating func readSlash() {
    switch byte(1) {
    case UInt8(ascii: "/"): while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    case UInt8(ascii: "*"):
      index += 2
      while index < bytes.count, !(bytes[index] == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/")) { index += 1 }
      index += 2
    default: if beginsPattern { skipPattern() } else { readSign(UInt8(ascii: "/")) }
    }
  }

  /// Indicates if a slash begins a pattern rather than dividing what stands before it.
  private var beginsPattern: Bool {
    lastWord.isEmpty ? last == 0 || Self.signsBeforePattern.contains(last) : Self.wordsBeforePattern.contains(lastWord)
  }

  private static let signsBeforePattern = Array("(,=:[!&|?{};+-*%<>^~".utf8)
  private static let wordsBeforePattern: Set<String> = [
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do",
  ]
  private static let blanks = Array(" \n\r\t".utf8)

  private mutating func skipPattern() {
    var isInClass = false
    var end = index + 1
    let limit = min(bytes.count, index + patience)
    while end < limit, bytes[end] != UInt8(ascii: "\n"), isInClass || bytes[end] != UInt8(ascii: "/") {
      if bytes[end] == UInt8(ascii: "[") { isInClass = true }
      if bytes[end] == UInt8(ascii: "]") { isInClass = false }
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    let isClosed = end < limit && bytes[end] == UInt8(ascii: "/")
    if !isClosed { patience -= min(patience, end - index) }
    index = isClosed ? end + 1 : index + 1
    endOperand()
  }
}

extension ScriptSyntax {
  private mutating func readNumber() {
    var end = index
    while end < bytes.count, bytes[end].isOfScriptName || bytes[end] == UInt8(ascii: ".") { end += 1 }
    let text = bytes[index..<end]
    let isPlain = text.dropLast().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if text.last == UInt8(ascii: "n"), isPlain { note(.bigInteger) }
    if text.contains(UInt8(ascii: "_")) { note(.separator) }
    index = end
    endOperand()
  }

  private mutating func readWord() {
    var end = index
    while end < bytes.count, bytes[end].isOfScriptName { end += 1 }
    let isMember = last == UInt8(ascii: ".")
    let word = String(decoding: bytes[index..<end], as: UTF8.self)
    let next = bytes[end...].first { !Self.blanks.contains($0) } ?? 0
    if !isMember { noteWord(word, next: next) }
    index = end
    (last, lastWord) = (UInt8(ascii: "a"), isMember ? "" : word)
    if isMember { endOperand() }
  }

  /// Notes the feature that a word of the language begins, by the first byte of what comes next.
  private mutating func noteWord(_ word: String, next: UInt8) {
    let beginsName = next.isOfScriptName && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
    switch word {
    case "let", "const": if beginsName || Array("[{".utf8).contains(next) { note(.declaration(word)) }
    case "class": if beginsName || next == UInt8(ascii: "{") { note(.declaration(word)) }
    case "async": if beginsName { note(.asynchronous) }
    case "catch": if next == UInt8(ascii: "{") { note(.bareCatch) }
    case "static": if next == UInt8(ascii: "{") { note(.staticBlock) }
    case "globalThis": note(.global)
    default: break
    }
  }

  private mutating func readSign(_ sign: UInt8) {
    switch sign {
    case UInt8(ascii: "="): if byte(1) == UInt8(ascii: ">") { note(.arrow) }
    case UInt8(ascii: "*"): if byte(1) == sign { note(.power) }
    case UInt8(ascii: "?"): readQuestion()
    case UInt8(ascii: "&"), UInt8(ascii: "|"):
      if byte(1) == sign, byte(2) == UInt8(ascii: "=") { note(.logicalAssignment) }
    case UInt8(ascii: "#"): if byte(1).isOfScriptName { note(.privateMember) }
    case UInt8(ascii: "."):
      if byte(1) == sign, byte(2) == sign, last == UInt8(ascii: "{") { note(.objectSpread) }
    case UInt8(ascii: "{"): if let open = templates.last { templates[templates.count - 1] = open + 1 }
    case UInt8(ascii: "}"): if closesExpression() { return }
    default: break
    }
    index += 1
    (last, lastWord) = (sign, "")
  }

  private mutating func readQuestion() {
    let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte(2))
    if byte(1) == UInt8(ascii: "."), !isDigit { note(.chaining) }
    guard byte(1) == UInt8(ascii: "?") else { return }
    note(byte(2) == UInt8(ascii: "=") ? .logicalAssignment : .coalescing)
    index += 1
  }

  /// Ends the expression of a template literal at its brace; returns false for any other brace.
  private mutating func closesExpression() -> Bool {
    guard let open = templates.last else { return false }
    guard open == 0 else {
      templates[templates.count - 1] = open - 1
      return false
    }
    templates.removeLast()
    index += 1
    skipTemplateText()
    return true
  }
}
