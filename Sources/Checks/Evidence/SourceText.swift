/// A text file of the creative's with its comments blanked out, lines where they were.
struct SourceText: Hashable, Sendable {
  let path: String
  let text: String

  /// Comments in the manner of HTML, CSS and JavaScript; `//` only where a line begins with it, or it would be an address.
  init(path: String, text: String) {
    self.path = path
    self.text = Self.blank(text)
  }

  /// Where something is in the file.
  func place(of index: String.Index) -> Finding.Place {
    let before = text[..<index]
    let line = before.utf8.count(where: { $0 == UInt8(ascii: "\n") }) + 1
    let start = before.lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex
    return Finding.Place(file: path, line: line, column: text.distance(from: start, to: index) + 1)
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
