internal import Core

/// A URL path turned into the way down from a creative's root.
enum ResourcePath {
  /// Query and fragment cut, percent escapes decoded once, `.` and `..` resolved and held at the root; nil when it
  /// isn't UTF-8 or holds a NUL.
  static func components(_ urlPath: String) -> [String]? {
    let path = urlPath.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let decoded = decode(Array(path))
    guard !decoded.contains(0), let text = String(validating: decoded, as: UTF8.self) else { return nil }
    return normalise(text)
  }

  /// Without empty and `.` components; `..` takes back the one before it, never more than there are.
  static func normalise(_ path: String) -> [String] {
    var components: [String] = []
    for component in split(path.utf8) where component != "." {
      if component == ".." { _ = components.popLast() } else { components.append(component) }
    }
    return components
  }

  /// The components that aren't empty; by bytes, since a combining mark after a slash would hide it from `Character`.
  static func split(_ path: some Collection<UInt8>) -> [String] {
    path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Decodes each valid `%XX`; a stray percent sign stays, as in browsers.
  private static func decode(_ bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).isASCII ? Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) : nil
  }
}
