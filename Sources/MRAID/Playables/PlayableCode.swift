internal import Core

/// Search of code for calls of networks' functions: the one rule for everything that asks about them.
///
/// Comments, texts and a page's own words are no code. The time is linear in the code's size.
package struct PlayableCode: Hashable, Sendable {
  /// Call as data files write it: `FbPlayableAd.onCTAClick`, or `parent.postMessage('download')`.
  package struct Call: Hashable, Sendable {
    /// Parts of the name without the window's, as `FbPlayableAd` and `onCTAClick`.
    package let parts: [String]
    /// First argument, if the call is only meant with it.
    package let argument: String?

    package init(_ text: String) {
      parts = Array(
        text.prefix { $0 != "(" }.split(separator: ".").map(String.init).drop { PlayableCode.windows.contains($0) })
      let quoted = text.drop { $0 != "'" && $0 != "\"" }.dropFirst()
      let argument = quoted.prefix { $0 != "'" && $0 != "\"" }
      self.argument = argument.isEmpty ? nil : String(argument)
    }
  }

  /// Certainty that code calls a function.
  package enum Use: Int, Sendable, Comparable {
    case none
    /// The code has all names of the call, in a form whose effect only a run shows: another name, or text that it runs.
    case possible
    case called

    package static func < (one: Use, other: Use) -> Bool { one.rawValue < other.rawValue }
  }

  /// Names by which code means its own window, or the ones around it.
  static let windows: Set<String> = ["window", "self", "globalThis", "parent", "top"]

  /// Names and calls searched for.
  let wanted: PlayableCodeNames
  /// Findings in the code itself.
  private var code = PlayableCodeFindings()
  /// Findings in texts, which are code only if the code runs texts.
  private var texts = PlayableCodeFindings()

  /// Creates a search for these calls, and for names of the page's own functions.
  package init(calls: [Call], names: [String] = []) {
    wanted = PlayableCodeNames(calls: calls, names: names)
  }

  /// Reads a script.
  package mutating func read(script bytes: [UInt8]) {
    read(bytes, in: bytes.indices, isText: false, depth: 0)
  }

  /// Reads the scripts and event handlers of a page.
  package mutating func read(page bytes: [UInt8]) { read(page: bytes, isText: false, depth: 0) }

  /// Indicates if the search was made for this call.
  package func covers(_ call: Call) -> Bool { wanted.calls.contains(call) }

  /// Returns the certainty that the files read so far make this call.
  package func use(of call: Call) -> Use {
    if code.calls.contains(call) { return .called }
    if code.mayCall(call) || code.runsText && (texts.calls.contains(call) || texts.mayCall(call)) { return .possible }
    return .none
  }

  /// Indicates if the code has a name, or a text of it alone, by which it may set a member.
  package func has(_ name: String) -> Bool {
    code.names.contains(name) || code.words.contains(name) || code.runsText && texts.names.contains(name)
  }

  /// Maximum depth of code in texts of code.
  private static let deepest = 2
}

extension PlayableCode {
  private mutating func read(page bytes: [UInt8], isText: Bool, depth: Int) {
    for part in PageCode.all(in: bytes) {
      guard part.isAttribute else {
        read(bytes, in: part.range, isText: isText, depth: depth)
        continue
      }
      let value = Self.unescaped(attribute: bytes[part.range])
      read(value, in: value.indices, isText: isText, depth: depth)
    }
  }

  private mutating func read(_ bytes: [UInt8], in range: Range<Int>, isText: Bool, depth: Int) {
    var reader = PlayableCodeReader(bytes, in: range, wanted)
    while let text = reader.nextText() {
      guard depth < Self.deepest, text.range.count >= wanted.shortest else { continue }
      let content = bytes[text.range]
      let hasTag = content.contains(UInt8(ascii: "<"))
      guard text.runs || hasTag || content.contains(UInt8(ascii: "(")) else { continue }
      let inner = Self.unescaped(text: content)
      // A page that the script writes has scripts and handlers of its own.
      if hasTag { read(page: inner, isText: isText, depth: depth + 1) }
      read(inner, in: inner.indices, isText: isText || !text.runs, depth: depth + 1)
    }
    if isText { texts.add(reader.found) } else { code.add(reader.found) }
  }

  /// Returns a text's content with its escaped characters as they are.
  private static func unescaped(text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var isEscaped = false
    for byte in text {
      if isEscaped {
        let isBlank = [UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t")].contains(byte)
        plain.append(isBlank ? UInt8(ascii: "\n") : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        plain.append(byte)
      }
    }
    return plain
  }

  /// Returns an attribute's value with its escaped quotes as they are.
  private static func unescaped(attribute: ArraySlice<UInt8>) -> [UInt8] {
    guard attribute.contains(UInt8(ascii: "&")) else { return Array(attribute) }
    let text = String(decoding: attribute, as: UTF8.self)
    let quotes = [("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&")]
    return Array(quotes.reduce(text) { $0.replacing($1.0, with: $1.1) }.utf8)
  }
}

/// Calls and names that a search is made for.
struct PlayableCodeNames: Hashable, Sendable {
  let calls: Set<PlayableCode.Call>
  /// Calls by the first part of their names.
  let byFirst: [String: [PlayableCode.Call]]
  /// Names that matter; all others are read as an empty text.
  private let names: Set<String>
  /// Texts that matter: arguments, and names that code may have as texts.
  let words: Set<String>
  /// Length in bytes of the shortest and the longest name or word.
  let shortest: Int
  private let longest: Int

  /// Words of the language, which name no values.
  static let operators: Set<String> = [
    "function", "return", "typeof", "instanceof", "new", "delete", "void", "await", "yield", "throw", "case", "in",
    "of", "else", "do", "var", "let", "const", "class", "if", "while", "switch", "extends",
  ]
  /// Functions that run texts or call other functions, and those that make scripts and handlers.
  private static let functions: Set<String> = [
    "eval", "Function", "setTimeout", "setInterval", "createElement", "setAttribute", "call", "apply", "bind",
  ]

  init(calls: [PlayableCode.Call], names: [String]) {
    self.calls = Set(calls)
    byFirst = Dictionary(grouping: self.calls.filter { !$0.parts.isEmpty }) { $0.parts[0] }
    let wanted = Set(calls.flatMap(\.parts)).union(names)
    self.names = wanted.union(Self.operators).union(Self.functions).union(PlayableCode.windows)
    words = wanted.union(calls.compactMap(\.argument)).union(["script"])
    shortest = wanted.map(\.utf8.count).min() ?? 0
    longest = self.names.union(words).map(\.utf8.count).max() ?? 0
  }

  /// Returns a name that matters; an empty text for any other.
  func name(_ bytes: ArraySlice<UInt8>) -> String { text(bytes, of: names) }

  /// Returns a text that matters; an empty one for any other.
  func word(_ bytes: ArraySlice<UInt8>) -> String { text(bytes, of: words) }

  private func text(_ bytes: ArraySlice<UInt8>, of known: Set<String>) -> String {
    guard bytes.count <= longest else { return "" }
    let text = String(decoding: bytes, as: UTF8.self)
    return known.contains(text) ? text : ""
  }
}

/// Facts on some code.
struct PlayableCodeFindings: Hashable, Sendable {
  var calls: Set<PlayableCode.Call> = []
  /// Calls on an object that may be the window.
  var possible: Set<PlayableCode.Call> = []
  /// Names in the code.
  var names: Set<String> = []
  /// Texts that consist of a name or an argument.
  var words: Set<String> = []
  /// Names and paths whose values are stored or passed on, so that they may be called by another name.
  var values: Set<String> = []
  /// Indicates if `postMessage` is called with a value that the code computes.
  var posts = false
  /// Indicates if the code runs texts that it computes.
  var runsText = false

  mutating func add(_ other: PlayableCodeFindings) {
    calls.formUnion(other.calls)
    possible.formUnion(other.possible)
    names.formUnion(other.names)
    words.formUnion(other.words)
    values.formUnion(other.values)
    posts = posts || other.posts
    runsText = runsText || other.runsText
  }

  /// Indicates if the code has all that a call needs, though not in one place.
  func mayCall(_ call: PlayableCode.Call) -> Bool {
    if possible.contains(call) { return true }
    if let argument = call.argument { return posts && words.contains(argument) }
    guard call.parts.count > 1 else { return call.parts.first.map(values.contains) ?? false }
    let isPassedOn = (1..<call.parts.count).contains { values.contains(call.parts.prefix($0).joined(separator: ".")) }
    return (isPassedOn || call.parts.first.map(words.contains) == true)
      && call.parts.allSatisfy { names.contains($0) || words.contains($0) }
  }
}
