/// Hands out result folder names: safe, at most 100 characters, no two alike and none inside another.
struct ResultNames {
  /// The longest name handed out, in characters.
  static let longest = 100
  /// The most the folders before the last component may take.
  private static let longestParent = 60

  private var taken: Set<String> = []
  /// Folders that hold other names, so can't be a result folder themselves.
  private var parents: Set<String> = []

  /// The name for `components`, with `-2`, `-3`, … where it would meet an earlier one.
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
