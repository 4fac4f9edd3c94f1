internal import Core

/// An http or https address, checked only as far as necessary for naming and loading it.
struct WebAddress {
  /// Address as the caller wrote it.
  let text: String
  private let authority: Substring
  private let path: Substring
  /// Maximum number of bytes of an address: servers accept about half of it.
  private static let longest = 16_384

  /// Reads an address; nil if `text` has no scheme, so is a path.
  ///
  /// Throws `url-scheme-refused`, `url-too-long` or `url-invalid`.
  init?(_ text: String) throws(Fault) {
    guard let colon = text.firstRange(of: "://"), Self.isScheme(text[..<colon.lowerBound]) else { return nil }
    let scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw .request("url-scheme-refused", "\(text.printable): only http and https URLs are supported, not \(scheme)")
    }
    guard text.utf8.count <= Self.longest else {
      throw .request(
        "url-too-long",
        "a URL has at most \(Self.longest) bytes, but \(text.prefix(60).printable)… has \(text.utf8.count)")
    }
    let rest = text[colon.upperBound...].prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "\\" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let isPlain = text.unicodeScalars.allSatisfy { !$0.isUnprintable && !$0.properties.isWhitespace }
    guard isPlain, !host.isEmpty, !host.hasPrefix(":") else {
      throw .request("url-invalid", "\(text.printable) isn't a complete URL")
    }
    self.text = text
    self.authority = host
    path = rest[authority.endIndex...]
  }

  /// Host, port and path in letters, digits, dots, underscores and hyphens; user names and queries are never included.
  var slug: String {
    var joined = authority.lowercased() + path
    for ending in [".html", ".htm"] where joined.lowercased().hasSuffix(ending) { joined.removeLast(ending.count) }
    var slug = ""
    for character in joined {
      let isKept =
        character.isASCII && (character.isLetter || character.isNumber) || character == "." || character == "_"
      if isKept { slug.append(character) } else if !slug.hasSuffix("-") { slug.append("-") }
    }
    while slug.hasSuffix("-") { slug.removeLast() }
    return slug
  }

  /// Last part of its path, as the name of a server's file; `index.html` if it is empty.
  var fileName: String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return name.isEmpty ? "index.html" : String(name.prefix(200))
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}
