internal import Foundation
internal import FoundationXML

/// Builds the tree of an XML document, and reports the line of an error in it.
final class XMLTreeReader: NSObject {
  /// Open elements, outermost first.
  private var open: [XMLTree] = []
  private var root: XMLTree?
  /// Refusal of a document that uses XML features that no ad needs, with the line.
  private var refusal: VASTParseError?
  /// First error that the parser reported.
  private var failure: VASTParseError?

  /// Maximum depth of elements; a deeper document isn't an ad but an attack on the parser.
  private static let deepest = 64

  /// Returns the root element; throws if the bytes aren't well-formed XML.
  static func read(_ bytes: [UInt8]) throws(VASTParseError) -> XMLTree {
    let bytes = try XMLText.prepared(bytes)
    let reader = XMLTreeReader()
    let parser = XMLParser(data: Data(bytes))
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isWhole = parser.parse()
    if let refusal = reader.refusal { throw refusal }
    guard isWhole, let root = reader.root else {
      throw reader.failure
        ?? VASTParseError(
          code: .xmlParsing, line: max(1, parser.lineNumber), column: parser.columnNumber,
          reason: XMLFailure.reason(parser.parserError))
    }
    return root
  }

  private func refuse(_ parser: XMLParser, _ reason: String) {
    guard refusal == nil else { return }
    refusal = VASTParseError(
      code: .xmlParsing, line: parser.lineNumber, column: parser.columnNumber, reason: reason)
    parser.abortParsing()
  }

  /// Returns the name without a namespace prefix.
  private static func local(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}

extension XMLTreeReader: XMLParserDelegate {
  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard open.count < Self.deepest else {
      return refuse(parser, "elements are nested more than \(Self.deepest) levels deep")
    }
    let named = Dictionary(attributes.map { (Self.local($0.key), $0.value) }) { first, _ in first }
    open.append(XMLTree(name: Self.local(name), attributes: named, line: parser.lineNumber))
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    guard var element = open.popLast() else { return }
    element.text = element.text.trimmedXML
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  /// Refuses an entity declaration; normally none gets here, since a DTD is refused before.
  func parser(_ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?) {
    refuse(parser, "it declares an entity, which isn't supported")
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += text
  }

  func parser(_ parser: XMLParser, foundCDATA data: Data) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += String(decoding: data, as: UTF8.self)
  }

  /// Stores the first error as the reason, since the parser also reports the errors that follow from it.
  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    guard failure == nil else { return }
    failure = VASTParseError(
      code: .xmlParsing, line: max(1, parser.lineNumber), column: parser.columnNumber,
      reason: XMLFailure.reason(error, open: open.last))
  }
}

/// Bytes of an XML document, prepared for the parser: in an encoding that can be searched, without a DTD.
///
/// Entities can make a small document endless, or make it read files of this machine. They need a DTD, which stands
/// before the root element; nothing after that is checked, since markup in CDATA may begin with a doctype.
enum XMLText {
  /// Returns the bytes in an encoding the parser reads, without a declaration of another; throws for a DTD or an
  /// unsupported encoding.
  static func prepared(_ bytes: [UInt8]) throws(VASTParseError) -> [UInt8] {
    let text: [UInt8]
    if let encoding = wide(bytes) {
      guard let decoded = String(data: Data(bytes), encoding: encoding) else {
        throw VASTParseError(code: .xmlParsing, line: 1, reason: "its bytes don't match its byte order mark")
      }
      text = Array(decoded.drop { $0 == "\u{FEFF}" }.utf8)
    } else {
      text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }
    return try checked(text, isConverted: text != bytes)
  }

  /// Returns an encoding of more than one byte per character; nil for those in which markup is ASCII.
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

  /// Checks the text before the root element for a DTD and for its encoding.
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
        let reason = "it has a document type declaration (DTD), which isn't supported"
        throw VASTParseError(code: .xmlParsing, line: line(of: start, in: text), reason: reason)
      } else {
        return text
      }
    }
    throw VASTParseError(code: .xmlParsing, line: 1, reason: "it has no root element")
  }

  /// Encodings in which `<` has the ASCII byte and no other, so that a DTD can't be hidden.
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
        reason: "its encoding, \(String(match.output.1).shortened), isn't supported")
    }
  }

  private static func line(of index: Int, in text: [UInt8]) -> Int {
    text[..<index].count { $0 == UInt8(ascii: "\n") } + 1
  }
}

/// Descriptions of the most frequent XML errors.
enum XMLFailure {
  /// Returns one clause that the user can act on; libxml2's number for a rare error.
  static func reason(_ error: (any Error)?, open: XMLTree? = nil) -> String {
    guard let error = error as NSError? else { return "it isn't XML" }
    if let open {
      if error.code == 5 || error.code == 77 {
        return "the document ends before <\(open.name)> of line \(open.line) is closed"
      }
      if error.code == 76 { return "the end tag doesn't match <\(open.name)> of line \(open.line)" }
    }
    return byCode[error.code] ?? "it isn't well-formed XML (libxml2 error \(error.code))"
  }

  /// Descriptions by libxml2's error number.
  private static let byCode: [Int: String] = [
    4: "it has no root element",
    5: "content after the end of the document",
    9: "a character that XML doesn't allow",
    23: "an & that starts no entity: write &amp;, or put addresses into <![CDATA[…]]>",
    26: "an unknown entity",
    38: "a < inside an attribute's value",
    39: "an attribute's value without quotes",
    40: "an attribute's value without a closing quote",
    41: "an attribute without a value",
    42: "a duplicate attribute",
    62: "a ]]> outside of CDATA",
    63: "a CDATA section without an end",
    65: "no space between two attributes",
    68: "an & or < without a name: write &amp; and &lt;, or use <![CDATA[…]]>",
    73: "a tag without its >",
    76: "an end tag without a start tag",
    81: "an unknown encoding",
  ]
}
