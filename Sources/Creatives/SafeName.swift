internal import Core

/// File names that every file system and artifact store accepts.
package enum SafeName {
  /// Maximum length of a component in bytes; leaves room below the 255 of common file systems.
  private static let longestBytes = 200
  private static let forbidden = #"/\:*?"<>|"#.unicodeScalars

  /// Converts `text` to one visible path component: no separators, control characters, `..` or Windows' forbidden
  /// characters.
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

  /// Indicates if a name may not begin or end with a character: hidden files, and Windows' trailing dots and spaces.
  private static func isEdge(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar.properties.isWhitespace
  }
}

/// Names for result folders: safe, at most 100 characters, all different and none inside another.
struct ResultNames {
  /// Maximum length of a name in characters.
  static let longest = 100
  /// Maximum length of the folders before the last component, in characters.
  private static let longestParent = 60

  private var taken: Set<String> = []
  /// Folders that contain other names, so can't be a result folder themselves.
  private var parents: Set<String> = []

  /// Returns the name for `components`, with `-2`, `-3`, … if it would equal an earlier one.
  mutating func claim(_ components: [String]) -> String {
    var folders = components.dropLast().map(SafeName.make)
    while folders.joined(separator: "/").count > Self.longestParent { folders.removeFirst() }
    var parent = ""
    for folder in folders {
      parent = unused(folder, below: parent) { !taken.contains($0) }
      parents.insert(parent)
    }
    let name = unused(SafeName.make(components.last ?? ""), below: parent) {
      !taken.contains($0) && !parents.contains($0)
    }
    taken.insert(name)
    return name
  }

  private func unused(_ component: String, below parent: String, where isFree: (String) -> Bool) -> String {
    let prefix = parent.isEmpty ? "" : parent + "/"
    var number = 1
    while true {
      let suffix = number == 1 ? "" : "-\(number)"
      let name = prefix + component.prefix(Self.longest - prefix.count - suffix.count) + suffix
      if isFree(name) { return name }
      number += 1
    }
  }
}
