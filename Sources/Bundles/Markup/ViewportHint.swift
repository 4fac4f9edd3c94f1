extension BundleResource {
  /// The content of a document's last viewport meta element, as written; nil for none and for what isn't HTML.
  package var viewport: String? {
    guard mimeType == "text/html" || mimeType == "application/xhtml+xml" else { return nil }
    var scanner = HTMLScanner(TextEncoding.utf8(Array(bytes.prefix(Self.scanned))))
    var content: String?
    while let token = scanner.next() {
      guard case .tag(let tag) = token, tag.name == "meta", let name = tag.attributes["name"],
        HTMLText.trim(name).lowercased() == "viewport"
      else { continue }
      content = HTMLText.decode(tag.attributes["content"] ?? "")
    }
    return content
  }

  /// Bytes of a document that are looked through.
  private static let scanned = 1 << 20
}
