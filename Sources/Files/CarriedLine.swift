/// A line for a worker, with words before it about the job's files: who brings files needn't read jobs.
///
/// The pool says there what a job needs, and the carrier passes the line on with where that is.
package struct CarriedLine: Hashable, Sendable {
  /// What is said of one path.
  package struct Word: Hashable, Sendable {
    /// What a path is to the job.
    package enum Kind: String, Sendable {
      /// The folder that results are written to.
      case output
      /// A creative, with all in it if it is a folder, and else with what lies beside it.
      case creative
      /// A creative's file that needs nothing beside it.
      case alone
      /// A file that may name what lies beside it.
      case document
      /// What the caller calls a place, for whoever reads of it.
      case name
    }

    package let kind: Kind
    package let path: String
    /// Where the worker finds it; empty before it has been brought.
    package let place: String

    package init(_ kind: Kind, _ path: String, at place: String = "") {
      (self.kind, self.path, self.place) = (kind, path, place)
    }
  }

  package let words: [Word]
  /// The request itself.
  package let text: String

  package init(words: [Word], text: String) { (self.words, self.text) = (words, text) }

  /// Reads a line; one without words is a request alone.
  package init(_ line: String) {
    // A request is a JSON object, and no word has a brace.
    let start = line.utf8.firstIndex(of: UInt8(ascii: "{")) ?? line.startIndex
    words = line[..<start].split(separator: " ").compactMap(Word.init)
    text = String(line[start...])
  }

  /// As it goes through a pipe, without a line feed.
  package var bytes: [UInt8] { Array((words.map(\.text) + [text]).joined(separator: " ").utf8) }
}

extension CarriedLine.Word {
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(Self.unescaped)
    guard parts.count == 3, let kind = Kind(rawValue: parts[0]) else { return nil }
    self.init(kind, parts[1], at: parts[2])
  }

  fileprivate var text: String { "\(kind.rawValue)=\(Self.escaped(path))=\(Self.escaped(place))" }

  /// Letters, digits and what paths mostly have; any other byte as `%2a`.
  private static func escaped(_ path: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/.-_".utf8)
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      bytes += plain.contains(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ text: Substring) -> String {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
