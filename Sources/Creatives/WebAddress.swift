internal import Core

/// An http or https address, checked only as far as naming and loading need.
struct WebAddress {
  /// As the caller wrote it.
  let text: String
  private let authority: Substring
  private let path: Substring

  /// Nil when `text` has no scheme, so is a path; throws `url-scheme-refused` or `url-invalid`.
  init?(_ text: String) throws(Fault) {
    guard let colon = text.firstRange(of: "://"), Self.isScheme(text[..<colon.lowerBound]) else { return nil }
    let scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw .request("url-scheme-refused", "\(text.printable): only http and https are loaded, not \(scheme)")
    }
    let rest = text[colon.upperBound...].prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "\\" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let isPlain = text.unicodeScalars.allSatisfy { !$0.isUnprintable && !$0.properties.isWhitespace }
    guard isPlain, !host.isEmpty, !host.hasPrefix(":") else {
      throw .request("url-invalid", "\(text.printable) is no complete URL")
    }
    self.text = text
    self.authority = host
    path = rest[authority.endIndex...]
  }

  /// Host, port and path in letters, digits, dots and hyphens; user names and queries never show.
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

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}
