internal import Checks
internal import Jobs

/// Paths as the URI references that SARIF wants.
enum SARIFPath {
  /// The file to point to, and the name inside of it when it is an archive or was fetched.
  static func file(of place: Finding.Place?, in creative: CreativeReport) -> (path: String, inner: String?) {
    let given = creative.creativePath == "-" ? "stdin" : creative.creativePath
    guard let file = place?.file else { return (given, nil) }
    if file.contains("://") { return (file, nil) }
    switch creative.record.creative.kind {
    case "folder": return (given.hasSuffix("/") ? given + file : "\(given)/\(file)", nil)
    case "html", "fragment":
      let folder = given.lastIndex(of: "/").map { String(given[...$0]) } ?? ""
      return (folder + file, nil)
    default: return (given, file)
    }
  }

  /// A relative reference, a `file` URI for an absolute path, or the address as it is.
  static func uri(_ path: String) -> String {
    guard !path.contains("://") else { return address(path) }
    let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return (path.hasPrefix("/") ? "file://" : "") + escaped(path, keeping: kept)
  }

  /// An address of any scheme, with what none may hold escaped; its own escapes stay.
  static func address(_ text: String) -> String {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false).map(String.init)
    let escapes = parts.dropFirst().map { part in
      let isEscape = part.utf8.count >= 2 && part.utf8.prefix(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
      return (isEscape ? "%" : "%25") + escaped(part, keeping: kept + reserved)
    }
    return escaped(parts[0], keeping: kept + reserved) + escapes.joined()
  }

  private static func escaped(_ text: String, keeping kept: [UInt8]) -> String {
    text.utf8.map { kept.contains($0) ? String(UnicodeScalar($0)) : "%" + hex($0) }.joined()
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }

  private static let kept = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
  /// What else an address may hold.
  private static let reserved = Array(":?#@!$&'()*+,;=".utf8)
}
