internal import Foundation

/// An XML document's bytes, made ready for the parser: in an encoding that can be looked through, without a DTD.
///
/// Entities make a small document an endless one, or one that reads this machine's files. They need a DTD, which
/// stands before the root element; nothing after that is looked at, since markup in CDATA may begin with a doctype.
enum XMLText {
  /// The bytes without a declaration that speaks of another encoding than theirs.
  static func prepared(_ bytes: [UInt8]) throws(VASTParseError) -> [UInt8] {
    let text: [UInt8]
    if let encoding = wide(bytes) {
      guard let decoded = String(data: Data(bytes), encoding: encoding) else {
        throw VASTParseError(code: .xmlParsing, line: 1, reason: "its bytes aren't the Unicode that it begins with")
      }
      text = Array(decoded.drop { $0 == "\u{FEFF}" }.utf8)
    } else {
      text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }
    return try checked(text, isConverted: text != bytes)
  }

  /// Encodings of more than a byte a character; nil for those in which markup is ASCII.
  private static func wide(_ bytes: [UInt8]) -> String.Encoding? {
    let head = Array(bytes.prefix(4))
    switch head.count == 4 ? (head[0], head[1], head[2], head[3]) : (1, 1, 1, 1) {
    case (0, 0, 0xFE, 0xFF): return .utf32
    case (0xFF, 0xFE, 0, 0): return .utf32
    case (0, 0, 0, _): return .utf32BigEndian
    case (_, 0, 0, 0): return .utf32LittleEndian
    case (0xFE, 0xFF, _, _), (0xFF, 0xFE, _, _): return .utf16
    case (0, _, 0, _): return .utf16BigEndian
    case (_, 0, _, 0): return .utf16LittleEndian
    default: return nil
    }
  }

  /// Walks over what stands before the root element.
  private static func checked(_ text: [UInt8], isConverted: Bool) throws(VASTParseError) -> [UInt8] {
    var text = text
    var at = 0
    while let start = text[at...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = text[(start + 1)...]
      if rest.first == UInt8(ascii: "?") {
        let end = rest.firstRange(of: Array("?>".utf8))?.upperBound ?? text.endIndex
        if rest.starts(with: "?xml".utf8) {
          try checkEncoding(text[start..<end], line: line(of: start, in: text), isConverted: isConverted)
          // What it says of the encoding was true of the bytes as they came.
          if isConverted { for index in start..<end where text[index] != 0x0A { text[index] = 0x20 } }
        }
        at = end
      } else if rest.starts(with: "!--".utf8) {
        at = rest.dropFirst(3).firstRange(of: Array("-->".utf8))?.upperBound ?? text.endIndex
      } else if rest.first == UInt8(ascii: "!") {
        let reason = "it has a document type declaration (DTD), which no ad needs and which isn't read"
        throw VASTParseError(code: .xmlParsing, line: line(of: start, in: text), reason: reason)
      } else {
        return text
      }
    }
    throw VASTParseError(code: .xmlParsing, line: 1, reason: "there is no element in it")
  }

  /// Encodings in which `<` is that byte and no other, so that a DTD can't hide.
  private static let plain: [String] = [
    "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "iso8859-", "windows-125", "cp125",
  ]

  private static func checkEncoding(_ declaration: ArraySlice<UInt8>, line: Int, isConverted: Bool)
    throws(VASTParseError)
  {
    let text = String(decoding: declaration, as: UTF8.self)
    guard !isConverted, let match = text.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/) else { return }
    let name = match.output.1.lowercased()
    guard plain.contains(where: { name.hasPrefix($0) }) else {
      throw VASTParseError(
        code: .xmlParsing, line: line,
        reason: "its encoding, \(String(match.output.1).shortened), isn't one that is read")
    }
  }

  private static func line(of index: Int, in text: [UInt8]) -> Int {
    text[..<index].count { $0 == UInt8(ascii: "\n") } + 1
  }
}
