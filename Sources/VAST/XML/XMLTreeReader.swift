internal import Foundation
internal import FoundationXML

/// Builds a tree of an XML document, and says on which line it is none.
final class XMLTreeReader: NSObject {
  /// Elements that are open, outermost first.
  private var open: [XMLTree] = []
  private var root: XMLTree?
  /// What the document does that no ad needs, and its line.
  private var refusal: VASTParseError?
  /// The first thing the parser stumbled over.
  private var failure: VASTParseError?

  /// Elements within each other; a document that goes deeper isn't an ad but an attack on the parser.
  private static let deepest = 64

  /// The root element; throws where the bytes aren't well-formed XML.
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

  /// The part after a namespace's prefix.
  private static func local(_ name: String) -> String {
    name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}

extension XMLTreeReader: XMLParserDelegate {
  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard open.count < Self.deepest else { return refuse(parser, "more than \(Self.deepest) elements in each other") }
    let named = Dictionary(attributes.map { (Self.local($0.key), $0.value) }) { first, _ in first }
    open.append(XMLTree(name: Self.local(name), attributes: named, line: parser.lineNumber))
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    guard var element = open.popLast() else { return }
    element.text = element.text.trimmedXML
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  /// None gets here, since a DTD is refused before; should one, nothing is made of it.
  func parser(_ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?) {
    refuse(parser, "it declares an entity of its own")
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += text
  }

  func parser(_ parser: XMLParser, foundCDATA data: Data) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text += String(decoding: data, as: UTF8.self)
  }

  /// The first is the reason; what follows from it the parser tells as well.
  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    guard failure == nil else { return }
    failure = VASTParseError(
      code: .xmlParsing, line: max(1, parser.lineNumber), column: parser.columnNumber,
      reason: XMLFailure.reason(error, open: open.last))
  }
}
