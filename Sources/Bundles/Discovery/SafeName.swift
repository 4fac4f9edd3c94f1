internal import Core

/// File names that every file system and artifact store takes.
package enum SafeName {
  /// The longest component in bytes; leaves room below the 255 of common file systems.
  private static let longestBytes = 200
  private static let forbidden = #"/\:*?"<>|"#.unicodeScalars

  /// `text` as one visible path component: no separators, control characters, `..` or Windows' forbidden characters.
  package static func make(_ text: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !scalar.isUnprintable {
      let isSecondDot = scalar == "." && name.last == "."
      if !isSecondDot { name.append(forbidden.contains(scalar) ? "-" : scalar) }
    }
    while let first = name.first, isEdge(first) { name.removeFirst() }
    name = String(name).prefix(ResultNames.longest).unicodeScalars.reduce(into: .init()) { $0.append($1) }
    while let last = name.last, isEdge(last) || String(name).utf8.count > longestBytes { name.removeLast() }
    return name.isEmpty ? "creative" : String(name)
  }

  /// Whether a name may not begin or end with it: hidden files, and Windows' trailing dots and spaces.
  private static func isEdge(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar.properties.isWhitespace
  }
}
