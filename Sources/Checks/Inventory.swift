internal import Core
internal import MRAID

/// A creative's own files, as they were delivered.
package struct Inventory: Hashable, Sendable {
  /// Position of the first byte of a text that isn't UTF-8.
  package struct StrayByte: Hashable, Sendable {
    /// Line from 1.
    package let line: Int
    package let column: Int
    /// Indicates if browsers read the file as UTF-8; false if it declares no encoding.
    package let isDeclared: Bool

    package init(line: Int, column: Int, isDeclared: Bool) {
      (self.line, self.column, self.isDeclared) = (line, column, isDeclared)
    }
  }

  package struct File: Hashable, Sendable {
    /// Path below the creative's root, as `img/logo.png`.
    package var path: String
    package var bytes: Int
    /// Text of documents, scripts and styles; nil for all other files.
    package var text: String?
    /// Text of data files, which may name others: JSON, atlases, font descriptions.
    package var names: String?
    /// Places where data was left out of the text.
    package var gaps: [Excerpt.Gap]
    /// Indicates if the file has more text than was read, so that a missing part may be there.
    package var isCut: Bool
    /// First byte that isn't UTF-8, if the file is read as UTF-8 or declares no encoding; nil for none.
    package var strayByte: StrayByte?

    package init(
      path: String, bytes: Int, text: String? = nil, names: String? = nil, gaps: [Excerpt.Gap] = [],
      isCut: Bool = false, strayByte: StrayByte? = nil
    ) {
      self.path = path
      self.bytes = bytes
      self.text = text
      self.names = names
      self.gaps = gaps
      self.isCut = isCut
      self.strayByte = strayByte
    }

    /// Creates a file from its text.
    package init(path: String, text: String) {
      self.init(path: path, bytes: text.utf8.count, text: text)
    }
  }

  /// Kind of creative, as in the record: html, folder, zip or fragment.
  package var kind: String
  /// Name of the delivered file or folder.
  package var name: String
  /// Size of the zip in bytes; nil for other kinds.
  private var packed: Int?
  /// Path of the document.
  package var entry: String
  /// Files, sorted by path; beside a single document only those that it names.
  package let files: [File]
  /// Documents, scripts and styles among the files, for searching; without files named `mraid.js`, which never run.
  let sources: [SourceText]
  /// Calls and functions of networks in the sources.
  let code: PlayableCode

  package init(kind: String, name: String, packed: Int? = nil, entry: String = "index.html", files: [File]) {
    self.kind = kind
    self.name = name
    self.packed = packed
    self.entry = entry
    self.files = files
    let sources = files.compactMap { file -> SourceText? in
      guard !MRAIDScriptRequest.matches(file.path) else { return nil }
      return file.text.map { SourceText(path: file.path, text: $0, gaps: file.gaps) }
    }
    self.sources = sources
    code = Self.code(of: sources)
  }

  /// Kind of package that a network receives: `html`, or `zip` for a folder too, which is zipped for delivery.
  var packageKind: String { isWhole ? "zip" : "html" }
  /// Indicates if `files` has all delivered files, rather than those found to be used.
  package var isWhole: Bool { kind == "zip" || kind == "folder" }
  /// Indicates if only the beginning of some text was read.
  var isCut: Bool { files.contains(where: \.isCut) }
  /// Size of the delivery in bytes: of the zip, or else of all files.
  package var deliveredBytes: Int { packed ?? files.reduce(0) { $0 + $1.bytes } }
}

/// Text file of a creative with its comments replaced by spaces; line numbers stay the same.
struct SourceText: Hashable, Sendable {
  let path: String
  let text: String
  /// Places where data was left out; text after one on the same line has a higher column in the file.
  let gaps: [Excerpt.Gap]

  /// Blanks comments of HTML, CSS and JavaScript; `//` only at the beginning of a line, else it may be an address.
  init(path: String, text: String, gaps: [Excerpt.Gap] = []) {
    self.path = path
    self.gaps = gaps
    self.text = Self.blank(text)
  }

  /// Returns the place in the file for an index in the text.
  func place(of index: String.Index) -> Finding.Place {
    let before = text[..<index]
    let line = before.utf8.count(where: { $0 == UInt8(ascii: "\n") }) + 1
    let start = before.lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex
    let onLine = text.utf8.distance(from: text.startIndex, to: start)..<before.utf8.count
    let missing = gaps.reduce(0) { $0 + (onLine.contains($1.offset - 1) ? $1.count : 0) }
    return Finding.Place(file: path, line: line, column: text.distance(from: start, to: index) + 1 + missing)
  }

  private static func blank(_ text: String) -> String {
    var bytes = Array(text.utf8)
    blank(&bytes, from: Array("<!--".utf8), to: Array("-->".utf8)) { _ in true }
    // Elsewhere it is a media range: image/*.
    blank(&bytes, from: Array("/*".utf8), to: Array("*/".utf8)) {
      $0.map { Array(" \t\r\n;{}(),>".utf8).contains($0) } ?? true
    }
    for line in bytes.indices.split(whereSeparator: { bytes[$0] == UInt8(ascii: "\n") }) {
      let code = line.drop { bytes[$0] == UInt8(ascii: " ") || bytes[$0] == UInt8(ascii: "\t") }
      guard code.prefix(2).map({ bytes[$0] }) == Array("//".utf8) else { continue }
      for place in code where isBlanked(bytes[place]) { bytes[place] = UInt8(ascii: " ") }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Indicates if a byte of a comment becomes a space: letters beyond ASCII stay one character each, for the columns of
  /// what follows on their line.
  private static func isBlanked(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "\n") && byte < 0x80 }

  /// Blanks comments between `open` and `close`; `begins` decides if one can begin after a byte (nil at the start).
  private static func blank(
    _ bytes: inout [UInt8], from open: [UInt8], to close: [UInt8], begins: (UInt8?) -> Bool
  ) {
    var index = 0
    while let start = bytes.firstRange(of: open, from: index) {
      index = start + open.count
      guard begins(start > 0 ? bytes[start - 1] : nil) else { continue }
      let end = bytes.firstRange(of: close, from: index).map { $0 + close.count } ?? bytes.count
      for place in start..<end where isBlanked(bytes[place]) { bytes[place] = UInt8(ascii: " ") }
      index = end
    }
  }
}

extension [UInt8] {
  /// Returns the first position of `pattern` at or after `from`; nil if there is none.
  fileprivate func firstRange(of pattern: [UInt8], from: Int) -> Int? {
    guard let first = pattern.first, from <= count - pattern.count else { return nil }
    return (from...count - pattern.count).first {
      self[$0] == first && self[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
  }
}

extension CheckContext {
  /// A passage in the creative's own code.
  struct Passage {
    let text: String
    let place: Finding.Place
    /// Text just before the passage, at most 200 characters.
    let before: String
  }

  /// The creative's own code, with its comments blanked.
  var sources: [SourceText] { inventory?.sources ?? [] }

  /// Returns the passages that match a pattern; skips files without any of the hints to save time on large scripts.
  ///
  /// Words end at dots here, as in code, but not in Unicode's own definition. At most 50 passages of a file count.
  func passages(_ pattern: Regex<some Any>, hint: String...) -> [Passage] {
    let pattern = pattern.wordBoundaryKind(.simple)
    return sources.filter { source in hint.contains { source.text.contains($0) } }.flatMap { source in
      source.text.matches(of: pattern).prefix(50).map {
        Passage(
          text: String(source.text[$0.range]), place: source.place(of: $0.range.lowerBound),
          before: String(source.text[..<$0.range.lowerBound].suffix(200)))
      }
    }
  }

  /// Returns an issue for each subject, at its first place.
  func issues(at passages: [Passage], subject: (Passage) -> String, message: (Passage) -> String) -> [CheckIssue] {
    var known: Set<String> = []
    return passages.compactMap { passage in
      let name = subject(passage)
      guard known.insert(name).inserted else { return nil }
      return CheckIssue(message(passage), subject: name, place: passage.place)
    }
  }
}

/// Names of files in a text.
package enum FileReferences {
  /// Returns names in quotes or in `url()` with a file's extension, in the text's order, without a scheme.
  package static func files(in text: String) -> [String] {
    text.matches(of: /["'(]([\w.\/@ -]{1,200}\.[A-Za-z0-9]{2,5})["')?#]/).map { String($0.1) }
      .filter { !$0.hasPrefix("//") }
  }
}
