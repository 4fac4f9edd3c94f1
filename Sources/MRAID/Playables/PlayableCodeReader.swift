internal import Core

/// Reading of one script for calls.
struct PlayableCodeReader {
  /// Text in the script.
  struct Text {
    let range: Range<Int>
    /// Indicates if the script runs it as code.
    let runs: Bool
  }

  /// Findings so far; complete at the script's end.
  private(set) var found = PlayableCodeFindings()
  private let bytes: [UInt8]
  private let wanted: PlayableCodeNames
  private var tokens: ScriptTokens
  private var chain = Chain()
  /// Token before the current one.
  private var previous = Neighbour.other
  /// Token before the bracket that was opened last.
  private var bracketOwner = Neighbour.other
  private var expectation = Expectation.none
  /// Number of open brackets, and the calls whose arguments are open with their numbers.
  private var depth = 0
  private var open: [(depth: Int, call: PlayableCode.Call)] = []
  /// Call whose bracket was closed by the previous token; a brace makes a definition of it.
  private var closed: PlayableCode.Call?

  init(_ bytes: [UInt8], in range: Range<Int>, _ wanted: PlayableCodeNames) {
    (self.bytes, self.wanted) = (bytes, wanted)
    tokens = ScriptTokens(bytes, in: range)
  }

  /// Reads on to the next text; nil at the script's end.
  mutating func nextText() -> Text? {
    while let token = tokens.next() {
      switch token {
      case .name(let range): take(name: wanted.name(bytes[range]))
      case .text(let range): if let runs = take(text: bytes[range]) { return Text(range: range, runs: runs) }
      case .number, .pattern: take(.other)
      case .sign(let sign, let next): take(sign: sign, then: next)
      }
    }
    take(.other)
    found.calls.formUnion(open.map(\.call))
    return nil
  }
}

extension PlayableCodeReader {
  /// Token beside a name that decides its meaning.
  private enum Neighbour: Equatable {
    /// Word of the language.
    case word(String)
    case sign(Character, then: UInt8)
    /// Value, or nothing at all.
    case other

    /// Sign, or nil for none.
    var sign: Character? { if case .sign(let sign, _) = self { sign } else { nil } }

    /// Indicates if it assigns to what stands before it.
    var assigns: Bool {
      guard case .sign("=", let next) = self else { return false }
      return next != UInt8(ascii: "=") && next != UInt8(ascii: ">")
    }

    func isOne(of words: Set<String>) -> Bool { if case .word(let word) = self { words.contains(word) } else { false } }
  }

  /// Names joined by dots or by texts in brackets; names that don't matter are empty.
  private struct Chain {
    var names: [String] = []
    /// Token before it.
    var before = Neighbour.other
    /// Indicates that it ends with a dot.
    var isDotted = false
    /// Name in the bracket at its end, empty before the name; nil without a bracket.
    var bracket: String?
    /// Indicates that the bracket has its name.
    var hasName = false
  }

  /// Meaning of the first arguments of the call whose bracket was opened by the previous token.
  private enum Expectation: Equatable {
    case none
    /// Text that tells calls of one function apart; it belongs to the window or to an object that may be the window.
    case argument([PlayableCode.Call], isOwn: Bool)
    /// Text that is run; other values are run as well, or are functions.
    case code(isAlwaysText: Bool)
    /// Name of an element.
    case element
    /// Name of an attribute, the comma behind it, and its value.
    case attribute, comma, handler
  }

  private mutating func take(name: String) {
    if chain.bracket == nil, chain.isDotted {
      chain.names.append(name)
      chain.isDotted = false
      return
    }
    let isOperator = PlayableCodeNames.operators.contains(name)
    let before = take(isOperator ? .word(name) : .other)
    if !isOperator { chain = Chain(names: [name], before: before) }
  }

  /// Reads a text; returns true if it is run, nil if it is the name of a member.
  private mutating func take(text: ArraySlice<UInt8>) -> Bool? {
    if chain.bracket != nil, !chain.hasName {
      chain.bracket = wanted.name(text)
      chain.hasName = true
      return nil
    }
    let expectation = expectation
    self.expectation = .none
    take(.other)
    let word = wanted.word(text)
    if !word.isEmpty { found.words.insert(word) }
    switch expectation {
    case .argument(let calls, let isOwn):
      let meant = calls.filter { $0.argument == word }
      if isOwn { found.calls.formUnion(meant) } else { found.possible.formUnion(meant) }
    case .element: if word == "script" { found.runsText = true }
    case .attribute: if text.starts(with: Array("on".utf8)) { self.expectation = .comma }
    case .code, .handler: return true
    case .comma, .none: break
    }
    return false
  }

  private mutating func take(sign: UInt8, then next: UInt8) {
    let character = Character(UnicodeScalar(sign))
    switch character {
    case "." where chain.bracket == nil:
      if chain.names.isEmpty { chain = Chain(names: [""], before: take(.sign(".", then: next))) }
      chain.isDotted = true
      return
    case "[" where chain.bracket == nil && !(chain.names.isEmpty && previous.sign != ")" && previous.sign != "]"):
      if chain.names.isEmpty { chain = Chain(names: [""], before: take(.sign("[", then: next))) }
      (chain.isDotted, chain.bracket, chain.hasName) = (false, "", false)
      return
    case "]" where chain.hasName:
      chain.names.append(chain.bracket ?? "")
      (chain.bracket, chain.hasName) = (nil, false)
      return
    default: break
    }
    let before = take(.sign(character, then: next))
    if character == "(" { bracketOwner = before }
    if character == ")" { closeBracket() }
  }

  /// Takes any other token: ends what the tokens before it began; returns the token before it.
  @discardableResult private mutating func take(_ token: Neighbour) -> Neighbour {
    meet(token)
    if let call = closed, token.sign != "{" { found.calls.insert(call) }
    closed = nil
    if token.sign == "(" { depth += 1 }
    if !chain.names.isEmpty {
      finish(next: chain.bracket == nil ? token : .sign("[", then: 0))
      chain = Chain()
    }
    let before = previous
    previous = token
    return before
  }

  private mutating func closeBracket() {
    if let last = open.last, last.depth == depth {
      closed = last.call
      open.removeLast()
    }
    depth = max(0, depth - 1)
  }

  /// Compares a token other than a text with what is expected.
  private mutating func meet(_ token: Neighbour) {
    switch expectation {
    case .argument: if token.sign != ")" { found.posts = true }
    case .code(let isAlwaysText): if isAlwaysText, token.sign != ")" { found.runsText = true }
    case .comma where token.sign == ",":
      expectation = .handler
      return
    case .element, .attribute, .comma, .handler, .none: break
    }
    expectation = .none
  }
}

extension PlayableCodeReader {
  /// Judges the chain of names, which `next` ends.
  private mutating func finish(next: Neighbour) {
    for name in chain.names where !name.isEmpty { found.names.insert(name) }
    let owners = chain.names.dropLast().prefix { PlayableCode.windows.contains($0) }.count
    let path = chain.names.dropFirst(owners)
    let isCalled = next.sign == "("
    findLong(in: path, isAssigned: next.assigns)
    findShort(in: path, isOfWindow: owners > 0, next: next)
    if isValue(next: next) { findValues(in: path) }
    guard isCalled, let function = path.last else {
      if path == ["eval"], !chain.before.isOne(of: ["typeof", "function"]), !next.assigns { found.runsText = true }
      return
    }
    guard expectation == .none else { return }
    switch function {
    case "eval" where path.count == 1, "Function" where path.count == 1: expectation = .code(isAlwaysText: true)
    case "setTimeout" where path.count == 1, "setInterval" where path.count == 1:
      expectation = .code(isAlwaysText: false)
    case "createElement": expectation = .element
    case "setAttribute": expectation = .attribute
    default: break
    }
  }

  /// Finds calls whose names have several parts; reading such a function is as good as a call, setting it isn't.
  private mutating func findLong(in path: ArraySlice<String>, isAssigned: Bool) {
    for start in path.indices {
      for call in wanted.byFirst[path[start]] ?? [] where call.parts.count > 1 {
        let end = start + call.parts.count
        guard end <= path.endIndex, path[start..<end].elementsEqual(call.parts), end < path.endIndex || !isAssigned
        else { continue }
        found.calls.insert(call)
      }
    }
  }

  /// Finds calls of one name, which must be the window's.
  private mutating func findShort(in path: ArraySlice<String>, isOfWindow: Bool, next: Neighbour) {
    guard let first = path.first, let last = path.last else { return }
    let isCalled = next.sign == "("
    let isIndirect = path.count == 2 && isCalled && ["call", "apply", "bind"].contains(last)
    guard path.count == 1 || isIndirect else {
      // Another object's function of this name, unless the object is the window by another name.
      let posted = (wanted.byFirst[last] ?? []).filter { $0.parts.count == 1 && $0.argument != nil }
      if isCalled, !posted.isEmpty { expectation = .argument(posted, isOwn: false) }
      return
    }
    let calls = (wanted.byFirst[first] ?? []).filter { $0.parts.count == 1 }
    let isDefined = next.assigns || chain.before.isOne(of: ["function", "class", "var", "let", "const", "typeof"])
    guard !calls.isEmpty, !isDefined else { return }
    let posted = calls.filter { $0.argument != nil }
    if isCalled, !isIndirect, !posted.isEmpty { expectation = .argument(posted, isOwn: true) }
    guard let call = calls.first(where: { $0.argument == nil }) else { return }
    if isOfWindow || isIndirect {
      found.calls.insert(call)
    } else if isCalled {
      open.append((depth, call))
    } else if isValue(next: next) {
      found.values.insert(first)
    }
  }

  /// Finds values that lead to a call by another name: the first parts of its name, stored or passed on.
  private mutating func findValues(in path: ArraySlice<String>) {
    for count in 1...3 where count <= path.count {
      let end = path.suffix(count)
      for call in wanted.byFirst[end[end.startIndex]] ?? [] where call.parts.count > count {
        if call.parts.prefix(count).elementsEqual(end) { found.values.insert(end.joined(separator: ".")) }
      }
    }
  }

  /// Indicates if the chain's value is stored or passed on, rather than only tested.
  private func isValue(next: Neighbour) -> Bool {
    switch next.sign {
    case "(", "&", "?", "=", "[", "!", "<", ">": return false
    case ":": if chain.before.sign != "?" { return false }
    default: break
    }
    switch chain.before.sign {
    case "=", ":", ",", "[", "?", "|": return true
    case "(": return !bracketOwner.isOne(of: ["if", "while", "switch"])
    default: return chain.before.isOne(of: ["return", "of", "in", "yield", "await"])
    }
  }
}
