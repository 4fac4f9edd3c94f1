/// Wrapper that puts markup or script as ad servers deliver it into the document that a web view needs.
enum MarkupFragment {
  /// Beginning of the document, without a doctype, as in SDKs: in quirks mode `height: 100%` fills the ad.
  private static let opening =
    #"<html><head><meta charset="utf-8">"#
    + #"<meta name="viewport" content="width=device-width, initial-scale=1">"#
    + "<style>html,body{margin:0;padding:0}</style></head><body>"
  private static let closing = "</body></html>"

  /// Returns the fragment in a minimal document, without a byte order mark; nil if `bytes` are a document already.
  ///
  /// `isScript` indicates that the text is JavaScript unless it starts with `<`.
  static func wrapped(_ bytes: [UInt8], isScript: Bool) -> [UInt8]? {
    let text = TextEncoding.utf8(bytes)
    if isScript, text.first(where: { !$0.isHTMLSpace }) != UInt8(ascii: "<") {
      return Array("\(opening)<script>".utf8) + embeddable(text) + Array("</script>\(closing)".utf8)
    }
    return isDocument(text) ? nil : Array(opening.utf8) + text + Array(closing.utf8)
  }

  /// Indicates if the text has a doctype or an html, head or body tag, outside scripts, comments and attributes.
  static func isDocument(_ text: [UInt8]) -> Bool {
    var scanner = HTMLScanner(text)
    while let token = scanner.next() {
      switch token {
      case .doctype: return true
      case .tag(let tag) where ["html", "head", "body"].contains(tag.name): return true
      case .tag: break
      }
    }
    return false
  }

  /// Escapes tags in JavaScript that would end an inline script element or, after `<!--`, prevent its end.
  private static func embeddable(_ script: [UInt8]) -> [UInt8] {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(script.count)
    var isAfterComment = false
    for (index, byte) in script.enumerated() {
      let rest = byte == UInt8(ascii: "<") ? script[index...].prefix(9) : []
      isAfterComment = isAfterComment || rest.starts(with: "<!--".utf8)
      if isTag("</script", rest) {
        escaped += Array(#"<\"#.utf8)
      } else if isAfterComment, isTag("<script", rest) {
        escaped += Array(#"\x3C"#.utf8)
      } else {
        escaped.append(byte)
      }
    }
    return escaped
  }

  /// Indicates if `text` starts with a complete tag name, unlike `i<scripts.length`.
  private static func isTag(_ tag: String, _ text: ArraySlice<UInt8>) -> Bool {
    guard text.lowercasedASCII.starts(with: tag.utf8) else { return false }
    let next = text.dropFirst(tag.utf8.count).first
    return next.map { $0.isHTMLSpace || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") } ?? false
  }
}
