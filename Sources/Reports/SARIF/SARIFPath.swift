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
    let isAddress = path.contains("://")
    let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    let escaped = path.utf8.map { byte -> String in
      let keeps = isAddress ? Self.kept + Self.reserved : Self.kept
      return keeps.contains(byte) ? String(UnicodeScalar(byte)) : "%" + Self.hex(byte)
    }.joined()
    return !isAddress && path.hasPrefix("/") ? "file://" + escaped : escaped
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count < 2 ? "0" + digits : digits
  }

  private static let kept = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
  /// What else an address may hold, its own escapes among them.
  private static let reserved = Array(":?#[]@!$&'()*+,;=%".utf8)
}
