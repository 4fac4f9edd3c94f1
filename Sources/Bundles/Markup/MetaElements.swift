/// What a page says in `<meta name="…" content="…">`, by name.
package enum MetaElements {
  /// How far into the document is looked.
  private static let scanned = 1 << 16

  /// Names in lower case, contents decoded and trimmed; of equal names the first counts.
  package static func read(_ html: [UInt8]) -> [String: String] {
    var scanner = HTMLScanner(TextEncoding.utf8(Array(html.prefix(scanned))))
    var contents: [String: String] = [:]
    while let token = scanner.next() {
      guard case .tag(let tag) = token, tag.name == "meta", let name = tag.attributes["name"] else { continue }
      let key = HTMLText.trim(name).lowercased()
      if contents[key] == nil { contents[key] = HTMLText.trim(HTMLText.decode(tag.attributes["content"] ?? "")) }
    }
    return contents
  }
}
