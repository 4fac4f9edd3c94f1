/// Line for a worker, preceded by words about the job's files, so that the program that brings files needn't read jobs.
///
/// The pool lists there the paths that a job needs, and the carrier forwards the line with the places where they are
/// now.
package struct BrokeredLine: Hashable, Sendable {
  /// Statement about one path.
  package struct Word: Hashable, Sendable {
    /// Role of a path in the job.
    package enum Kind: String, Sendable {
      /// The folder that results are written to.
      case output
      /// A creative: a folder with all its contents, or a file with everything beside it.
      case creative
      /// A creative's file that needs nothing beside it.
      case alone
      /// A file that may refer to files beside it.
      case document
      /// The caller's name for a place, for messages to the user.
      case name
    }

    package let kind: Kind
    package let path: String
    /// Path at which the worker finds it; empty before it has been brought.
    package let place: String

    package init(_ kind: Kind, _ path: String, at place: String = "") {
      (self.kind, self.path, self.place) = (kind, path, place)
    }
  }

  package let words: [Word]
  /// The request itself, a JSON object.
  package let text: String

  package init(words: [Word], text: String) { (self.words, self.text) = (words, text) }

  /// Reads a line; one without words is a plain request.
  package init(_ line: String) {
    // A request is a JSON object, and no word has a brace.
    let start = line.utf8.firstIndex(of: UInt8(ascii: "{")) ?? line.startIndex
    words = line[..<start].split(separator: " ").compactMap(Word.init)
    text = String(line[start...])
  }

  /// The line as sent through a pipe, without a line feed.
  package var bytes: [UInt8] { Array((words.map(\.text) + [text]).joined(separator: " ").utf8) }
}

extension BrokeredLine.Word {
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(Self.unescaped)
    guard parts.count == 3, let kind = Kind(rawValue: parts[0]) else { return nil }
    self.init(kind, parts[1], at: parts[2])
  }

  fileprivate var text: String { "\(kind.rawValue)=\(Self.escaped(path))=\(Self.escaped(place))" }

  /// Keeps letters, digits and the usual characters of paths; writes any other byte like `%2a`.
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
