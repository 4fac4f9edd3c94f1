internal import Core
internal import MRAID

/// A creative's own files, as they were delivered.
package struct Inventory: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    /// Below the creative's root: `img/logo.png`.
    package var path: String
    package var bytes: Int
    /// Of documents, scripts and styles; nil for everything else.
    package var text: String?
    /// Of data files, which may name others: JSON, atlases, fonts' descriptions.
    package var names: String?
    /// Where data was left out of the text.
    package var gaps: [Excerpt.Gap]
    /// Whether the text goes on beyond what was read, so that what isn't found in it may be there.
    package var isCut: Bool

    package init(
      path: String, bytes: Int, text: String? = nil, names: String? = nil, gaps: [Excerpt.Gap] = [],
      isCut: Bool = false
    ) {
      self.path = path
      self.bytes = bytes
      self.text = text
      self.names = names
      self.gaps = gaps
      self.isCut = isCut
    }

    /// A file made of this text.
    package init(path: String, text: String) {
      self.init(path: path, bytes: text.utf8.count, text: text)
    }
  }

  /// html, folder, zip or fragment, as in the record.
  package var kind: String
  /// The delivered file's or folder's name.
  package var name: String
  /// The zip's own size.
  private var packed: Int?
  /// The document's path.
  package var entry: String
  /// Sorted by path. Beside a single document only what it names is known to be its own.
  package let files: [File]
  /// The documents, scripts and styles among them, to look for passages in; whatever comes as `mraid.js` never runs.
  let sources: [SourceText]

  package init(kind: String, name: String, packed: Int? = nil, entry: String = "index.html", files: [File]) {
    self.kind = kind
    self.name = name
    self.packed = packed
    self.entry = entry
    self.files = files
    sources = files.compactMap { file in
      guard !MRAIDScriptRequest.matches(file.path) else { return nil }
      return file.text.map { SourceText(path: file.path, text: $0, gaps: file.gaps) }
    }
  }

  /// Whether `files` is everything that was delivered, rather than what was found to be used.
  package var isWhole: Bool { kind == "zip" || kind == "folder" }
  /// Whether texts are there of which only the beginning was read.
  var isCut: Bool { files.contains(where: \.isCut) }
  /// What is handed in: the zip, or else every file.
  package var deliveredBytes: Int { packed ?? files.reduce(0) { $0 + $1.bytes } }
}

/// A text file of the creative's with its comments blanked out, lines where they were.
struct SourceText: Hashable, Sendable {
  let path: String
  let text: String
  /// Where data was left out; what follows on the same line stands further right in the file.
  let gaps: [Excerpt.Gap]

  /// Comments in the manner of HTML, CSS and JavaScript; `//` only where a line begins with it, or it would be an address.
  init(path: String, text: String, gaps: [Excerpt.Gap] = []) {
    self.path = path
    self.gaps = gaps
    self.text = Self.blank(text)
  }

  /// Where something is in the file.
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
      for place in code { bytes[place] = UInt8(ascii: " ") }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `begins` says whether a comment can begin after a byte, nil at the beginning.
  private static func blank(
    _ bytes: inout [UInt8], from open: [UInt8], to close: [UInt8], begins: (UInt8?) -> Bool
  ) {
    var index = 0
    while let start = bytes.firstRange(of: open, from: index) {
      index = start + open.count
      guard begins(start > 0 ? bytes[start - 1] : nil) else { continue }
      let end = bytes.firstRange(of: close, from: index).map { $0 + close.count } ?? bytes.count
      for place in start..<end where bytes[place] != UInt8(ascii: "\n") { bytes[place] = UInt8(ascii: " ") }
      index = end
    }
  }
}

extension [UInt8] {
  /// Where `pattern` begins at or after `from`.
  fileprivate func firstRange(of pattern: [UInt8], from: Int) -> Int? {
    guard let first = pattern.first, from <= count - pattern.count else { return nil }
    return (from...count - pattern.count).first {
      self[$0] == first && self[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
  }
}

extension CheckContext {
  /// Something that stands in the creative's own code.
  struct Passage {
    let text: String
    let place: Finding.Place
    /// What stands just before it.
    let before: String
  }

  /// The creative's own code, comments blanked out.
  var sources: [SourceText] { inventory?.sources ?? [] }

  /// Places where a pattern stands; files without any of the hints aren't searched, which matters in large scripts.
  ///
  /// A word ends at a dot here, as it does in code and doesn't in Unicode's own sense.
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

  /// A remark for each thing found, at its first place.
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
  /// What stands in quotes or in `url()` and ends like a file that a page loads, in the text's order, without a scheme.
  package static func files(in text: String) -> [String] {
    text.matches(of: /["'(]([\w.\/@ -]{1,200}\.[A-Za-z0-9]{2,5})["')?#]/).map { String($0.1) }
      .filter { !$0.hasPrefix("//") }
  }
}
